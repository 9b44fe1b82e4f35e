"""How the JVMs of the demo are started."""

from __future__ import annotations

from typing import Final

WITHOUT_C2: Final = ("-XX:TieredStopAtLevel=1", "-XX:ReservedCodeCacheSize=240m")
"""Options that leave the optimizing compiler out. A JVM without it has 48 MB for compiled code, which a
server fills in minutes; it then throws methods out and compiles them again. Otherwise it has 240 MB."""

_LARGE: Final = 1.0


def jvm_options(scale: float) -> tuple[str, ...]:
    """Options for `java`: on little data the optimizing compiler would take longer than it saves.

    Args:
        scale: TPC-H's scale factor.
    """
    return () if scale >= _LARGE else WITHOUT_C2
