import pytest

from pycompiler.index.log_files.names import LogName

FILE_ID = "5f0a5c1e-7a2b-4b6f-9d0e-1c2d3e4f5a6b-0"


@pytest.mark.parametrize("rest", [".log.1_0-17-31", ".log.12", ".log.1_0-17-31.cdc"])
def test_a_name_has_the_file_group_and_the_instant(rest: str) -> None:
    found = LogName.parse(f".{FILE_ID}_20260101000000001{rest}")
    assert found == LogName(FILE_ID, "20260101000000001", rest.endswith(".cdc"))


@pytest.mark.parametrize(
    "name",
    [
        f"{FILE_ID}_0-17-31_20260101000000001.parquet",
        f"{FILE_ID}_20260101000000001.log.1_0-17-31",
        f".{FILE_ID}_20260101000000001.archive.1_0-17-31",
        f".{FILE_ID}_20260101000000001.log.1_0-17-31.crc",
        ".hoodie_partition_metadata",
        ".commits_.archive.1_1-0-1",
    ],
)
def test_other_names_are_not_log_files(name: str) -> None:
    assert LogName.parse(name) is None
