"""What a clustered copy proves about a forecast; known without PySpark, which makes the copy."""

from dataclasses import dataclass

from pycompiler.tools.advise.write_times import Timed


@dataclass(frozen=True, slots=True)
class Proof:
    """What the conditions of a workload keep of a clustered copy.

    Attributes:
        shares: The share of the copy's bytes that each condition keeps.
        forecast: What was to be expected of as many files, as Hudi decides how many there are.
        files: Number of file slices of the copy.
        size: Bytes of the copy.
        writing: The bytes that clustering wrote, and how long Hudi's tasks took for that; None if Hudi has
            not recorded it.
        seconds: How long it took to build the index.
    """

    shares: tuple[float, ...]
    forecast: tuple[float, ...]
    files: int
    size: int
    writing: Timed | None
    seconds: float
