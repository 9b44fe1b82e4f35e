"""Piecewise monotone functions, inverted by bisection."""

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Final, TypeAlias

from pycompiler.compile.values.encoding import encode_value
from pycompiler.compile.values.ordinals import known_ordinals, ordinals_of
from pycompiler.compile.values.outcomes import Outcomes
from pycompiler.compile.values.range_set import Range, RangeSet
from pycompiler.compile.values.types import HiveType

Forward: TypeAlias = Callable[[int], bytes | None]
"""Maps an argument's ordinal to the encoded result; None is NULL."""

_MAX_EVALUATIONS: Final = 60_000
"""Most evaluations of one function for one set of wanted results."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Ordinals `first` to `last` of the argument, on which the function never falls (or never rises).

    On a piece the function is either NULL everywhere or nowhere.
    """

    first: int
    last: int
    falling: bool = False


@dataclass(frozen=True, slots=True)
class Graph:
    """A function of one argument, NULL for NULL, and where it is certain and monotone.

    Attributes:
        result: Maps an argument's ordinal to the result; None is NULL.
        pieces: Where the results are in order.
        steps: Hive's result may differ by this many adjacent values of its type.
    """

    result: Callable[[int], bool | int | float | Decimal | str | None]
    pieces: tuple[Piece, ...]
    steps: int = 0

    def covers(self, ordinal: int) -> bool:
        """Whether an argument is on one of the pieces."""
        return any(piece.first <= ordinal <= piece.last for piece in self.pieces)

    def preimage(self, source: HiveType, target: HiveType, wanted: Outcomes) -> Outcomes:
        """The arguments with wanted results, all arguments outside the pieces, and NULL if it is wanted.

        Results on a piece are in order, so those within one range come from consecutive arguments; bisection
        finds the first and last of these.

        Args:
            source: The arguments' type.
            target: The results' type.
            wanted: The wanted results.
        """
        ordinals = known_ordinals(source)

        def forward(ordinal: int) -> bytes | None:
            result = self.result(ordinal)
            return None if result is None else encode_value(target, result)

        stretches = sorted(self.pieces, key=lambda piece: piece.first)
        near = widened(wanted.values, target, self.steps).ranges
        ranges = _grouped(near, _MAX_EVALUATIONS // max(1, sum(map(_evaluations, stretches))))
        spans: list[tuple[int, int]] = []
        position = ordinals.first
        for piece in stretches:
            spans.append((position, piece.first - 1))
            position = max(position, piece.last + 1)
            spans += _of_piece(piece, forward, ranges, wanted.null)
        spans.append((position, ordinals.last))
        return Outcomes(ordinals.ranges(spans), wanted.null)


def _evaluations(piece: Piece) -> int:
    """Most evaluations needed to find both ends of a range on a piece."""
    return 2 * (piece.last - piece.first + 1).bit_length() + 3


def _grouped(ranges: tuple[Range, ...], most: int) -> tuple[Range, ...]:
    """At most `most` ranges (at least one), merging neighbours and the gaps between them.

    This only enlarges the set, so no argument is lost.
    """
    if len(ranges) <= max(1, most):
        return ranges
    size = -(-len(ranges) // max(1, most))
    return tuple(
        Range(ranges[start].low, ranges[min(start + size, len(ranges)) - 1].high)
        for start in range(0, len(ranges), size)
    )


def widened(values: RangeSet, hive_type: HiveType, steps: int) -> RangeSet:
    """The values and their neighbours, for results that may differ from Hive's by `steps` ordinals."""
    ordinals = ordinals_of(hive_type)
    if steps == 0 or ordinals is None:
        return values
    spans = []
    for range_ in values.ranges:
        first = ordinals.first if range_.low is None else ordinals.position(range_.low.value) - steps
        last = ordinals.last if range_.high is None else ordinals.position(range_.high.value) + steps
        spans.append((first, last))
    return ordinals.ranges(spans)


def _of_piece(piece: Piece, forward: Forward, ranges: tuple[Range, ...], null: bool) -> list[tuple[int, int]]:
    if forward(piece.first) is None:
        return [(piece.first, piece.last)] if null else []
    spans = []
    for range_ in ranges:
        is_before, is_after = range_.begins_above, range_.ends_below
        if piece.falling:
            is_before, is_after = is_after, is_before
        if _test(forward, is_before, True)(piece.last) or _test(forward, is_after, True)(piece.first):
            # Most ranges miss most pieces.
            continue
        first = _first_where(_test(forward, is_before, False), piece.first, piece.last)
        last = _first_where(_test(forward, is_after, True), first, piece.last) - 1
        if first <= last:
            spans.append((first, last))
    return spans


def _test(forward: Forward, side: Callable[[bytes], bool], wanted: bool) -> Callable[[int], bool]:
    def test(ordinal: int) -> bool:
        result = forward(ordinal)
        assert result is not None, "a piece is NULL everywhere or nowhere"
        return side(result) is wanted

    return test


def _first_where(test: Callable[[int], bool], first: int, last: int) -> int:
    """The first ordinal that passes a test which all later ones pass too; `last` + 1 if none does."""
    while first <= last:
        middle = (first + last) // 2
        if test(middle):
            last = middle - 1
        else:
            first = middle + 1
    return first
