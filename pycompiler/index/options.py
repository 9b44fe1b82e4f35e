"""Which columns an index covers, and with what kinds of records."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from difflib import get_close_matches
from inspect import signature
from typing import Final, TypeAlias

from pycompiler.compile.expression.model import COLUMN_SEPARATOR
from pycompiler.errors import HudiSkipError
from pycompiler.index.kinds import IndexKind, index_kinds
from pycompiler.index.records import RANGE

EVERY_COLUMN: Final = "*"
NONE: Final = "none"
"""In place of kinds, excludes a column."""

_SHOWN_NAMES: Final = 10

_SPEC: Final = re.compile(r"\s*(?P<name>[\w-]+)\s*(?:\((?P<parameters>[^()]*)\))?\s*")
_SEPARATOR: Final = re.compile(r",(?![^(]*\))")


class IndexOptionsError(HudiSkipError, ValueError):
    """An option names an unknown kind, or passes parameters that the kind does not accept."""


@dataclass(frozen=True, slots=True)
class IndexOptions:
    """What to put into an index.

    Changed options apply to files indexed from then on; a new build applies them to all files. The index
    stores the last options, so updates need not repeat them.

    Attributes:
        kinds: Kinds by column, such as `{"*": "range", "tail_num": ["range", "bloom(fpp=0.01)"], "dest":
            "values(max=256)", "note": "none"}`. A struct's name covers its fields; the longest matching name
            wins. `*` covers all other columns, which otherwise get ranges. An indexed column always gets a
            range: ranges come from file footers, and other kinds build on them. Columns joined by commas get
            joint records, of kinds that take that many columns, such as `{"lat,lon": "cells"}`.

    Raises:
        IndexOptionsError: A kind is unknown or does not accept its parameters.
    """

    kinds: Mapping[str, str | Sequence[str]] = field(default_factory=dict)
    _parsed: Mapping[str, tuple[IndexKind, ...] | None] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        parsed: dict[str, tuple[IndexKind, ...] | None] = {EVERY_COLUMN: ()}
        for column, specs in self.kinds.items():
            subject = subject_of(column)
            parsed[subject] = _parse(subject, _texts(specs))
        object.__setattr__(self, "_parsed", parsed)

    @staticmethod
    def of(choice: IndexChoice) -> IndexOptions | None:
        """Returns options unchanged, and builds options from kinds by column.

        Raises:
            IndexOptionsError: The choice is neither, or is invalid.
        """
        if choice is None or isinstance(choice, IndexOptions):
            return choice
        if isinstance(choice, Mapping):
            return IndexOptions(choice)
        raise IndexOptionsError(
            "expected IndexOptions or a dictionary from column to kinds, such as "
            f'{{"name": "bloom(fpp=0.01)"}}, not: {choice!r}'
        )

    def document(self) -> dict[str, list[str]]:
        """The kinds as the index stores them: lists of texts by column."""
        return {column: _texts(specs) for column, specs in self.kinds.items()}

    @property
    def only_ranges(self) -> bool:
        """Whether footers suffice, so that no page is read."""
        return not self.page_kinds

    @property
    def page_kinds(self) -> tuple[IndexKind, ...]:
        """The kinds that are made from pages, over all columns."""
        return tuple(kind for kinds in self._parsed.values() for kind in kinds or ())

    def sized(self, files: int) -> IndexOptions:
        """The options tuned to a table with this many files."""
        settled = copy(self)
        parsed = {
            subject: None if kinds is None else tuple(kind.sized(files) for kind in kinds)
            for subject, kinds in self._parsed.items()
        }
        object.__setattr__(settled, "_parsed", parsed)
        return settled

    def without(self, columns: Iterable[str]) -> IndexOptions:
        """The options with some columns excluded."""
        left_out = set(map(str.lower, columns))
        kept = {
            subject: specs
            for subject, specs in self.kinds.items()
            if COLUMN_SEPARATOR not in subject or not left_out & set(_names(subject))
        }
        return IndexOptions({**kept, **dict.fromkeys(left_out, NONE)})

    def require_columns(self, columns: Iterable[str], where: str) -> None:
        """Verifies that every column is one of `columns`, in any case; `where` names their owner in messages.

        Raises:
            IndexOptionsError: A column does not exist; the message suggests the nearest names.
        """
        known = {column.lower(): column for column in columns}
        for column in [name for subject in self.kinds for name in _names(subject)]:
            if column != EVERY_COLUMN and column.lower() not in known:
                near = [known[name] for name in get_close_matches(column.lower(), known)]
                hint = f"did you mean {' or '.join(near)}?" if near else f"it has {_some(known.values())}"
                raise IndexOptionsError(f"{where} has no column {column} to index; {hint}")

    @property
    def of_several(self) -> dict[tuple[str, ...], tuple[IndexKind, ...]]:
        """The kinds with records about several columns together, by lower-case column names."""
        return {
            tuple(_names(subject)): kinds
            for subject, kinds in self._parsed.items()
            if COLUMN_SEPARATOR in subject and kinds
        }

    def kinds_of(self, column: str) -> tuple[IndexKind, ...] | None:
        """Kinds besides the range for a lower-case dotted column name; None if the column is excluded."""
        return self._parsed[deciding(column, self._parsed)]


def subject_of(key: str) -> str:
    """The column that a key of `IndexOptions.kinds` names, or several joined by commas; in lower case."""
    return COLUMN_SEPARATOR.join(_names(key))


def deciding(column: str, subjects: Container[str]) -> str:
    """Which of the subjects decides on a lower-case dotted column; `*` if none names it or its struct."""
    name = column
    while name and name not in subjects:
        name = name.rpartition(".")[0]
    return name or EVERY_COLUMN


def _texts(specs: str | Sequence[str]) -> list[str]:
    return [specs] if isinstance(specs, str) else list(specs)


def _names(subject: str) -> list[str]:
    """The lower-case columns that a key of `IndexOptions.kinds` names."""
    return [name.strip() for name in subject.lower().split(COLUMN_SEPARATOR)]


IndexChoice: TypeAlias = IndexOptions | Mapping[str, str | Sequence[str]] | None
"""Options, kinds by column, or None for the options that the index had last."""


def parse_assignments(assignments: Iterable[str]) -> dict[str, str]:
    """Parses `column=kind,kind(parameter=value)` texts into the form that `IndexOptions` takes.

    Raises:
        IndexOptionsError: A text has no `=`.
    """
    kinds = {}
    for text in assignments:
        column, equals, specs = text.partition("=")
        if not equals or not column.strip():
            raise IndexOptionsError(f"expected COLUMN=KIND,…, not: {text}")
        kinds[column.strip()] = specs
    return kinds


def _some(names: Iterable[str]) -> str:
    """The first names; Hudi's metadata columns come last."""
    ordered = sorted(names, key=lambda name: (name.startswith("_hoodie_"), name))
    return ", ".join(ordered[:_SHOWN_NAMES]) + (", …" if len(ordered) > _SHOWN_NAMES else "")


