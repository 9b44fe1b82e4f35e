"""Which native tables are adopted, and what they read, judging by their metastore entries."""

import pytest

from pycompiler.tools.adopt.errors import AdoptError
from pycompiler.tools.adopt.hive_table import HiveTable, checked_name

SERDE = "org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe"
BASE_FILES = "org.apache.hudi.hadoop.HoodieParquetInputFormat"
MERGED = "org.apache.hudi.hadoop.realtime.HoodieParquetRealtimeInputFormat"


def table(
    input_format: str,
    serde_properties: dict[str, str] | None = None,
    properties: dict[str, str] | None = None,
) -> HiveTable:
    location = "file:/lake/t"
    return HiveTable(
        "lake.t",
        (),
        (),
        location,
        "EXTERNAL_TABLE",
        input_format,
        SERDE,
        serde_properties or {},
        properties or {},
    )


@pytest.mark.parametrize(
    ("input_format", "said", "expected"),
    [
        (BASE_FILES, "true", True),
        (BASE_FILES, "false", False),
        (BASE_FILES, None, True),  # Before hive-sync said so; on copy-on-write tables both mean the same.
        (MERGED, None, False),
        (MERGED, "true", False),  # Hive asks the input format.
        ("com.uber.hoodie.hadoop.HoodieInputFormat", None, True),
    ],
)
def test_logs_are_ignored_where_the_native_table_ignores_them(
    input_format: str, said: str | None, expected: bool
) -> None:
    serde_properties = {} if said is None else {"hoodie.query.as.ro.table": said}
    assert table(input_format, serde_properties).reads_base_files_only is expected


@pytest.mark.parametrize(
    "input_format",
    ["org.apache.hudi.hadoop.HoodieHFileInputFormat", "org.example.HoodieParquetInputFormat", ""],
)
def test_other_input_formats_are_refused_by_name(input_format: str) -> None:
    with pytest.raises(AdoptError, match=input_format or "none"):
        table(input_format).require_native_hudi()


def test_what_hive_and_hive_sync_keep_for_themselves_is_not_taken_over() -> None:
    properties = {
        "owner.team": "a",
        "comment": "b",
        "last_commit_time_sync": "1",
        "spark.sql.sources.provider": "hudi",
        "external.table.purge": "false",
        "numRows": "0",
    }
    assert table(BASE_FILES, properties=properties).own_properties() == {"owner.team": "a"}


@pytest.mark.parametrize("name", ["t", "a.b.c", "lake.", "lake.t; drop table x", "lake.`t`", ".t"])
def test_names_that_are_not_tables_are_refused(name: str) -> None:
    with pytest.raises(AdoptError, match="database.table"):
        checked_name(name)
