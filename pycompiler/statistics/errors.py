"""Why statistics of a file cannot be collected. The messages are for people."""

from __future__ import annotations


class FooterError(Exception):
    """A base file's Parquet footer could not be read."""
