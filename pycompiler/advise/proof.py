"""What a clustered copy proves about a forecast."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Proof:
    """What the conditions of a workload keep of a clustered copy.

    Attributes:
        shares: The share of the copy's bytes that each condition keeps.
        files: Number of file slices of the copy.
        size: Bytes of the copy.
    """

    shares: tuple[float, ...]
    files: int
    size: int
