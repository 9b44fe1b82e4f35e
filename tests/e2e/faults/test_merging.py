"""Merging fails: the query fails with it, and whatever the server does next is right."""

import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from ..harness.engines import MODES
from ..harness.lake import Lake
from ..harness.session import QueryFailed, Session
from ..merging.cases import Writer

Damage = Callable[[Path, Path], AbstractContextManager[dict[str, str]]]
"""Takes a table and an unused path; returns settings for the session."""


@contextmanager
def _damaged_records(path: Path, _: Path) -> Iterator[dict[str, str]]:
    """Records in the middle of a log block become bytes that no record has."""
    log = max(path.glob("east/.*.log.*"), key=lambda file: file.stat().st_size)
    content = bytearray(log.read_bytes())
    middle = len(content) * 3 // 4
    content[middle : middle + 200] = b"\xff" * 200
    log.write_bytes(bytes(content))
    for checksum in path.glob("east/..*.crc"):
        checksum.unlink()
    yield {}


@contextmanager
def _nowhere_to_spill(_: Path, free: Path) -> Iterator[dict[str, str]]:
    """What does not fit into memory would go to a folder that cannot be made."""
    free.write_text("a file")
    yield _spilling_to(free / "folder")


@contextmanager
def _full_disk(_: Path, free: Path) -> Iterator[dict[str, str]]:
    """What does not fit into memory goes to a disk of one page, which is taken."""
    free.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=4k", "tmpfs", str(free)], capture_output=True, text=True
    )
    if mounted.returncode != 0:
        pytest.skip(f"no right to mount a small disk: {mounted.stderr.strip()}")
    (free / "file").write_bytes(bytes(4096))
    try:
        yield _spilling_to(free)
    finally:
        subprocess.run(["umount", "--lazy", str(free)], check=True)


def _spilling_to(folder: Path) -> dict[str, str]:
    return {"hoodie.memory.merge.max.size": "1", "hoodie.memory.spillable.map.path": str(folder)}


@pytest.mark.full
@pytest.mark.parametrize("engine", MODES)
@pytest.mark.parametrize(
    "damage", [_damaged_records, _nowhere_to_spill, _full_disk], ids=["records", "spilling", "full disk"]
)
def test_a_failure_reaches_the_client_and_leaves_nothing_behind(
    session: Session, lake: Lake, tmp_path: Path, damage: Damage, engine: str
) -> None:
    good, bad = (Writer(lake.spark, lake.fresh(name), {}) for name in ("good", "bad"))
    for table in (good, bad):
        table.base()
        table.write(table.rows([1, 2, 30], 2))
        table.write(table.rows(range(3, 20), 3))
    answer = lake.spark.read.format("hudi").load(str(good.path)).groupBy("grp").count().collect()
    expected = Counter(tuple(row) for row in answer)
    query = "select grp, count(*) from {table} group by grp"
    with (
        damage(bad.path, tmp_path / "used") as settings,
        session.table(good.path) as of_good,
        session.table(bad.path) as of_bad,
        session.settings(MODES[engine]),
    ):
        assert Counter(session.rows(query.format(table=of_good))) == expected
        for _ in range(2):
            with session.settings(settings), pytest.raises(QueryFailed):
                session.rows(f"select id, n, s from {of_bad} where n > 0")
            assert Counter(session.rows(query.format(table=of_good))) == expected, "after the failure"
