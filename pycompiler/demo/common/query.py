"""A query of the demo."""

from __future__ import annotations

from dataclasses import dataclass

from pycompiler.demo.common.state import NOW, State


@dataclass(frozen=True, slots=True)
class DemoQuery:
    """A query and what it is to show.

    Attributes:
        title: The kind of condition.
        sql: Its text.
        selective: Whether it may open no more than a third of the files.
        beeline: Whether beeline runs it, rather than PyHive.
        state: Which rows of its table are asked for.
    """

    title: str
    sql: str
    selective: bool = True
    beeline: bool = False
    state: State = NOW