def split_kinds(spec: str) -> list[str]:
    """Splits a list of kinds, such as `range,bloom(fpp=0.01)` into `range` and `bloom(fpp=0.01)`."""
    return _SEPARATOR.split(spec)


def _parse(subject: str, specs: Iterable[str]) -> tuple[IndexKind, ...] | None:
    texts = [text for spec in specs for text in split_kinds(spec)]
    if [text.strip() for text in texts] == [NONE]:
        return None
    kinds = [kind for text in texts if (kind := _kind(text)) is not None]
    if len({kind.name for kind in kinds}) != len(kinds):
        raise IndexOptionsError(f"a kind is listed twice: {', '.join(texts)}")
    names = _names(subject)
    if len(set(names)) < len(names) or not all(names):
        raise IndexOptionsError(f"expected distinct columns, not: {subject}")
    for kind in kinds:
        if kind.column_count != len(names):
            count = kind.column_count
            wanted = "one column" if count == 1 else f"{count} columns, separated by commas"
            raise IndexOptionsError(f"the kind {kind.name} takes {wanted}, not {subject}")
    return tuple(kinds)


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
        raise IndexOptionsError(f"unknown kind of index record: {text!r}; known kinds: {known}")
    pairs = [pair.partition("=") for pair in parameters.split(",") if pair.strip()]
    given = {key.strip(): value.strip() for key, _, value in pairs}
    try:
        signature(maker).bind(**given)
    except TypeError as error:
        takes = ", ".join(signature(maker).parameters) or "no parameters"
        raise IndexOptionsError(f"{text!r} is invalid: {name} takes {takes}") from error
    try:
        return maker(**given)
    except (TypeError, ValueError) as error:
        raise IndexOptionsError(f"{text!r} is invalid: {error}") from error
