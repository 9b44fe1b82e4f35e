"""Figures for people: sizes and shares."""

from typing import Final

_UNITS: Final = ("kB", "MB", "GB", "TB", "PB")


def bytes_text(size: float) -> str:
    """A number of bytes in three digits, such as `1.23 MB`; in powers of 1,000, as `scans` counts."""
    if size < 1000:
        return f"{size:.0f} B"
    power = next((power for power in range(1, len(_UNITS)) if size < 999.5 * 1000**power), len(_UNITS))
    size /= 1000**power
    return f"{size:.{2 if size < 9.995 else 1 if size < 99.95 else 0}f} {_UNITS[power - 1]}"


def percent(part: float, whole: float = 1) -> str:
    """A share, never rounded to nothing or to all of it: `0.4 %`, `< 0.1 %`, `> 99.9 %`."""
    share = 100 * part / whole if whole else 0.0
    if 0 < share < 0.1:
        return "< 0.1 %"
    if 99.9 < share < 100:
        return "> 99.9 %"
    return f"{share:.0f} %" if share in (0, 100) else f"{share:.1f} %"
