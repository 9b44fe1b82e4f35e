"""Commands that a page tells its reader to run."""

import re
import shlex
from typing import Final

_NEEDS_SINGLE: Final = re.compile(r'["$`\\!\n]')
"""What a shell replaces within double quotes."""


def quoted(text: str) -> str:
    """Quotes an argument for a shell: in double quotes if it has single ones, as conditions do."""
    if "'" in text and not _NEEDS_SINGLE.search(text):
        return f'"{text}"'
    return shlex.quote(text)
