"""What a clustered copy proves about a forecast."""

from dataclasses import dataclass

from pycompiler.advise.forecast import Forecast


@dataclass(frozen=True, slots=True)
class Proof:
    """What the conditions of a workload keep of a clustered copy.

    Attributes:
        shares: The share of the copy's bytes that each condition keeps.
        files: Number of file slices of the copy.
        size: Bytes of the copy.
        forecast: What was to be expected of as many files, as Hudi decides how many there are.
    """

    shares: tuple[float, ...]
    files: int
    size: int
    forecast: Forecast
