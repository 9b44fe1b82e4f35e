"""Tables of each release of Hudi: PySpark indexes them, and Hive and PySpark read them by arithmetic."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest

from pycompiler.index.file_systems.interface import INDEX_FOLDER
from pycompiler.index.file_systems.location import Location
from pycompiler.index.index import StatisticsIndex
from pycompiler.table.listing import list_table
from tests.conftest import HUDI_CONF
from tests.hudi_releases import DEFAULT, OWN_VERSION, bundle_of
from tests.newer_hudi.contents import unpacked
from tests.spark.tables import timeline_of

from ..harness.check import Checker
from ..harness.engines import FETCH, TEZ, in_turn
from ..harness.session import Session
from ..merging.consume import incremental
from .contents import DELETED, MERGES, WHERE, WRITES, Row, by_one_field, rows_after
from .driver import copy_of

pytestmark = pytest.mark.spark

_ROOT: Final = Path(__file__).resolve().parents[3]
_TIMEOUT_SECONDS: Final = 1800.0
_PAYLOADS: Final = "org.apache.hudi.common.model."
_PAYLOAD: Final = "hoodie.datasource.write.payload.class"
_TYPES: Final = {"mor": "MERGE_ON_READ", "cow": "COPY_ON_WRITE"}
_OTHERS: Final[Mapping[str, tuple[str, ...]]] = {
    "0.15.0": (),
    DEFAULT: ("6",),
    "1.1.1": ("6", "8"),
    "1.2.0": ("6", "8"),
}
_OF_VERSION_9: Final[Mapping[str, Mapping[str, str]]] = {
    # Hudi replaces the payload class by a partial update mode.
    "mixed_mor": {_PAYLOAD: f"{_PAYLOADS}OverwriteNonDefaultsWithLatestAvroPayload"},
    "two_mor": {
        _PAYLOAD: f"{_PAYLOADS}DefaultHoodieRecordPayload",
        "hoodie.datasource.write.precombine.field": "n,m",
        "hoodie.table.ordering.fields": "n,m",
        "hoodie.payload.delete.field": "op",
        "hoodie.payload.delete.marker": "D",
    },
}
_UNKNOWN: Final = {
    "0.15.0": (("mor_8", "1.0"), ("cow_9", "1.1")),
    DEFAULT: (("mor_9", "1.1"), ("cow_9", "1.1")),
}
"""Tables that a release is too old for, and the release that is not."""


def _tables(release: str, rest: bool) -> dict[str, dict[str, str]]:
    """The merge-on-read table of the release's own version, or all others; names end with the type."""
    # Without it, Hudi 0.15 does not look at ordering fields.
    common = {_PAYLOAD: f"{_PAYLOADS}DefaultHoodieRecordPayload"} if release == "0.15.0" else {}
    if not rest:
        return {"own_mor": common}
    versions = {f"{version}_{kind}": version for version in _OTHERS[release] for kind in _TYPES}
    return {
        "own_cow": common,
        **{name: {"hoodie.write.table.version": version} for name, version in versions.items()},
        **({name: dict(more) for name, more in _OF_VERSION_9.items()} if OWN_VERSION[release] == 9 else {}),
    }


@dataclass(frozen=True, slots=True)
class Application:
    """What an application printed of each of its tables, and of those that it could not read."""

    release: str
    folder: Path
    tables: Mapping[str, Any]
    refusals: Mapping[str, list[str]]


