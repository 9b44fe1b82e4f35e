"""Which columns an index covers, and with what kinds of records."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Final, TypeAlias

from pycompiler.expression.model import COLUMN_SEPARATOR
from pycompiler.index.kinds import IndexKind, index_kinds
from pycompiler.index.records import RANGE

EVERY_COLUMN: Final = "*"
NONE: Final = "none"
"""Instead of kinds: the column is left out."""

_SHOWN_NAMES: Final = 10

_SPEC: Final = re.compile(r"\s*(?P<name>[\w-]+)\s*(?:\((?P<parameters>[^()]*)\))?\s*")
_SEPARATOR: Final = re.compile(r",(?![^(]*\))")


class IndexOptionsError(ValueError):
    """An option names no kind, or a kind with parameters that it does not take. The message is for people."""


@dataclass(frozen=True, slots=True)
class IndexOptions:
    """What to put into an index.

    Changed options hold for files that are indexed from then on; a new build applies them to all. The index
    keeps the last ones, so that whoever updates it need not know them.

    Attributes:
        kinds: Kinds by column, as in `{"*": "range", "tail_num": ["range", "bloom(fpp=0.01)"], "dest":
            "values(max=256)", "note": "none"}`. A struct's name stands for its fields, the longest name that
            fits counts, `*` for columns without one; without `*` they have ranges. An indexed column always
            has a range, whether named or not: it costs no reading, and other kinds build upon it. Columns
            with commas between them have records about them together, of kinds that take as many, as in
            `{"lat,lon": "cells"}`.

    Raises:
        IndexOptionsError: There is no such kind, or it doesn't take the parameters.
    """

    kinds: Mapping[str, str | Sequence[str]] = field(default_factory=dict)
    _parsed: Mapping[str, tuple[IndexKind, ...] | None] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        parsed: dict[str, tuple[IndexKind, ...] | None] = {EVERY_COLUMN: ()}
        for column, specs in self.kinds.items():
            subject = COLUMN_SEPARATOR.join(_names(column))
            parsed[subject] = _parse(subject, [specs] if isinstance(specs, str) else specs)
        object.__setattr__(self, "_parsed", parsed)

    @staticmethod
    def of(choice: IndexChoice) -> IndexOptions | None:
        """Takes options as they are, and makes them of what they are made of.

        Raises:
            IndexOptionsError: It is neither, or is not understood.
        """
        if choice is None or isinstance(choice, IndexOptions):
            return choice
        if isinstance(choice, Mapping):
            return IndexOptions(choice)
        raise IndexOptionsError(
            f"not a choice of columns: {choice!r}; give IndexOptions, or their kinds by column as in "
            '{"name": "bloom(fpp=0.01)"}'
        )

    def document(self) -> dict[str, list[str]]:
        """The kinds as the index keeps them: lists of texts by column."""
        return {
            column: [specs] if isinstance(specs, str) else list(specs) for column, specs in self.kinds.items()
        }

    @property
    def only_ranges(self) -> bool:
        """Whether footers have all that is asked for, so that no page is read."""
        return not self.page_kinds

    @property
    def page_kinds(self) -> tuple[IndexKind, ...]:
        """The kinds that are made from pages, of whatever column."""
        return tuple(kind for kinds in self._parsed.values() for kind in kinds or ())

    def sized(self, files: int) -> IndexOptions:
        """The same options for a table of so many base files: kinds that depend on that are settled."""
        settled = copy(self)
        parsed = {
            subject: None if kinds is None else tuple(kind.sized(files) for kind in kinds)
            for subject, kinds in self._parsed.items()
        }
        object.__setattr__(settled, "_parsed", parsed)
        return settled

    def without(self, columns: Iterable[str]) -> IndexOptions:
        """The same kinds, and none for some columns."""
        left_out = set(map(str.lower, columns))
        kept = {
            subject: specs
            for subject, specs in self.kinds.items()
            if COLUMN_SEPARATOR not in subject or not left_out & set(_names(subject))
        }
        return IndexOptions({**kept, **dict.fromkeys(left_out, NONE)})

    def require_columns(self, columns: Iterable[str], where: str) -> None:
        """Makes sure that every column that is named is there.

        Args:
            columns: Names of columns and, with dots, of fields of structs, in any case.
            where: What has these columns.

        Raises:
            IndexOptionsError: A column isn't there; the message has the nearest names.
        """
        known = {column.lower(): column for column in columns}
        for column in [name for subject in self.kinds for name in _names(subject)]:
            if column != EVERY_COLUMN and column.lower() not in known:
                near = [known[name] for name in get_close_matches(column.lower(), known)]
                hint = f"did you mean {' or '.join(near)}?" if near else f"it has {_some(known.values())}"
                raise IndexOptionsError(f"{where} has no column {column} to index; {hint}")

    @property
    def of_several(self) -> dict[tuple[str, ...], tuple[IndexKind, ...]]:
        """The kinds whose records are about several columns together, by the columns' lower-case names."""
        return {
            tuple(_names(subject)): kinds
            for subject, kinds in self._parsed.items()
            if COLUMN_SEPARATOR in subject and kinds
        }

    def kinds_of(self, column: str) -> tuple[IndexKind, ...] | None:
        """Kinds besides the range of a column, given by its lower-case dotted name; None: it is left out."""
        name = column
        while name:
            if name in self._parsed:
                return self._parsed[name]
            name = name.rpartition(".")[0]
        return self._parsed[EVERY_COLUMN]


