"""Limits on one filter, so that none can exhaust the compiler."""

from typing import Final

MAX_NODES: Final = 20_000
"""Nodes of one tree."""
MAX_DEPTH: Final = 1_000
"""Levels of one tree."""
MAX_LITERAL_BYTES: Final = 1024 * 1024
"""Total UTF-8 bytes of all string literals of one tree."""
MAX_IN_VALUES: Final = 10_000
"""Members of one IN list."""