def _snapshot(folder: Path) -> dict[Path, bytes]:
    """What is there but for indexes."""
    files = (path for path in folder.rglob("*") if path.is_file() and INDEX_FOLDER not in str(path))
    return {path: path.read_bytes() for path in files}


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(
            (release, rest), marks=[pytest.mark.full] if rest or release in (DEFAULT, "1.1.1") else []
        )
        for release in OWN_VERSION
        for rest in (False, True)
    ],
    ids=lambda param: f"{param[0]} {'others' if param[1] else 'own'}",
)
def application(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Application:
    """An application of a release, in a process of its own."""
    release, rest = request.param
    bundle = bundle_of(release)
    folder = tmp_path_factory.mktemp("releases")
    tables = {
        name: {"hoodie.datasource.write.table.type": _TYPES[name[-3:]], **more}
        for name, more in _tables(release, rest).items()
    }
    newer = unpacked(tmp_path_factory.mktemp("newer"))
    unknown = [] if rest else [str(newer / name) for name, _ in _UNKNOWN.get(release, ())]
    before = _snapshot(newer)
    done = subprocess.run(
        [sys.executable, "-m", "tests.e2e.releases.driver", str(folder), json.dumps(tables), *unknown],
        env={**os.environ, "HUDI_SPARK_BUNDLE": str(bundle), "HUDI_CONF_DIR": str(HUDI_CONF)},
        cwd=_ROOT,
        capture_output=True,
        text=True,
        timeout=_TIMEOUT_SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-5000:]
    *reports, refusals = (json.loads(line) for line in done.stdout.splitlines() if line.startswith("{"))
    assert _snapshot(newer) == before, "a table that is not understood was written to"
    return Application(release, folder, {name: of for each in reports for name, of in each.items()}, refusals)


def _rows(name: str, first: int = 0, last: int = len(WRITES) - 1, without: tuple[int, ...] = ()) -> list[Row]:
    merge = MERGES.get(name.partition("_")[0], by_one_field)
    return [row for row in rows_after(merge, first, last) if row[0] not in without]


def _expected(name: str, first: int = 0, without: tuple[int, ...] = ()) -> list[list[Any]]:
    return [list(row) for row in _rows(name, first, without=without)]


def _states(report: Mapping[str, Any]) -> dict[str, Any]:
    return {name: report[name] for name in ("written", "deleted", "compacted", "folded") if name in report}


def test_rows_are_those_of_arithmetic(application: Application) -> None:
    for name, report in application.tables.items():
        version = name.partition("_")[0]
        expected = int(version) if version.isdecimal() else OWN_VERSION[application.release]
        assert report["version"] == str(expected), name
        for state, found in _states(report).items():
            without = () if state == "written" else DELETED
            assert found["rows"] == _expected(name, without=without), (name, state)


def test_the_index_covers_every_file_with_true_statistics_and_follows_the_timeline(
    application: Application,
) -> None:
    for name, report in application.tables.items():
        assert {"id", "s", "_hoodie_commit_time"} <= {*report["columns"]}, name
        assert report["update"] is None, name
        assert report.get("update after compaction") is None, name
        assert report["stale"]["not indexed"] == 1, name
        for state, found in _states(report).items():
            assert found["up to date"] and found["sound"] == [True, 0, True], (name, state)
            assert found["explain"]["complete"] and not found["explain"]["not indexed"], (name, state)


def test_some_slices_are_skipped_and_those_whose_rows_may_combine_records_are_not(
    application: Application,
) -> None:
    for name, report in application.tables.items():
        is_mixing = name.startswith("mixed")
        assert report["mixing"] == ("hoodie.table.partial.update.mode=IGNORE_DEFAULTS" if is_mixing else "")
        for state, found in _states(report).items():
            verdict = found["explain"]
            if name.endswith("_mor"):
                is_compacted = state in ("compacted", "folded")
                assert verdict["with logs"] == (0 if is_compacted else 2 if state == "written" else 3)
            kept = max(1, verdict["with logs"] if is_mixing else 1)
            assert (verdict["kept"], verdict["of"]) == (kept, 3), (name, state)


def test_a_range_has_the_rows_of_its_commits_from_the_slices_that_may_match(application: Application) -> None:
    for name, report in application.tables.items():
        rows = _expected(name, first=1)
        assert report["incremental"] == rows, name
        assert report["incremental where"] == [row for row in rows if row[5].startswith("newer")], name
        (line,) = report["incremental log"]
        assert ("2 of 2" if name.startswith("mixed") else "1 of 2") in line, name


def test_a_table_that_is_newer_than_the_sessions_hudi_is_one_sentence_that_names_the_remedy(
    application: Application,
) -> None:
    remedies = dict(_UNKNOWN.get(application.release, ()))
    for path, said in application.refusals.items():
        name = Path(path).name
        for message in said:
            assert message.startswith("UnknownVersionError: "), message
            assert f"{path} has table version {name[-1]}, which the Hudi of this Spark session" in message
            assert message.endswith(f"with the bundle of Hudi {remedies[name]} or later")
        index = StatisticsIndex.open(path)
        assert len(index.live_files()) == len(list_table(Location.parse(path)).files) > 0, name


PREDICATES: Final[Mapping[str, Callable[[Row], bool]]] = {
    "true": lambda row: True,
    WHERE: lambda row: row[5].startswith("newer"),
    "id = 12": lambda row: row[0] == 12,
    "n < 100 or n > 250": lambda row: not 100 <= row[2] <= 250,
    "m = 100 and part = 'p1'": lambda row: row[3] == 100 and row[1] == "p1",
    "op is null": lambda row: row[4] is None,
    "s like 'tied%'": lambda row: row[5].startswith("tied"),
    "not (s >= 'older')": lambda row: not row[5] >= "older",
}
_WAYS: Final[Mapping[str, Mapping[str, str]]] = {
    "in batches": TEZ,
    "without a job": FETCH,
    "without skipping": {**FETCH, "hudi.skipping.mode": "off"},
}
_COLUMNS: Final = "id, part, n, m, op, s"


def test_hive_reads_what_arithmetic_says_in_each_state(session: Session, application: Application) -> None:
    for name, report in application.tables.items():
        # An index that was compacted is of no other state.
        for state in sorted(_states(report).keys() - {"folded"}):
            rows = _rows(name, without=() if state == "written" else DELETED)
            with session.table(copy_of(application.folder / name, state)) as table:
                for (way, settings), (where, matches) in in_turn(_WAYS.items(), PREDICATES.items()):
                    with session.settings(settings):
                        found = session.rows(f"select {_COLUMNS} from {table} where {where}")
                    assert sorted(found) == [row for row in rows if matches(row)], (
                        f"{name}, {state}, {way}: {where}"
                    )


def test_hive_opens_some_slices_and_not_all(check: Checker, application: Application) -> None:
    for name, report in application.tables.items():
        for state, found in _states(report).items():
            with check.session.table(copy_of(application.folder / name, state)) as table:
                scan = check.run(f"select count(*) from {table} where {WHERE}", TEZ).scan
                assert (scan.kept, scan.files) == (found["explain"]["kept"], 3), (
                    f"{name}, {state}: {scan.line}"
                )


def test_hive_reads_each_past_state_and_each_range_of_commits(
    session: Session, application: Application
) -> None:
    for name in application.tables:
        path = copy_of(application.folder / name, "written")
        commits = sorted(timeline_of(path).commits, key=lambda commit: commit.instant)
        assert len(commits) == len(WRITES), commits
        with session.table(path) as table:
            for last, commit in enumerate(commits):
                as_of = f"{table} for system_version as of {commit.instant}"
                found = session.rows(f"select {_COLUMNS} from {as_of} where id < 25")
                assert sorted(found) == [row for row in _rows(name, last=last) if row[0] < 25], (name, last)
            for first, last in ((1, 1), (1, 2), (2, 2)):
                asked = incremental(
                    "t",
                    start_timestamp=commits[first - 1].instant,
                    end_timestamp=commits[last].instant,
                )
                with session.settings(asked):
                    found = session.rows(f"select {_COLUMNS} from {table} where id < 25")
                rows = [row for row in _rows(name, first, last) if row[0] < 25]
                assert sorted(found) == rows, (name, first, last)


def test_hive_reads_the_base_files_alone_where_the_table_says_so(
    session: Session, application: Application
) -> None:
    for name in application.tables:
        if name.endswith("_mor"):
            path = copy_of(application.folder / name, "written")
            with session.table(path, properties={"hoodie.query.as.ro.table": "true"}) as table:
                found = session.rows(f"select {_COLUMNS} from {table} where n = 100")
                assert sorted(found) == _rows(name, last=0), name
