"""What goes wrong with a pull."""

from __future__ import annotations


class PullError(Exception):
    """Nothing was pulled; the message is one line and says what to do."""
