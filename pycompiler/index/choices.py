"""How a choice of index kinds adds to an earlier one, and what of the earlier one it gives up.

Choices are compared as texts, because an earlier one may name kinds that are not installed here.
"""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from pycompiler.compile.expression.model import COLUMN_SEPARATOR
from pycompiler.index.options import EVERY_COLUMN, NONE, IndexOptions, deciding, split_kinds, subject_of
from pycompiler.index.records import RANGE

Choice: TypeAlias = Mapping[str, str | Sequence[str]]
"""Kinds by column, as `IndexOptions.kinds`."""

_ByName: TypeAlias = dict[str, str]
"""Kinds with their parameters, by name."""

_ONLY_RANGE: Final = {RANGE: RANGE}


@dataclass(frozen=True, slots=True)
class GivenUp:
    """What a choice gives up of an earlier one; empty where it keeps everything.

    Attributes:
        no_longer_kept: Kinds that a column had and has no more, by column; `*` stands for every column that
            neither choice names.
        replaced: Kinds that a column has with other parameters now, by column, with the earlier parameters.
    """

    no_longer_kept: Mapping[str, Sequence[str]]
    replaced: Mapping[str, Sequence[str]]


def added_to(earlier: Choice, choice: IndexOptions) -> IndexOptions:
    """Adds a choice to an earlier one.

    A named column keeps the kinds that it had, even if it had them by the name of its struct or by `*`. A
    kind that is named again gets the new parameters, and `none` excludes the column. What the earlier choice
    says of other columns stays, even if the new one names their struct or `*`.

    Raises:
        IndexOptionsError: The earlier choice has kinds that are not installed here.
    """
    had, keys = _by_subject(earlier), {subject_of(key): key for key in earlier}
    merged: dict[str, str | Sequence[str]] = dict(earlier)
    for subject, wanted in _by_subject(choice.kinds).items():
        kinds = {**_of(had, subject), **wanted} if wanted else {}
        # What changes nothing is left as it is written, so that repeating a choice publishes nothing.
        if kinds != had.get(subject):
            merged[keys.get(subject, subject)] = list(kinds.values()) or NONE
    return IndexOptions(merged)


def given_up(earlier: Choice, choice: IndexOptions) -> GivenUp:
    """Compares a choice with the earlier one that it takes the place of."""
    had, has = _by_subject(earlier), _by_subject(choice.kinds)
    lost, replaced = {}, {}
    for subject in dict.fromkeys([*had, *has, EVERY_COLUMN]):
        before, after = _of(had, subject), _of(has, subject)
        if gone := [text for name, text in before.items() if name not in after]:
            lost[subject] = gone
        if other := [text for name, text in before.items() if after.get(name, text) != text]:
            replaced[subject] = other
    return GivenUp(lost, replaced)


def kinds_text(kinds: Mapping[str, Sequence[str]]) -> str:
    """Kinds by column, for people."""
    return "; ".join(f"{column} {', '.join(of_column)}" for column, of_column in kinds.items())


def command_that_adds(table: str, kinds: Mapping[str, Sequence[str]]) -> str:
    """The command that adds kinds to the index of some columns, and keeps everything else."""
    options = [f"{column}={','.join(of_column)}" for column, of_column in kinds.items()]
    shown = "".join(f" --add-index {shlex.quote(option)}" for option in options)
    return f"hudi-skip index build {shlex.quote(table)}{shown}"


def _by_subject(choice: Choice) -> dict[str, _ByName]:
    return {subject_of(key): _by_name(subject_of(key), specs) for key, specs in choice.items()}


def _by_name(subject: str, specs: str | Sequence[str]) -> _ByName:
    listed = [specs] if isinstance(specs, str) else specs
    texts = [text.strip() for spec in listed for text in split_kinds(spec)]
    if texts == [NONE]:
        return {}
    named = {text.partition("(")[0].strip(): text for text in texts}
    return named if COLUMN_SEPARATOR in subject else _ONLY_RANGE | named


def _of(kinds: Mapping[str, _ByName], subject: str) -> _ByName:
    """The kinds that a choice gives to a column, or to several together."""
    if COLUMN_SEPARATOR in subject:
        return kinds.get(subject, {})
    return kinds.get(deciding(subject, kinds), _ONLY_RANGE)
