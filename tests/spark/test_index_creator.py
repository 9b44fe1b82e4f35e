"""Building and updating the index of real Hudi tables, held against every value in their files."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from pyspark.sql import DataFrame, SparkSession

from pycompiler.compile.expression.bloom import BloomFilter
from pycompiler.compile.values.encoding import encode_value
from pycompiler.compile.values.types import HiveType
from pycompiler.index.errors import IndexMissingError
from pycompiler.index.file_systems.local import LocalStorage
from pycompiler.index.file_systems.location import Location
from pycompiler.index.folding import MAX_DATA_FILES
from pycompiler.index.index import StatisticsIndex
from pycompiler.index.manifest import Manifest, load_manifest, manifest_name
from pycompiler.index.options import IndexOptions, IndexOptionsError
from pycompiler.index.publisher import Delta, IndexPublisher
from pycompiler.index.records import HoodieMetadataRecord
from pycompiler.indexing import indexer, verification
from pycompiler.indexing import table as indexed_table
from pycompiler.indexing.verification import verify
from pycompiler.spark import cluster
from pycompiler.spark.cluster import SparkCluster
from pycompiler.spark.errors import IndexUpdateWarning, SparkUnavailableError
from pycompiler.spark.hudi import listing
from pycompiler.spark.hudi_table import HudiTable
from pycompiler.spark.index_creator import IndexCreator
from pycompiler.spark.writer import write_indexed
from pycompiler.table.errors import NotAHudiTableError, UnsupportedTableError
from pycompiler.table.listing import TableSnapshot, list_table
from tests.contents import all_values
from tests.records import records_in_force, write_records

from .tables import VALUES, check_index, frame, live_files, options, status, write

pytestmark = pytest.mark.spark

COLUMNS = ["_hoodie_commit_time", "_hoodie_record_key", *VALUES]


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(True, id="partitioned"),
        pytest.param(False, id="not partitioned", marks=pytest.mark.full),
    ],
)
def partitioned(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


@pytest.fixture(scope="module")
def evolving(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory, partitioned: bool) -> Path:
    """A table after a bulk insert; the tests of the class go on from there, in order."""
    path = tmp_path_factory.mktemp("evolving") / "t"
    write(frame(spark, range(1000)), path, options("t", "bulk_insert", partitioned))
    return path


class TestThroughTheOperations:
    """One table, one operation after the other, the index checked against the data after each."""

    def test_without_an_index_an_update_builds_it(self, spark: SparkSession, evolving: Path) -> None:
        done: list[tuple[int, int]] = []
        update = IndexCreator(spark, progress=lambda *at: done.append(at)).update(str(evolving))
        assert (update.generation, update.published) == (1, True)
        assert update.files == update.files_added == len(live_files(spark, evolving))
        assert done[-1] == (update.files, update.files)
        statistics = check_index(spark, evolving, COLUMNS)
        assert "arr" not in StatisticsIndex.open(evolving).columns()
        assert all(entry.statistics.all_null for entry in statistics["nothing"].values())
        nan_counts = [entry.statistics.nan_count for entry in statistics["f"].values()]
        assert nan_counts.count(None) == 1, "only the file with the NaN is not known to have none"
        for column in ("id", "i", "d", "b", "dec9", "dec18", "dec38", "ts", "st.x", "st.y"):
            for name, entry in statistics[column].items():
                assert entry.statistics.lower is not None, f"{column} of {name} has no lower bound"
                assert entry.statistics.upper is not None, f"{column} of {name} has no upper bound"

    def test_nothing_new_publishes_nothing(self, spark: SparkSession, evolving: Path) -> None:
        update = IndexCreator(spark).update(evolving)
        assert (update.generation, update.published, update.files_added) == (1, False, 0)

    @pytest.mark.parametrize(
        ("operation", "numbers"),
        [
            ("insert", range(1000, 1300)),
            ("upsert", range(990, 1010)),
            ("delete", range(30)),
            ("upsert", range(2)),
        ],
    )
    def test_a_later_commit_adds_its_files(
        self, spark: SparkSession, evolving: Path, partitioned: bool, operation: str, numbers: range
    ) -> None:
        before = StatisticsIndex.open(evolving)
        known = live_files(spark, evolving)
        write(frame(spark, numbers), evolving, options("t", operation, partitioned))
        new = live_files(spark, evolving) - known
        update = IndexCreator(spark).update(evolving)
        assert update.files_added == len(new) > 0, "only new files are read"
        assert update.generation == before.manifest.generation + 1
        assert update.instant > before.manifest.instant
        check_index(spark, evolving, COLUMNS)

    def test_a_commit_that_removes_everything_leaves_no_live_file(
        self, spark: SparkSession, evolving: Path, partitioned: bool
    ) -> None:
        write(frame(spark, range(5)), evolving, options("t", "insert_overwrite_table", partitioned))
        update = IndexCreator(spark).update(evolving)
        assert update.files_gone > 0
        assert update.files == len(live_files(spark, evolving))
        check_index(spark, evolving, COLUMNS)

    def test_status_and_verification_agree_with_the_table(self, spark: SparkSession, evolving: Path) -> None:
        found = status(spark, evolving)
        assert (found.up_to_date, found.instant) == (True, found.table_instant)
        assert found.files_gone > 0, "rows of replaced files stay until they are folded"
        verification = verify(evolving)
        assert verification.sound and verification.records > 0
        assert verification.files_missing == verification.files_resized == 0

    def test_a_build_starts_afresh(self, spark: SparkSession, evolving: Path) -> None:
        IndexCreator(spark).build(evolving)
        index = StatisticsIndex.open(evolving)
        assert set(index.files()) == live_files(spark, evolving)
        assert len(index.manifest.data_files) == 1
        check_index(spark, evolving, COLUMNS)


@pytest.fixture(scope="module")
def pristine(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small indexed table to make copies of."""
    path = tmp_path_factory.mktemp("pristine") / "t"
    write(frame(spark, range(60)), path, options("t", "bulk_insert", True))
    IndexCreator(spark).build(path)
    return path


