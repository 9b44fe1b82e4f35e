"""Footers that contradict themselves: their files get no statistics."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pycompiler.index.collect.footer import FooterReader, values_of
from pycompiler.index.log_files.errors import StatisticsUntrustedError
from pycompiler.index.options import IndexOptions
from pycompiler.index.records import FILES
from tests.footers import (
    COMPRESSED_SIZE,
    DATA_PAGE,
    MAXIMA,
    MINIMA,
    NULLS,
    ROWS,
    VALUES,
    Footer,
    put,
    rewrite,
)
from tests.records import records_of

from .samples import status

ROWS_OF_GROUP: Final = 10
NUMBER, TEXT, GAPS, FIELD, LIST = range(5)

Change = Callable[[Footer], object]


def _write(folder: Path) -> Path:
    """Two row groups of a number, a text, a column of NULLs, a struct and a list."""
    path = folder / "f.parquet"
    numbers = list(range(2 * ROWS_OF_GROUP))
    columns = {
        "i": [None if number % 5 == 0 else number - 8 for number in numbers],
        "s": [f"text {number:02}" for number in numbers],
        "gaps": pa.nulls(len(numbers), pa.int64()),
        "of": [{"x": number} for number in numbers],
        "list": [[number] * (number % 3) for number in numbers],
    }
    pq.write_table(pa.table(columns), path, row_group_size=ROWS_OF_GROUP)
    return path


def _swap_bounds(footer: Footer) -> None:
    statistics = footer.statistics(1, NUMBER)
    for least, greatest in zip(MINIMA, MAXIMA, strict=True):
        if least in statistics:
            statistics[least], statistics[greatest] = statistics[greatest], statistics[least]


def _bound_nulls(footer: Footer) -> None:
    known = footer.statistics(0, NUMBER)
    footer.statistics(0, GAPS).update({number: known[number] for number in (*MINIMA, *MAXIMA)})


def _fewer_rows(footer: Footer) -> None:
    """As Hudi has left them: the footer and the row groups agree, and the column chunks do not."""
    for group in footer.groups:
        put(group, ROWS, 1)
    put(footer.fields, ROWS, 2)


DAMAGES: Final[dict[str, tuple[Change, str]]] = {
    "rows of the file": (lambda f: put(f.fields, ROWS, 19), "the file has 19 rows, and its row groups 20"),
    "a row group is missing": (lambda f: f.groups.pop(), "the file has 20 rows, and its row groups 10"),
    "rows of the row groups": (_fewer_rows, "i in row group 0 has 10 values in 1 rows"),
    "negative rows": (lambda f: put(f.groups[0], ROWS, -1), "row group 0 has -1 rows"),
    "a row group without rows": (lambda f: put(f.groups[1], ROWS, 0), "has 10 values in 0 rows"),
    "more values": (lambda f: put(f.chunk(1, TEXT), VALUES, 11), "s in row group 1 has 11 values in 10 rows"),
    "fewer values": (lambda f: put(f.chunk(0, FIELD), VALUES, 9), "of.x in row group 0 has 9 values"),
    "fewer values of lists": (lambda f: put(f.chunk(0, LIST), VALUES, 9), "list.* has 9 values in 10 rows"),
    "more NULLs than values": (
        lambda f: put(f.statistics(0, NUMBER), NULLS, 11),
        "has 11 NULLs",
    ),
    "negative NULLs": (lambda f: put(f.statistics(0, TEXT), NULLS, -1), "has -1 NULLs in 10 values"),
    "bounds of NULLs": (_bound_nulls, "gaps in row group 0 has bounds, but only NULLs"),
    "a minimum above its maximum": (_swap_bounds, "i has a minimum above its maximum"),
    "a page outside of the file": (
        lambda f: put(f.chunk(0, NUMBER), DATA_PAGE, 1 << 40),
        "i in row group 0 has bytes",
    ),
    "a page in front of the file": (lambda f: put(f.chunk(0, LIST), DATA_PAGE, 0), "has bytes 0 to"),
    "a chunk longer than the file": (lambda f: put(f.chunk(1, TEXT), COMPRESSED_SIZE, 1 << 40), "has bytes"),
    "a negative length": (lambda f: put(f.chunk(1, TEXT), COMPRESSED_SIZE, -1), "has bytes"),
}
"""A change of one thing that a footer says twice, and what is said of it."""


def _collect(path: Path, kinds: str = "range") -> tuple[pa.Table, list[str]]:
    reasons: list[str] = []
    reader = FooterReader(
        IndexOptions({"*": kinds}), on_unreadable=lambda path, reason: reasons.append(reason)
    )
    reader.add(status(path))
    return reader.take(), reasons


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_footer_that_contradicts_itself_proves_nothing(tmp_path: Path, damage: str) -> None:
    path = _write(tmp_path)
    before, reasons = _collect(path, "bloom,values")
    assert len(records_of(before)) > 4 and not reasons, "the file is good until it is damaged"
    change, said = DAMAGES[damage]
    rewrite(path, change)
    after, (reason,) = _collect(path, "bloom,values")
    assert records_of(after) == [], "a file without records is always read"
    (file,) = after.filter(pc.equal(after["kind"], FILES)).to_pylist()
    assert file["value_count"] == 0, "0 stands for an unknown number of rows"
    assert file["file_size"] == path.stat().st_size, "the file is the table's, so listings must have it"
    assert reason.startswith("its footer contradicts itself: ")
    assert all(part in reason for part in said.split(".*")), reason


@pytest.mark.parametrize("rows", [0, 5])
def test_row_groups_without_rows_are_no_contradiction(tmp_path: Path, rows: int) -> None:
    empty = pa.schema([("i", pa.int32()), ("l", pa.list_(pa.int32())), ("s", pa.string())]).empty_table()
    full = pa.Table.from_pylist(
        [{"i": number, "l": [number], "s": "s"} for number in range(rows)], empty.schema
    )
    path = tmp_path / "f.parquet"
    with pq.ParquetWriter(path, empty.schema) as writer:
        writer.write_table(empty)
        writer.write_table(full)
    assert pq.read_metadata(path).num_row_groups > 0
    table, reasons = _collect(path, "bloom,values")
    assert not reasons and {record.column for record in records_of(table)} == {"i", "s"}


def test_without_the_check_a_column_with_values_would_be_all_null(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = _write(tmp_path)

    def change(footer: Footer) -> None:
        for group in footer.groups:
            put(group, ROWS, 2)  # as many as there are NULLs in all of them
        put(footer.fields, ROWS, 4)

    rewrite(path, change)
    monkeypatch.setattr("pycompiler.index.collect.footer.require_agreement", lambda metadata, size: None)
    number, *_ = (record for record in records_of(_collect(path)[0]) if record.column == "i")
    assert number.statistics().all_null, "this mutant would skip the file for IS NOT NULL"


def test_values_of_a_file_are_read_only_if_its_footer_is_consistent(tmp_path: Path) -> None:
    path = _write(tmp_path)
    assert values_of(status(path), ["i"])["i"].min_count == 16
    rewrite(path, _fewer_rows)
    with pytest.raises(StatisticsUntrustedError, match="10 values in 1 rows"):
        values_of(status(path), ["i"])


@pytest.mark.parametrize("missing", [MINIMA, MAXIMA])
def test_one_bound_alone_is_none(tmp_path: Path, missing: tuple[int, ...]) -> None:
    path = _write(tmp_path)

    def change(footer: Footer) -> None:
        for number in missing:
            footer.statistics(0, NUMBER).pop(number, None)

    rewrite(path, change)
    records = {record.column: record for record in records_of(_collect(path)[0])}
    assert (records["i"].lower, records["i"].upper) == (None, None)
    assert records["s"].lower is not None, "the other columns have theirs"


@given(data=st.data())
def test_no_count_of_a_footer_can_change_alone(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    path = _write(tmp_path_factory.mktemp("footers"))
    group = data.draw(st.integers(0, 1), "row group")
    column = data.draw(st.sampled_from([NUMBER, TEXT, GAPS, FIELD]), "column")
    where = data.draw(st.sampled_from(["file", "group", "chunk"]), "place")
    value = data.draw(st.integers(-(1 << 40), 1 << 40).filter(lambda n: n not in (10, 20)), "value")

    def change(footer: Footer) -> None:
        fields = {"file": footer.fields, "group": footer.groups[group], "chunk": footer.chunk(group, column)}
        put(fields[where], VALUES if where == "chunk" else ROWS, value)

    rewrite(path, change)
    table, reasons = _collect(path)
    assert not records_of(table) and len(reasons) == 1, f"{value} rows or values were believed"
