"""Checks that hold a table's files, columns and index, as found without Hudi, against Hudi's own view."""

from pathlib import Path

from pyspark.sql import SparkSession

from pycompiler.index.collect.table_columns import TableColumns
from pycompiler.index.file_systems.location import Location
from pycompiler.index.index import StatisticsIndex
from pycompiler.indexing.indexer import Indexer
from pycompiler.indexing.table import IndexedTable
from pycompiler.spark.cluster import SparkCluster
from pycompiler.spark.hudi_table import HudiTable
from pycompiler.spark.index_creator import IndexCreator
from pycompiler.table.errors import UnknownFilesError
from pycompiler.table.files import TableSlices, table_slices
from pycompiler.table.index_status import status_by_timeline
from pycompiler.table.listing import list_table
from pycompiler.table.timeline import Timeline
from tests.records import records_in_force

from .tables import status


def check_view(spark: SparkSession, path: Path, history: object) -> None:
    """Holds listing, columns and partitions against Hudi's; a listing may be left to it."""
    hudi = HudiTable(spark, path)
    table = IndexedTable(str(path))
    assert table.root == hudi.root
    of_hudi = TableColumns(table.path_columns, hudi.schema())
    assert table.columns_of_files.names == of_hudi.names, history
    assert table.columns_of_files.units == of_hudi.units, history
    try:
        ours = list_table(Location.parse(str(path)))
    except UnknownFilesError as error:
        # Any release but the first may count logs of earlier slices among the latest.
        assert "may belong to another file slice than the latest" in str(error), history
        assert table.properties.version == 6, history
        return
    theirs = hudi.snapshot()
    assert set(ours.files) == set(theirs.files), history
    assert len(ours.files) == len(set(ours.files)) > 0, history
    assert (ours.instant, ours.seen) == (theirs.instant, theirs.seen), history


def check_files_by_index(spark: SparkSession, path: Path, history: object) -> TableSlices:
    """Holds the files by index and timeline, and what `index status` says, against Hudi's view.

    Returns the files; if they are not complete, they were not compared.
    """
    index, location = StatisticsIndex.open(path), Location.parse(str(path))
    found = table_slices(location, Timeline.of(location), index.files().values(), index.manifest.instant)
    if not found.complete:
        return found
    listed = {file.relative_path: file.size for file in HudiTable(spark, path).snapshot().files}
    files = [file for file_slice in found.slices for file in file_slice.files]
    assert {file.path: file.size for file in files} == listed, history
    known = {name: file.size for name, file in index.files().items()}
    for file in files:
        assert file.indexed == (known.get(file.path) == file.size), history
    assert status_by_timeline(index, location) == status(spark, path), history
    return found


def check_index(spark: SparkSession, path: Path, history: object) -> None:
    """Builds the index in this process and on the executors, and holds one against the other."""
    found = []
    for build in (
        Indexer(SparkCluster(spark, most_seconds=60)).build,
        IndexCreator(spark, seconds_on_driver=0).build,
    ):
        build(path)
        index = StatisticsIndex.open(path)
        manifest = index.manifest
        records = sorted(map(repr, records_in_force(index)))
        found.append((records, index.live_files(), manifest.live, manifest.timeline, manifest.instant))
    assert found[0] == found[1], history
    assert found[0][0], history
