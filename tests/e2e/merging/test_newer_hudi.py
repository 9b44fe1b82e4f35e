"""Tables that Hudi 1.2.0 wrote: answered by arithmetic, or refused by name."""

import re
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import pytest
from pyspark.sql import SparkSession
from typer.testing import CliRunner

from pycompiler.hive.server import HiveServer
from pycompiler.spark.incremental.reader import read_incremental
from pycompiler.spark.index_creator import IndexCreator
from pycompiler.spark.writer import write_indexed
from pycompiler.table.errors import UnsupportedTableError
from pycompiler.tools.cli.main import app
from tests.newer_hudi.contents import REPEATED_ROWS, ROWS, Row, unpacked

from ..harness.engines import FETCH, TEZ, in_turn
from ..harness.session import Session, create_statement

Predicate = Callable[[Row], bool]

PREDICATES: Final[Mapping[str, Predicate]] = {
    "true": lambda row: True,
    "id = 2": lambda row: row[0] == 2,
    "id between 3 and 9": lambda row: 3 <= row[0] <= 9,
    "n = 50": lambda row: row[1] == 50,
    "n = 100": lambda row: row[1] == 100,
    "n > 100": lambda row: row[1] > 100,
    "i % 10 = 2": lambda row: row[2] % 10 == 2,
    "i in (31, 32, 50, 52)": lambda row: row[2] in (31, 32, 50, 52),
    "s like 'older%'": lambda row: row[3].startswith("older"),
    "s >= 's3' and s < 's5'": lambda row: "s3" <= row[3] < "s5",
    "s = 'newer4' or i = 92": lambda row: row[3] == "newer4" or row[2] == 92,
    "not (n = 200)": lambda row: row[1] != 200,
}
WAYS: Final = {
    "in batches": TEZ,
    "without a job": FETCH,
    "without skipping": {**FETCH, "hudi.skipping.mode": "off"},
}


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return unpacked(tmp_path_factory.mktemp("newer_hudi"))


def edited(tables: Path, name: str, to: Path, **properties: str) -> Path:
    """A copy of a table with other properties; `__` stands for the dots of a name."""
    path = to / name
    shutil.copytree(tables / name, path)
    edit(path, **properties)
    return path


def edit(path: Path, **properties: str) -> None:
    """Sets properties of a table."""
    file = path / ".hoodie" / "hoodie.properties"
    names = {key.replace("__", "."): value for key, value in properties.items()}
    kept = [line for line in file.read_text().splitlines() if line.partition("=")[0] not in names]
    file.write_text("\n".join([*kept, *(f"{name}={value}" for name, value in names.items())]) + "\n")


@pytest.mark.selected(2)
@pytest.mark.since_hudi_1  # Spark updates the index.
@pytest.mark.parametrize("name", ["mor_6", "mor_8", "mor_9", "cow_8", "cow_9", "two_fields"])
def test_the_greater_ordering_value_wins(
    session: Session, spark: SparkSession, tables: Path, name: str
) -> None:
    if not name.endswith("_9"):  # which the Hudi of this session does not know
        IndexCreator(spark).build(str(tables / name))
    with session.table(tables / name) as table:
        for (way, settings), (where, matches) in in_turn(WAYS.items(), PREDICATES.items()):
            with session.settings(settings):
                found = session.rows(f"select id, n, i, s from {table} where {where}")
            assert sorted(found) == [row for row in ROWS if matches(row)], f"{where}, {way}"


def test_a_log_changes_every_row_of_its_key(session: Session, tables: Path) -> None:
    with session.table(tables / "repeated") as table:
        for way, settings in WAYS.items():
            with session.settings(settings):
                assert sorted(session.rows(f"select id, n, i, s from {table}")) == [*REPEATED_ROWS], way
                assert session.rows(f"select count(*) from {table}") == [(len(REPEATED_ROWS),)], way


