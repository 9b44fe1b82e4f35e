"""What a table's own properties and commits say about its columns."""

import json
from pathlib import Path

import pytest

from pycompiler.index.collect.partition_values import IN_FILES, PartitionColumns
from pycompiler.indexing.table import IndexedTable
from pycompiler.table.errors import NotAHudiTableError, UnknownFilesError, UnsupportedTableError

SCHEMA = {"type": "record", "name": "t", "fields": [{"name": "n", "type": ["null", "long"]}]}
DROPPED = {
    "hoodie.datasource.write.drop.partition.columns": "true",
    "hoodie.table.partition.fields": "day,region:simple",
    "hoodie.table.keygenerator.class": "org.apache.hudi.keygen.ComplexKeyGenerator",
    "hoodie.datasource.write.hive_style_partitioning": "true",
    "hoodie.datasource.write.partitionpath.urlencode": "false",
}


def table(folder: Path, **more: str) -> IndexedTable:
    """A table of version 6 with one commit."""
    properties = {"hoodie.table.name": "t", "hoodie.table.version": "6", **more}
    (folder / ".hoodie").mkdir(exist_ok=True)
    text = "".join(f"{name}={value}\n" for name, value in properties.items())
    (folder / ".hoodie" / "hoodie.properties").write_text(text)
    commit = {"extraMetadata": {"schema": json.dumps(SCHEMA)}}
    (folder / ".hoodie" / "20260101000000001.commit").write_text(json.dumps(commit))
    return IndexedTable(str(folder))


def test_hudis_columns_and_those_that_only_paths_have_are_columns(tmp_path: Path) -> None:
    found = table(tmp_path, **DROPPED)
    assert found.path_columns == PartitionColumns(("day", "region"), hive_style=True, url_encoded=False)
    assert found.columns_of_files.names >= {"n", "day", "region", "_hoodie_commit_time"}
    without = table(tmp_path, **{"hoodie.populate.meta.fields": "false"})
    assert without.columns_of_files.names == {"n"}


@pytest.mark.parametrize(
    "change",
    [
        {"hoodie.datasource.write.drop.partition.columns": "false"},
        {"hoodie.table.keygenerator.class": "org.apache.hudi.keygen.TimestampBasedKeyGenerator"},
        {"hoodie.datasource.write.hive_style_partitioning": ""},
        {"hoodie.datasource.write.slash.separated.date.partitioning": "true"},
        {"hoodie.table.partition.fields": "a.b"},
    ],
)
def test_paths_that_may_not_hold_the_values_are_not_used(tmp_path: Path, change: dict[str, str]) -> None:
    assert table(tmp_path, **{**DROPPED, **change}).path_columns == IN_FILES


def test_a_schema_that_no_commit_has_is_not_guessed_at(tmp_path: Path) -> None:
    found = table(tmp_path)
    (tmp_path / ".hoodie" / "20260101000000001.commit").write_text("{}")
    with pytest.raises(UnknownFilesError, match="no commit has the table's schema"):
        _ = found.columns_of_files


def test_tables_that_cannot_be_indexed_are_refused(tmp_path: Path) -> None:
    with pytest.raises(NotAHudiTableError):
        IndexedTable(str(tmp_path / "nothing"))
    with pytest.raises(UnsupportedTableError, match="bootstrapped"):
        table(tmp_path, **{"hoodie.bootstrap.base.path": "/old"})
    with pytest.raises(UnsupportedTableError, match=r"has or allows others \(ORC\)"):
        table(tmp_path, **{"hoodie.table.ro.file.format": "ORC"})
