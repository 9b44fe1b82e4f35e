"""One-line text for logs and terminals."""

import re
from typing import Final

_CONTROLS: Final = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def one_line(text: str) -> str:
    """Replaces each control character and line separator by a blank, as the handler's log does."""
    return _CONTROLS.sub(" ", text)