@pytest.fixture
def table(pristine: Path, tmp_path: Path) -> Path:
    """A copy that a test may spoil."""
    return Path(shutil.copytree(pristine, tmp_path / "t"))


def _statuses(spark: SparkSession, path: Path) -> Iterator[object]:
    files = HudiTable(spark, str(path)).snapshot().files
    yield list(files)
    yield spark.sparkContext.parallelize(files, 2)
    rows = [(file.partition, file.file_id, file.path, file.size, file.commit_time) for file in files]
    yield spark.createDataFrame(rows, ["partition", "file_id", "path", "size", "commit_time"])


def test_collect_metadata_takes_a_list_an_rdd_and_a_data_frame(spark: SparkSession, table: Path) -> None:
    collected = []
    for statuses in _statuses(spark, table):
        records = IndexCreator(spark).collect_metadata(statuses)  # type: ignore[arg-type]
        assert isinstance(records, DataFrame)
        collected.append(sorted(map(str, records.collect())))
    assert collected[0] == collected[1] == collected[2]
    assert len(collected[0]) == len(records_in_force(StatisticsIndex.open(table)))


def test_a_listing_that_takes_several_calls_is_whole(
    spark: SparkSession, table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = HudiTable(spark, str(table)).snapshot().files
    assert len(files) > 2 and {file.path for file in files} == {
        str(path) for path in table.rglob("*.parquet") if ".hoodie" not in path.parts
    }
    assert all(file.size == Path(file.path).stat().st_size for file in files)
    monkeypatch.setattr(listing, "_FILES_PER_CALL", 2)
    assert HudiTable(spark, str(table)).snapshot().files == files


def test_a_big_build_is_divided_by_column_and_each_part_counts_all_files(
    spark: SparkSession, table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "_ROWS_PER_DATA_FILE", 30)
    update = IndexCreator(spark, seconds_on_driver=0).build(table)
    manifest = StatisticsIndex.open(table).manifest
    assert len(manifest.data_files) > 1, "the build has to be divided"
    assert {data_file.files for data_file in manifest.data_files} == {update.files}
    assert sum(data_file.records for data_file in manifest.data_files) == update.records
    check_index(spark, table, COLUMNS)


def test_few_files_are_indexed_without_a_spark_job(spark: SparkSession, table: Path) -> None:
    works: dict[str, Callable[[], object]] = {
        "job": spark.range(3).count,
        "build": lambda: IndexCreator(spark, IndexOptions({"*": "range,bloom"})).build(table),
        "update": lambda: IndexCreator(spark).update(table),
    }
    jobs = {}
    for name, work in works.items():
        spark.sparkContext.setJobGroup(name, "")
        work()
        jobs[name] = len(spark.sparkContext.statusTracker().getJobIdsForGroup(name))
    spark.sparkContext.setLocalProperty("spark.jobGroup.id", None)  # type: ignore[arg-type]
    assert jobs.pop("job") > 0 and jobs == {"build": 0, "update": 0}


@pytest.mark.full
def test_the_driver_writes_what_executors_write(spark: SparkSession, table: Path) -> None:
    few = IndexCreator(spark).build(table)
    by_one = sorted(map(repr, records_in_force(StatisticsIndex.open(table))))
    many = IndexCreator(spark, seconds_on_driver=0).build(table)
    assert sorted(map(repr, records_in_force(StatisticsIndex.open(table)))) == by_one
    assert replace(many, generation=few.generation, seconds=few.seconds) == few
    (first,), (second,) = (
        load_manifest(LocalStorage(table), number).data_files for number in (few.generation, many.generation)
    )
    assert replace(second, name=first.name, footer_crc32=first.footer_crc32) == replace(
        first, footer_crc32=first.footer_crc32
    ), "the rows lie in the same order"


@pytest.mark.parametrize("seconds_on_driver", [0, 60])
def test_files_that_are_gone_before_they_are_read_have_no_rows(
    spark: SparkSession, table: Path, monkeypatch: pytest.MonkeyPatch, seconds_on_driver: float
) -> None:
    victim, *rest = sorted(live_files(spark, table))

    def listed_then_cleaned(location: Location) -> TableSnapshot:
        listing = list_table(location)
        (table / victim).unlink(missing_ok=True)
        return listing

    monkeypatch.setattr(indexed_table, "list_table", listed_then_cleaned)
    IndexCreator(spark, seconds_on_driver=seconds_on_driver).build(table)
    assert set(StatisticsIndex.open(table).files()) == set(rest)


def test_a_file_without_any_indexed_column_is_known_and_not_read_again(
    spark: SparkSession, table: Path
) -> None:
    nothing = IndexCreator(spark, IndexOptions({"*": "none"}))
    built = nothing.build(str(table))
    assert (built.records, built.files_added) == (0, built.files)
    assert set(StatisticsIndex.open(table).files()) == live_files(spark, table)
    assert not nothing.update(str(table)).published


@pytest.mark.parametrize("what", [pytest.param("data-*", marks=pytest.mark.full), manifest_name(1)])
def test_a_damaged_index_is_healed_by_an_update(spark: SparkSession, table: Path, what: str) -> None:
    (victim,) = LocalStorage(table).folder.glob(what)
    content = bytearray(victim.read_bytes())
    content[len(content) // 3] ^= 1
    victim.write_bytes(bytes(content))
    update = IndexCreator(spark).update(table)
    assert (update.generation, update.files_added) == (2, update.files)
    check_index(spark, table, COLUMNS)


def test_verification_finds_rows_that_are_not_true(spark: SparkSession, table: Path) -> None:
    index = StatisticsIndex.open(table)
    bigint = HiveType("bigint")
    # In which order files come is chance; 30 is above the least value of the first in this one.
    true, other, *_ = sorted(records_in_force(index, ["id"]), key=lambda record: record.lower or b"")
    false = [
        replace(true, lower=encode_value(bigint, 30)),
        replace(other, null_count=7, upper=encode_value(bigint, 10**6)),
        replace(true, column="ghost"),
        replace(true, column="i", file_size=true.file_size + 1, lower=encode_value(bigint, 30)),
    ]
    # The file of another size has to be in a data file of its own, and must not be the last word on the size.
    _publish(table, false[3:])
    _publish(table, false[:3])
    found = verify(table)
    assert {(finding.column, finding.path, finding.problem) for finding in found.findings} == {
        ("id", true.path, "lower bound above a value"),
        ("id", other.path, "null count differs"),
        ("ghost", true.path, "the file has no statistics for the column"),
    }, "a bound that is too wide is true, and a row for a file of another size is not used"
    assert (found.wrong, found.sound) == (3, False)
    assert verify(table, SparkCluster(spark, 0)) == found, "executors find the same"


def test_a_build_that_updates_overtake_and_fold_leaves_no_old_row_and_no_file_without_rows(
    spark: SparkSession, table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Overtaken(IndexPublisher):
        """Just before it publishes, others do, so often that they fold what it is to replace."""

        def replace(self, delta: Delta, superfluous: frozenset[str]) -> Manifest:
            monkeypatch.setattr(indexer, "IndexPublisher", IndexPublisher)
            write(frame(spark, range(7000, 7010)), table, options("t", "insert", True))
            IndexCreator(spark).update(table)
            for _ in range(MAX_DATA_FILES):
                _publish(table, [])
            return super().replace(delta, superfluous)

    true = records_in_force(StatisticsIndex.open(table), ["id"])[0]
    _publish(table, [replace(true, column="ghost")])
    monkeypatch.setattr(indexer, "IndexPublisher", Overtaken)
    built = IndexCreator(spark).build(table)
    assert "ghost" not in StatisticsIndex.open(table).columns()
    assert (status(spark, table).up_to_date, built.files) == (True, len(live_files(spark, table)))
    check_index(spark, table, COLUMNS)


def test_bloom_filters_and_value_sets_of_hudi_files_deny_no_value(spark: SparkSession, table: Path) -> None:
    IndexCreator(spark, IndexOptions({"*": "range,bloom(fpp=0.05),values(max=50)", "s": "none"})).build(
        str(table)
    )
    found = check_index(spark, table, [column for column in COLUMNS if column != "s"])
    for column, by_file in found.items():
        for name, entry in by_file.items():
            assert entry.statistics.contents.keys() == {"bloom", "values"}, f"{column} of {name}"
    assert "s" not in StatisticsIndex.open(table).columns()
    assert all(not all_values(entry.statistics) for entry in found["nothing"].values())
    verification = verify(table)
    assert verification.sound
    assert verification.records == len(records_in_force(StatisticsIndex.open(table)))


def test_an_update_goes_by_the_kinds_that_the_index_had_last(spark: SparkSession, table: Path) -> None:
    IndexCreator(spark, IndexOptions({"id": "values", "s": "none"})).build(str(table))
    before = live_files(spark, table)
    write(frame(spark, range(5000, 5010)), table, options("t", "insert", True))
    assert IndexCreator(spark).update(table).published
    index = StatisticsIndex.open(table)
    with_values = {record.path for record in records_in_force(index, ["id"], ["values"])}
    assert with_values >= live_files(spark, table) - before
    assert "s" not in index.columns()
    assert IndexCreator(spark, IndexOptions({"*": "range"})).update(str(table)).published, "other kinds"
    assert not IndexCreator(spark, IndexOptions({"*": "range"})).update(str(table)).published
    assert StatisticsIndex.open(table).manifest.kinds == {"*": ["range"]}


def test_an_update_of_kinds_that_are_not_installed_says_how_to_go_on(
    spark: SparkSession, table: Path
) -> None:
    manifest = StatisticsIndex.open(table).manifest
    kinds = {"id": ["range", "ndv"], "s": ["bloom"]}
    unknown = Delta((), "t", manifest.instant, manifest.live, frozenset(), base_generation=None, kinds=kinds)
    IndexPublisher(LocalStorage(table)).add(unknown)
    said = rf"has id range, ndv; s bloom, but .*'ndv'.* hudi-skip index build {table} --index COLUMN=KIND,…$"
    for each in (IndexCreator(spark), IndexCreator(spark, IndexOptions({"i": "bloom"}), adds=True)):
        with pytest.raises(IndexOptionsError, match=said):
            each.update(table)
    assert status(spark, table).generation == manifest.generation + 1
    assert verify(table).sound, "records are read as before"
    chosen = IndexCreator(spark, IndexOptions({"s": "bloom"})).build(table)
    assert chosen.no_longer_kept == {"id": ["ndv"]}
    assert not IndexCreator(spark).update(table).published


def test_verification_finds_a_filter_and_a_set_that_deny_a_value(
    spark: SparkSession, table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    IndexCreator(spark, IndexOptions({"id": "bloom,values"})).build(str(table))
    index = StatisticsIndex.open(table)
    bloom, *_ = records_in_force(index, ["id"], ["bloom"])
    values, *_ = records_in_force(index, ["id"], ["values"])
    lies = [replace(bloom, content=BloomFilter.of([], 0.01).data), replace(values, content=b"")]
    _publish(table, lies)
    found = verify(table)
    assert {(finding.path, finding.problem) for finding in found.findings} == {
        (record.path, "the record rules out a value that the file has") for record in lies
    }
    assert found.wrong == 2
    monkeypatch.setattr(verification, "_BYTES", 1)
    assert verify(table) == verify(table, SparkCluster(spark, 0)) == found, "whatever the parts"


@pytest.mark.full
def test_verification_of_a_damaged_index_says_so(spark: SparkSession, table: Path) -> None:
    shutil.rmtree(LocalStorage(table).folder)
    with pytest.raises(IndexMissingError, match="hudi-skip index build"):
        verify(table)


def test_a_table_that_is_not_there_and_tables_that_are_not_supported(
    spark: SparkSession, tmp_path: Path
) -> None:
    with pytest.raises(NotAHudiTableError, match="not the root of a Hudi table"):
        IndexCreator(spark).build(str(tmp_path))
    path = tmp_path / "t"
    write(frame(spark, range(3)), path, options("t", "bulk_insert", False))
    (path / ".hoodie" / ".hoodie.properties.crc").unlink()
    with (path / ".hoodie" / "hoodie.properties").open("a") as properties:
        properties.write("hoodie.table.base.file.format=ORC\n")
    with pytest.raises(UnsupportedTableError, match="has or allows others \\(ORC\\)"):
        IndexCreator(spark).build(path)


def test_when_only_the_index_fails_the_write_stands_and_a_warning_says_so(
    spark: SparkSession, table: Path
) -> None:
    folder = LocalStorage(table).folder
    shutil.rmtree(folder)
    folder.write_text("in the way of the index directory")
    with pytest.warns(IndexUpdateWarning, match=f"hudi-skip index update {table}"):
        result = write_indexed(frame(spark, range(500, 510)), str(table), options("t", "upsert", True))
    assert result.index is None and result.index_failure
    assert "\n" not in result.index_failure
    assert spark.read.format("hudi").load(str(table)).where("id >= 500").count() == 10
    folder.unlink()
    IndexCreator(spark).update(table)
    check_index(spark, table, COLUMNS)


def _publish(table: Path, records: list[HoodieMetadataRecord]) -> None:
    """Adds a data file with these records, or with one that the index has, as an update does."""
    index = StatisticsIndex.open(table)
    storage = LocalStorage(table)
    data_files = write_records(storage, records or records_in_force(index, ["id"])[:1])
    manifest = index.manifest
    delta = Delta(data_files, "t", manifest.instant, manifest.live, frozenset(), base_generation=None)
    IndexPublisher(storage).add(delta)


def test_without_a_stores_file_system_the_packages_that_bring_it_are_named(spark: SparkSession) -> None:
    packages = "org.apache.hadoop:hadoop-aws:3.3.4,com.amazonaws:aws-java-sdk-bundle:1.12.262"
    with pytest.raises(SparkUnavailableError, match="no file system for s3a://lake/orders") as failed:
        IndexCreator(spark).build("s3a://lake/orders")
    assert f"--packages {packages}" in str(failed.value)
