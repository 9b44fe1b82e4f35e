"""Folds a flat post-order node list, the form in which every tree crosses a process boundary."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from pycompiler.compile.predicate.errors import FilterTooLargeError, MalformedFilterError
from pycompiler.compile.predicate.limits import MAX_DEPTH, MAX_NODES

T = TypeVar("T")


def fold(arities: Sequence[int], build: Callable[[int, list[T]], T]) -> T:
    """Folds a post-order list into one value, children first and without recursion.

    Args:
        arities: For each node, how many preceding subtrees are its children.
        build: Makes a node's value from its index and its children's values.

    Raises:
        MalformedFilterError: The list is not exactly one tree.
        FilterTooLargeError: There are too many nodes or levels.
    """
    if len(arities) > MAX_NODES:
        raise FilterTooLargeError(f"{len(arities)} nodes exceed the limit of {MAX_NODES}")
    values: list[T] = []
    depths: list[int] = []
    for index, arity in enumerate(arities):
        if arity == 0:
            values.append(build(index, []))
            depths.append(1)
            continue
        if not 0 <= arity <= len(values):
            raise MalformedFilterError(
                f"node {index} has {arity} children, but only {len(values)} subtrees precede it"
            )
        start = len(values) - arity
        depth = 1 + max(depths[start:], default=0)
        if depth > MAX_DEPTH:
            raise FilterTooLargeError(f"the filter is nested deeper than {MAX_DEPTH} levels")
        value = build(index, values[start:])
        del values[start:], depths[start:]
        values.append(value)
        depths.append(depth)
    if len(values) != 1:
        raise MalformedFilterError(f"the node list holds {len(values)} trees instead of one")
    return values[0]
