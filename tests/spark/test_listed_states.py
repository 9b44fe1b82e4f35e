"""The files of a table without Hudi, beside those of its file-system view, in random states of its storage.

Each rule of the listing is also broken once: these states must show it.
"""

import builtins
import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

import pytest
from pyspark.sql import SparkSession

from pycompiler.index.file_systems.location import Location
from pycompiler.index.log_files.names import LogName
from pycompiler.index.records import WriteStatus
from pycompiler.spark.hudi_table import HudiTable
from pycompiler.table import listing
from pycompiler.table.errors import UnknownFilesError
from pycompiler.table.latest import LatestSlice
from pycompiler.table.listing import TableSnapshot, list_table

from ..hudi_releases import release_of
from .random_states import AvroSchemas, RandomState

pytestmark = [pytest.mark.spark, pytest.mark.since_hudi_1]

SEEDS: Final = range(40, 120)
_View: Final = listing._View


class Compared(NamedTuple):
    """A state, and what Hudi lists in it."""

    state: RandomState
    hudis: TableSnapshot

    @property
    def ours(self) -> TableSnapshot | None:
        """What is listed without Hudi; None if that is left to Hudi."""
        try:
            return list_table(Location.parse(str(self.state.root)))
        except UnknownFilesError:
            return None

    def is_right(self, ours: TableSnapshot) -> bool:
        """Whether a listing is Hudi's."""
        same = sorted(map(str, ours.files)) == sorted(map(str, self.hudis.files))
        return same and ours.instant == self.hudis.instant and ours.seen in (None, self.hudis.seen)


@pytest.fixture(scope="module")
def states(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Sequence[Compared]:
    folder = tmp_path_factory.mktemp("states")
    schemas, newest = AvroSchemas.of(spark), release_of(spark).newest_version
    made = [RandomState(folder / f"{seed}", random.Random(seed), schemas, newest) for seed in SEEDS]
    return [Compared(state, HudiTable(spark, state.root).snapshot()) for state in made]


def test_in_any_state_the_files_are_those_of_hudis_view_or_left_to_it(states: Sequence[Compared]) -> None:
    listed = unclaimed = 0
    for compared in states:
        ours = compared.ours
        if ours is not None:
            assert compared.is_right(ours), compared.state.said
            listed += bool(ours.files)
            unclaimed += ours.seen != compared.hudis.seen
    assert listed > len(SEEDS) / 4
    assert unclaimed < listed / 5, "only where commits were archived before earlier ones"


def _without(name: str) -> Callable[[pytest.MonkeyPatch], None]:
    """A view without what it knows by a name."""
    init = _View.__init__

    def broken(self: Any, *arguments: Any) -> None:
        init(self, *arguments)
        setattr(self, name, type(getattr(self, name))())

    return lambda patch: patch.setattr(_View, "__init__", broken)


def _with(name: str, rule: Callable[..., Any]) -> Callable[[pytest.MonkeyPatch], None]:
    return lambda patch: patch.setattr(_View, name, rule)


def _in_module(name: str, rule: Callable[..., Any]) -> Callable[[pytest.MonkeyPatch], None]:
    return lambda patch: patch.setattr(listing, name, rule, raising=name not in vars(builtins))


def _completed_when_requested(self: Any, file: WriteStatus) -> str | None:
    return file.commit_time if _completion(self, file) is not None else None


def _active(self: Any, file: WriteStatus) -> str | None:
    completed: dict[str, str] = self._completed
    return completed.get(file.commit_time)


def _completed_or_pending(self: Any, file: WriteStatus) -> str | None:
    return file.commit_time if file.commit_time in self._pending else _completion(self, file)


def _completed_by_name(self: Any, log: WriteStatus, newest: str) -> str | None:
    return log.commit_time if self._is_committed(log) else None


def _every_log(files: Sequence[WriteStatus], completion_of: object) -> LatestSlice[WriteStatus]:
    return LatestSlice(None, [file for file in files if file.is_log], [])


def _every_folder(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(listing, "_is_partition", lambda folder: True)
    patch.setattr(_View, "_require_recorded", lambda self, file: None)  # It would notice most.


def _with_changes(name: str) -> LogName | None:
    found = _parse(name)
    return None if found is None else replace(found, holds_changes=False)


_completion: Final = _View._completion
_parse: Final = LogName.parse

MUTANTS: Final = {
    "replaced file groups are live": _without("_replaced"),
    "the oldest base file is live": _in_module("max", min),
    "one of two base files of a commit is live": _in_module("len", lambda listed: min(len(listed), 1)),
    "every instant is committed": _with("_completion", lambda self, file: file.commit_time),
    "archived instants are not committed": _with("_completion", _active),
    "what is pending is committed": _with("_completion", _completed_or_pending),
    "commits complete when they are requested": _with("_completion", _completed_when_requested),
    "all logs are of the latest slice": _in_module("latest_slice", _every_log),
    "no log is live": _with("_log_completion", lambda self, log, newest: None),
    "logs belong to the slice of their instant": _with("_log_completion", _completed_by_name),
    "nothing in progress hides logs": _with("_require_shown", lambda self, *arguments: None),
    "every folder is a partition": _every_folder,
    "logs of changes are live": lambda patch: patch.setattr(LogName, "parse", staticmethod(_with_changes)),
}


@pytest.mark.default_hudi
@pytest.mark.parametrize("mutant", MUTANTS.values(), ids=MUTANTS.keys())
def test_a_broken_rule_is_noticed(
    states: Sequence[Compared], monkeypatch: pytest.MonkeyPatch, mutant: Callable[[pytest.MonkeyPatch], None]
) -> None:
    mutant(monkeypatch)
    found = ((compared, compared.ours) for compared in states)
    assert not all(ours is None or compared.is_right(ours) for compared, ours in found)
