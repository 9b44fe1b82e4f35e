"""Advice again whenever a table or its queries have changed."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from pycompiler.advise.advice import LayoutAdvice
from pycompiler.advise.chosen_kinds import PlannedKinds
from pycompiler.advise.layout import Layout
from pycompiler.errors import HudiSkipError
from pycompiler.table.timeline import Entry


@dataclass(frozen=True, slots=True)
class Occasion:
    """What advice on a table follows from.

    Attributes:
        statements: The queries.
        timeline: The table's actions.
    """

    statements: tuple[str, ...]
    timeline: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Round:
    """A round in which the table or its queries had changed.

    Attributes:
        is_new: Whether it is the first advice, or advises another layout or index than the one before.
    """

    advice: LayoutAdvice
    is_new: bool


def rounds(
    read: Callable[[], Occasion], advise: Callable[[Occasion], LayoutAdvice], wait: Callable[[], None]
) -> Iterator[Round | HudiSkipError | OSError]:
    """Advises at once, and after each wait if something has changed; never ends by itself.

    Args:
        read: What there is now.
        advise: Makes the advice.
        wait: Returns when it is time to look again.

    Yields:
        The advice or, after the first one, why a round had none; the next round tries again.

    Raises:
        HudiSkipError: There is no first advice.
        OSError: There is no first advice, because a file cannot be read.
    """
    occasion: Occasion | None = None
    advice: LayoutAdvice | None = None
    while True:
        try:
            now = read()
            if now != occasion:
                found = advise(now)
                yield Round(found, advice is None or _advised(found) != _advised(advice))
                occasion, advice = now, found
        except (HudiSkipError, OSError) as error:
            if advice is None:
                raise
            yield error
        wait()


def _advised(advice: LayoutAdvice) -> tuple[Layout | None, PlannedKinds]:
    return None if advice.best is None else advice.best.layout, advice.index.added
