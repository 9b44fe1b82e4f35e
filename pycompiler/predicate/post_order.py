"""Folding a flat post-order node list, which is how every tree crosses a process boundary."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from pycompiler.predicate.errors import FilterTooLargeError, MalformedFilterError
from pycompiler.predicate.limits import FilterLimits

T = TypeVar("T")


def fold(arities: Sequence[int], build: Callable[[int, list[T]], T], limits: FilterLimits) -> T:
    """Builds one value out of a post-order list, children first. Without recursion.

    Args:
        arities: For each node how many of the subtrees before it are its children.
        build: Makes a node's value from its index and its children's values.
        limits: Most nodes and levels.

    Raises:
        MalformedFilterError: The list is not exactly one tree.
        FilterTooLargeError: There are too many nodes or levels.
    """
    if len(arities) > limits.max_nodes:
        raise FilterTooLargeError(f"{len(arities)} nodes, the limit is {limits.max_nodes}")
    values: list[T] = []
    depths: list[int] = []
    for index, arity in enumerate(arities):
        if arity == 0:
            # Lists have thousands of these.
            values.append(build(index, []))
            depths.append(1)
            continue
        if not 0 <= arity <= len(values):
            raise MalformedFilterError(f"node {index} needs {arity} children, but there are {len(values)}")
        start = len(values) - arity
        depth = 1 + max(depths[start:], default=0)
        if depth > limits.max_depth:
            raise FilterTooLargeError(f"more than {limits.max_depth} levels")
        value = build(index, values[start:])
        del values[start:], depths[start:]
        values.append(value)
        depths.append(depth)
    if len(values) != 1:
        raise MalformedFilterError(f"{len(values)} trees where there must be one")
    return values[0]