def _names(subject: str) -> list[str]:
    """The columns that a key of `IndexOptions.kinds` names, lower-case."""
    return [name.strip() for name in subject.lower().split(COLUMN_SEPARATOR)]


IndexChoice: TypeAlias = IndexOptions | Mapping[str, str | Sequence[str]] | None
"""Options, the kinds of options, or None for what an index had last."""


def parse_assignments(assignments: Iterable[str]) -> dict[str, str]:
    """Reads `column=kind,kind(parameter=value)` texts into what `IndexOptions` takes.

    Raises:
        IndexOptionsError: A text has no `=`.
    """
    kinds = {}
    for text in assignments:
        column, equals, specs = text.partition("=")
        if not equals or not column.strip():
            raise IndexOptionsError(f"not of the form COLUMN=KIND,…: {text}")
        kinds[column.strip()] = specs
    return kinds


def _some(names: Iterable[str]) -> str:
    """The first names, those of Hudi's own columns last."""
    ordered = sorted(names, key=lambda name: (name.startswith("_hoodie_"), name))
    return ", ".join(ordered[:_SHOWN_NAMES]) + (", …" if len(ordered) > _SHOWN_NAMES else "")


def split_kinds(spec: str) -> list[str]:
    """The kinds that a text names, such as `range` and `bloom(fpp=0.01)` of `range,bloom(fpp=0.01)`."""
    return _SEPARATOR.split(spec)


def _parse(subject: str, specs: Iterable[str]) -> tuple[IndexKind, ...] | None:
    texts = [text for spec in specs for text in split_kinds(spec)]
    if [text.strip() for text in texts] == [NONE]:
        return None
    kinds = [kind for text in texts if (kind := _kind(text)) is not None]
    if len({kind.name for kind in kinds}) != len(kinds):
        raise IndexOptionsError(f"a kind is named twice: {', '.join(texts)}")
    names = _names(subject)
    if len(set(names)) < len(names) or not all(names):
        raise IndexOptionsError(f"not columns, each named once: {subject}")
    for kind in kinds:
        if kind.column_count != len(names):
            raise IndexOptionsError(
                f"a record of the kind {kind.name} is about {_columns(kind.column_count)}, not {subject}"
            )
    return tuple(kinds)


def _columns(count: int) -> str:
    return "one column" if count == 1 else f"{count} columns, with commas between them"


def _kind(text: str) -> IndexKind | None:
    """The kind that a text names; None for `range`, which needs no values."""
    found = _SPEC.fullmatch(text)
    if found is None:
        raise IndexOptionsError(f"not a kind of index record: {text!r}")
    name, parameters = found["name"], found["parameters"] or ""
    if name == RANGE and not parameters.strip():
        return None
    maker = index_kinds().get(name)
    if maker is None:
        known = ", ".join(sorted([RANGE, NONE, *index_kinds()]))
        raise IndexOptionsError(f"no kind of index record: {text!r}; there are {known}")
    pairs = [pair.partition("=") for pair in parameters.split(",") if pair.strip()]
    try:
        return maker(**{key.strip(): value.strip() for key, _, value in pairs})
    except (TypeError, ValueError) as error:
        raise IndexOptionsError(f"{text!r} is not understood: {error}") from error
