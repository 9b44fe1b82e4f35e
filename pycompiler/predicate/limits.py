"""Size limits of a filter."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FilterLimits:
    """Limits on one filter, so that none can exhaust the compiler.

    Attributes:
        max_nodes: Nodes of one tree.
        max_depth: Levels of one tree.
        max_literal_bytes: Total UTF-8 bytes of all string literals of one tree.
        max_in_values: Members of one IN list.
        max_text_chars: Characters of a condition given as SQL text.
    """

    max_nodes: int = 20_000
    max_depth: int = 1_000
    max_literal_bytes: int = 1024 * 1024
    max_in_values: int = 10_000
    max_text_chars: int = 100_000


DEFAULT_LIMITS = FilterLimits()
