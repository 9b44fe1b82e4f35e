"""Text for logs and terminals: on one line, whatever a filter holds."""

from __future__ import annotations

import re
from typing import Final

_CONTROLS: Final = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def one_line(text: str) -> str:
    """Puts a blank in the place of each control character and line separator, as the handler's log does."""
    return _CONTROLS.sub(" ", text)
