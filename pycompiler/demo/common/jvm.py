"""How the JVMs of the demo are started."""

from __future__ import annotations

from typing import Final

_LARGE: Final = 1.0


def jvm_options(scale: float) -> tuple[str, ...]:
    """Options for `java`: on little data the optimizing compiler would take longer than it saves.

    Args:
        scale: TPC-H's scale factor.
    """
    if scale >= _LARGE:
        return ()
    # Without that compiler there would be too little room for the other one's code.
    return "-XX:TieredStopAtLevel=1", "-XX:ReservedCodeCacheSize=240m"