UNKNOWN: Final = (
    ("mor_8", {"hoodie__table__precombine__field": "i"}, "do not agree on the ordering field"),
    ("mor_8", {"hoodie__table__partial__update__mode": "REPLACE_ALL"}, "mode=REPLACE_ALL, which"),
    ("mor_8", {"hoodie__record__merge__mode": "GREATEST"}, "hoodie.record.merge.mode=GREATEST, which"),
    ("mor_8", {"hoodie__record__merge__property__x": "y"}, "hoodie.record.merge.property.x=y, which"),
    ("mor_6", {"hoodie__table__legacy__payload__class": "a.B"}, "legacy.payload.class=a.B, which"),
    ("mor_6", {"hoodie__compaction__payload__class": "a.B"}, "payload class a.B, which is not part of Hudi"),
    ("cow_8", {"hoodie__table__format": "iceberg"}, "hoodie.table.format=iceberg, which"),
    ("cow_8", {"hoodie__table__type": "MERGE_ON_WRITE"}, "hoodie.table.type=MERGE_ON_WRITE, which"),
    ("cow_8", {"hoodie__timeline__storage": "elsewhere"}, "hoodie.timeline.storage=elsewhere, which"),
)


@pytest.mark.selected(3)
@pytest.mark.parametrize(("name", "properties", "refusal"), UNKNOWN, ids=[each[2] for each in UNKNOWN])
def test_a_property_that_may_decide_what_rows_are_is_refused_by_name(
    session: Session,
    tables: Path,
    tmp_path: Path,
    name: str,
    properties: dict[str, str],
    refusal: str,
) -> None:
    path = edited(tables, name, tmp_path)
    with session.table(path) as table:
        assert len(session.rows(f"select id from {table}")) == len(ROWS)
        edit(path, **properties)
        session.assert_refused(f"select id from {table}", re.escape(refusal))
    session.assert_refused(create_statement("refused", path), re.escape(refusal))


def test_a_property_that_decides_nothing_is_let_pass(session: Session, tables: Path, tmp_path: Path) -> None:
    harmless = {"hoodie__datasource__write__new": "1", "hoodie__table__partial__update__mode": ""}
    mor = edited(tables, "mor_8", tmp_path, **harmless)
    # Nothing is merged when a copy-on-write table is read.
    cow = edited(tables, "cow_8", tmp_path, hoodie__table__partial__update__mode="REPLACE_ALL")
    for path in (mor, cow):
        with session.table(path) as table:
            assert sorted(session.rows(f"select id, n, i, s from {table}")) == [*ROWS], path.name


@pytest.mark.since_version_8
@pytest.mark.selected(2)
@pytest.mark.parametrize("kind", ["mor", "cow"])
@pytest.mark.parametrize("version", ["10", "nonsense"])
def test_a_table_version_that_is_not_known_is_one_clear_sentence_everywhere(
    session: Session,
    server: HiveServer,
    spark: SparkSession,
    tables: Path,
    tmp_path: Path,
    kind: str,
    version: str,
) -> None:
    path = edited(tables, f"{kind}_8", tmp_path)
    refusal = f"{path} has table version {version}; this release reads versions up to 9"
    with session.table(path) as table:
        IndexCreator(spark).build(str(path))
        edit(path, hoodie__table__version=version)
        for statement in (
            f"select id from {table}",
            f"select count(*) from {table} where i = 3",
            create_statement("refused", path),
        ):
            session.assert_refused(statement, re.escape(refusal))
        query = tmp_path / "query.sql"
        query.write_text(f"select id from default.{table}")
        names = ["--source", f"default.{table}", "--target", f"default.{table}_target", "--from", "0"]
        for arguments in (
            ["pull", "--hive", server.address, *names, "--sql", str(query)],
            ["explain", str(path), "--where", "id = 1"],
            ["index", "build", str(path)],
            ["index", "update", str(path)],
        ):
            done = CliRunner().invoke(app, arguments)
            assert done.exit_code == 1 and refusal in done.stderr, (arguments, done.stderr)
    with pytest.raises(UnsupportedTableError, match="has table version"):
        read_incremental(spark, path, "0")


@pytest.mark.default_hudi
def test_write_indexed_says_that_the_version_is_not_known(
    spark: SparkSession, tables: Path, tmp_path: Path
) -> None:
    path = edited(tables, "cow_8", tmp_path)
    edit(path, hoodie__table__version="9")
    frame = spark.createDataFrame([(1, 300, 1, "s")], "id int, n int, i int, s string")
    options = {"hoodie.table.name": "cow_8", "hoodie.datasource.write.recordkey.field": "id"}
    with pytest.raises(UnsupportedTableError, match="has table version 9"):
        write_indexed(frame, path, options)


@pytest.mark.default_hudi
def test_spark_of_an_older_hudi_does_not_merge_what_it_does_not_understand(
    spark: SparkSession, tables: Path
) -> None:
    with pytest.raises(UnsupportedTableError, match="Hudi 1.1 or later"):
        read_incremental(spark, tables / "mor_8", "0")
