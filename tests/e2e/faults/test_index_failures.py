"""A missing, old or damaged index: the answer is right and the log says why nothing was skipped."""

import json
import os
import shutil
import zlib
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from pycompiler.tools.cli.main import app

from ..harness.check import Checker
from ..harness.engines import TEZ
from ..harness.lake import INDEX_DIRECTORY, UPSERT, Lake
from ..tables import CUSTOMERS, Row

TOTAL = len(CUSTOMERS.files)


def _query(name: str) -> str:
    return f"select cust from {name} where segment = 'segment4'"


REFERENCE = _query("customers")


def _only(pattern: str, path: Path) -> Path:
    found = sorted((path / INDEX_DIRECTORY).glob(pattern))
    assert found, f"no {pattern} in the index"
    return found[-1]


def _data(path: Path) -> Path:
    return _only("data-*.parquet", path)


def _manifest(path: Path) -> Path:
    return _only("manifest-*.json", path)


def _flip(file: Path, offset: int) -> None:
    content = bytearray(file.read_bytes())
    content[offset] ^= 0x10
    file.write_bytes(bytes(content))


def _truncate(file: Path, numerator: int, denominator: int) -> None:
    content = file.read_bytes()
    file.write_bytes(content[: len(content) * numerator // denominator])


def _newer_format(path: Path) -> None:
    line = json.loads(_manifest(path).read_text(encoding="utf-8").splitlines()[0])
    text = json.dumps({**line, "format_version": 99})
    _manifest(path).write_text(f"{text}\n{zlib.crc32(text.encode()):08x}\n", encoding="utf-8")


def _middle_of_row_group(path: Path) -> int:
    line = json.loads(_manifest(path).read_text(encoding="utf-8").splitlines()[0])
    group = line["data_files"][-1]["row_groups"][0]
    return int(group["offset"]) + int(group["length"]) // 2


def _empty(path: Path) -> None:
    shutil.rmtree(path / INDEX_DIRECTORY)
    (path / INDEX_DIRECTORY).mkdir()


DAMAGES: dict[str, Callable[[Path], None]] = {
    "no index": lambda path: shutil.rmtree(path / INDEX_DIRECTORY),
    "an empty index directory": _empty,
    "no data file": lambda path: os.remove(_data(path)),
    "an empty data file": lambda path: _truncate(_data(path), 0, 1),
    "a truncated data file": lambda path: _truncate(_data(path), 1, 2),
    "a flipped bit in a row group": lambda path: _flip(_data(path), _middle_of_row_group(path)),
    "a truncated manifest": lambda path: _truncate(_manifest(path), 2, 3),
    "an empty manifest": lambda path: _truncate(_manifest(path), 0, 1),
    "a flipped bit in the manifest": lambda path: _flip(_manifest(path), _manifest(path).stat().st_size // 2),
    "a flipped bit in the manifest's checksum": lambda path: _flip(
        _manifest(path), _manifest(path).stat().st_size - 3
    ),
    "a manifest of a newer format": _newer_format,
}


@pytest.mark.selected(2)
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_index_costs_files_and_no_rows(check: Checker, lake: Lake, damage: str) -> None:
    damaged = lake.copy("customers")
    DAMAGES[damage](damaged)
    with check.session.table(damaged) as name:
        checked = check(_query(name), spark=REFERENCE)
        assert len(checked.rows) == 10
        checked.kept_all("")
        assert checked.scan.reason, f"the log should say why nothing was skipped: {checked.scan.line}"


@pytest.mark.selected(1)
@pytest.mark.parametrize(
    "damage",
    [
        "no data file",
        "an empty data file",
        "a truncated data file",
        "a flipped bit in a row group",
        "a flipped bit in the manifest",
    ],
)
def test_a_session_and_commands_name_the_remedy_for_a_damaged_index(
    check: Checker, lake: Lake, damage: str
) -> None:
    path = lake.copy("customers")
    lake.append(CUSTOMERS, path, (MORE,))  # without damage, the index is behind
    DAMAGES[damage](path)
    with check.session.table(path) as name, check.session.settings(TEZ):
        messages = check.session.messages(f"select count(*) from {name} where cust = 11")
    (told,) = (line.partition("hudi-skip: ")[2] for line in messages if "hudi-skip: " in line)
    assert "no file is skipped: " in told, told
    assert "rebuild the index with: hudi-skip index build" in told, told
    for command in (["index", "status", str(path)], ["explain", str(path), "--where", "cust = 11"]):
        run = CliRunner().invoke(app, command)
        assert run.exit_code == 1, run.output
        assert run.stderr.count("\n") == 1, run.stderr
        assert f"run: hudi-skip index build {path}" in run.stderr, run.stderr


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda data: _truncate(data, 999_999, 1_000_000), id="the last byte is missing"),
        pytest.param(lambda data: _flip(data, data.stat().st_size - 60), id="a flipped bit"),
    ],
)
def test_damage_of_the_footer_of_a_data_file_which_queries_do_not_read_costs_nothing(
    check: Checker, lake: Lake, damage: Callable[[Path], None]
) -> None:
    path = lake.copy("customers")
    damage(_data(path))
    with check.session.table(path) as name:
        check(_query(name), spark=REFERENCE).kept(1)


