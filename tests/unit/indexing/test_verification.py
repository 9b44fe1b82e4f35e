"""An index is compared with its files, part by part; tests with Spark say what is found of a row."""

from collections.abc import Collection, Mapping
from pathlib import Path

import pytest

from pycompiler.index.collect.footer import values_of
from pycompiler.index.collect.pages import PageValues
from pycompiler.index.collect.table_columns import TableColumns
from pycompiler.index.options import IndexOptions
from pycompiler.index.records import WriteStatus
from pycompiler.indexing import collecting, verification
from pycompiler.indexing.indexer import Indexer
from pycompiler.indexing.verification import Verification, verify
from pycompiler.table.listing import TableSnapshot

from ..table.simulated_table import PARTITIONS, SimulatedTable

pytestmark = pytest.mark.slow

FILES = 90
ROWS = 4
"""A range and a Bloom filter of two columns."""


@pytest.fixture
def table(tmp_path: Path) -> SimulatedTable:
    """With an index of ranges and Bloom filters."""
    table = SimulatedTable(tmp_path / "t", 8)
    table.commit(new=FILES)
    for partition in PARTITIONS:
        (table.root / partition / ".hoodie_partition_metadata").write_text("partitionDepth=1\n")
    Indexer(options=IndexOptions({"*": "bloom"})).build(table.root)
    return table


def _verified(table: SimulatedTable, processes: int = 1) -> tuple[Verification, list[tuple[int, int]]]:
    told: list[tuple[int, int]] = []
    found = verify(table.root, progress=lambda *progress: told.append(progress), processes=processes)
    return found, told


def test_what_was_indexed_is_true(table: SimulatedTable) -> None:
    found, told = _verified(table)
    assert found.sound and found.records == ROWS * FILES
    assert (found.files_gone, found.files_resized, found.files_missing) == (0, 0, 0)
    assert told[-1] == (FILES, FILES)


def test_neither_the_size_of_parts_nor_processes_matter(
    table: SimulatedTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, _ = _verified(table)
    monkeypatch.setattr(verification, "_BYTES", 10_000)
    assert _verified(table)[0] == whole
    monkeypatch.setattr(collecting, "_SECONDS_OF_ONE_PROCESS", 0)
    assert _verified(table, processes=2)[0] == whole


def test_files_that_are_cleaned_meanwhile_are_left_out(
    table: SimulatedTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    listing = table.listing()

    def listed(*_: object) -> TableSnapshot:
        Path(listing.files[3].path).unlink()
        return listing

    monkeypatch.setattr(verification, "listed", listed)
    found, told = _verified(table)
    assert found.sound and found.records == ROWS * (FILES - 1)
    assert told[-1] == (FILES, FILES)


def test_a_file_that_is_cleaned_between_footer_and_pages_is_left_out(
    table: SimulatedTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = table.listing().files[3].path

    def read(
        status: WriteStatus, subjects: Collection[str], columns: TableColumns
    ) -> Mapping[str, PageValues]:
        if status.path == gone:
            raise FileNotFoundError(gone)
        return values_of(status, subjects, columns)

    monkeypatch.setattr(verification, "values_of", read)
    assert _verified(table)[0].records == ROWS * (FILES - 1)


def test_an_index_of_a_table_without_files_is_true(table: SimulatedTable) -> None:
    table.commit(replaced=table.live().keys())
    found, told = _verified(table)
    assert (found.sound, found.records, found.files_gone, told) == (True, 0, FILES, [])