def test_an_index_removed_between_queries_loses_no_row_and_the_log_says_how_to_build_one(
    check: Checker, lake: Lake
) -> None:
    path = lake.copy("customers")
    with check.session.table(path) as name:
        check(_query(name), spark=REFERENCE).kept(1)
        shutil.rmtree(path / INDEX_DIRECTORY)
        check(_query(name), spark=REFERENCE).kept_all("hudi-skip index build")


MORE: tuple[Row, ...] = tuple(
    {"cust": 1000 + r, "name": f"new-{r}", "segment": "segment4"} for r in range(10)
)


def test_files_of_a_commit_after_the_index_are_kept_and_the_others_pruned(check: Checker, lake: Lake) -> None:
    path = lake.copy("customers")
    lake.append(
        CUSTOMERS,
        path,
        (MORE, tuple({**row, "cust": row["cust"] + 50, "segment": "segmentX"} for row in MORE)),
    )
    with check.session.table(path) as name:
        checked = check(_query(name), spark=False)
        assert sorted(checked.column()) == [*range(40, 50), *range(1000, 1010)]
        assert checked.scan.files == TOTAL + 2
        checked.kept(3)
        lake.update_index(path)
        updated = check(_query(name), spark=False).kept(2)
        assert sorted(updated.column()) == sorted(checked.column())


def test_updated_files_have_no_row_in_an_older_index(check: Checker, lake: Lake) -> None:
    path = lake.copy("customers")
    # The row that moves into segment4 is in a file whose old statistics say segment1.
    moved = ({"cust": 11, "name": "moved", "segment": "segment4"},)
    lake.append(CUSTOMERS, path, (moved,), UPSERT)
    with check.session.table(path) as name:
        checked = check(_query(name), spark=False)
        assert sorted(checked.column()) == [11, *range(40, 50)]
        checked.kept(2)


def test_a_file_rewritten_with_another_size_is_kept(check: Checker, lake: Lake) -> None:
    # Without Hudi's metadata table the listing shows the size that the file really has.
    path = lake.write_unindexed(CUSTOMERS, lake.fresh("rewritten"), {"hoodie.metadata.enable": "false"})
    lake.build_index(path)
    with check.session.table(path) as name:
        check(_query(name), spark=False).kept(1)
        file = next(
            file
            for file in path.glob("*.parquet")
            if 11 in pq.read_table(file, columns=["cust"])["cust"].to_pylist()
        )
        rows = pq.read_table(file)
        column = rows.schema.get_field_index("segment")
        (path / f".{file.name}.crc").unlink()
        renamed = pa.array(["segment4 is here as well"] * rows.num_rows)
        pq.write_table(rows.set_column(column, rows.schema.field(column), renamed), file)
        checked = check(
            f"select cust from {name} where segment >= 'segment4' and segment < 'segment5'",
            # With the index, files that are not read are not checked: Hudi never reuses a file name.
            {"hudi.skipping.listing": "files"},
            spark=False,
        )
        assert sorted(checked.column()) == [*range(10, 20), *range(40, 50)]
        checked.kept(2)
