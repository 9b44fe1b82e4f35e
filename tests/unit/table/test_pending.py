"""Which writes under way are waited for: those that may yet bring rows."""

import io
from collections.abc import Mapping
from pathlib import Path

import fastavro
import pytest

from pycompiler.index.file_systems.location import Location
from pycompiler.table.commit_times import oldest_pending_write
from pycompiler.table.timeline import Timeline

DONE, LATE, LATER, LAST = "20260101000000000", "20260102000000000", "20260103000000000", "20260104000000000"
CLUSTER, OVERWRITE = ({"operationType": kind} for kind in ("CLUSTER", "INSERT_OVERWRITE"))


def avro(document: Mapping[str, str | list[str]]) -> bytes:
    """An Avro file with one document, as Hudi writes plans and what rollbacks have done."""
    texts = {"type": "array", "items": "string"}
    fields = [
        {"name": name, "type": texts if isinstance(value, list) else "string"}
        for name, value in document.items()
    ]
    file = io.BytesIO()
    fastavro.writer(file, {"type": "record", "name": "document", "fields": fields}, [document])
    return file.getvalue()


def waited_for(path: Path, version: int, files: dict[str, bytes]) -> str | None:
    """The instant that is waited for in a table with these files on its timeline and one completed commit."""
    folder = path / ".hoodie" / ("timeline" if version == 8 else "")
    folder.mkdir(parents=True)
    properties = f"hoodie.table.version={version}\nhoodie.table.type=MERGE_ON_READ\n"
    (path / ".hoodie" / "hoodie.properties").write_text(properties)
    completion = f"_{DONE}" if version == 8 else ""
    for name, content in {f"{DONE}{completion}.deltacommit": b"{}", **files}.items():
        (folder / name).write_bytes(content)
    oldest = oldest_pending_write(Timeline.of(Location.parse(str(path))))
    return None if oldest is None else oldest.instant


@pytest.mark.parametrize("version", [6, 8])
@pytest.mark.parametrize(
    "names",
    [
        ["deltacommit.requested"],
        ["deltacommit.requested", "deltacommit.inflight"],
        ["commit.requested", "inflight"],
        ["replacecommit.requested", "replacecommit.inflight"],
        ["somethingnew.requested"],
    ],
)
def test_a_write_is_pending_from_its_request_on(tmp_path: Path, version: int, names: list[str]) -> None:
    files = {f"{LATE}.{name}": b"" for name in names} | {f"{LATER}.deltacommit.requested": b""}
    assert waited_for(tmp_path, version, files) == LATE


@pytest.mark.parametrize(
    "name",
    [
        *("compaction.requested", "compaction.inflight", "logcompaction.requested", "clustering.requested"),
        *("clustering.inflight", "clean.inflight", "indexing.requested", "rollback.inflight"),
        "restore.inflight",
    ],
)
def test_actions_without_new_rows_are_not_pending_writes(tmp_path: Path, name: str) -> None:
    assert waited_for(tmp_path, 8, {f"{LATE}.{name}": b""}) is None


@pytest.mark.parametrize(
    ("plan", "expected"),
    [(avro(CLUSTER), None), (avro(OVERWRITE), LATE), (b"", LATE), (b"Obj\x01 torn", LATE)],
    ids=["clustering", "overwrite", "no plan", "torn"],
)
def test_a_pending_replacement_is_a_write_unless_it_is_a_clustering(
    tmp_path: Path, plan: bytes, expected: str | None
) -> None:
    files = {f"{LATE}.replacecommit.requested": plan, f"{LATE}.replacecommit.inflight": b""}
    assert waited_for(tmp_path, 6, files) == expected


@pytest.mark.parametrize("kind", ["rollback", "restore"])
@pytest.mark.parametrize("version", [6, 8])
def test_a_write_is_pending_until_its_rollback_completes(tmp_path: Path, version: int, kind: str) -> None:
    pending = {f"{LATE}.deltacommit.requested": b"", f"{LATE}.deltacommit.inflight": b""}
    under_way = {f"{LATER}.{kind}.requested": b"", f"{LATER}.{kind}.inflight": b""}
    assert waited_for(tmp_path / "under_way", version, pending | under_way) == LATE
    key = "commitsRollback" if kind == "rollback" else "instantsToRollback"
    done = f"{LATER}_{LAST}.{kind}" if version == 8 else f"{LATER}.{kind}"
    assert waited_for(tmp_path / "done", version, pending | under_way | {done: avro({key: [LATE]})}) is None
    others = {done: avro({key: [DONE]})}
    assert waited_for(tmp_path / "of_others", version, pending | others) == LATE, "another one was taken back"


@pytest.mark.parametrize("version", [6, 8])
def test_a_completed_action_is_not_pending(tmp_path: Path, version: int) -> None:
    completion = f"_{LAST}" if version == 8 else ""
    names = ("compaction.requested", "compaction.inflight", "deltacommit.inflight", "replacecommit.requested")
    files = {f"{LATE}.{name}": b"" for name in names} | {f"{LATE}{completion}.commit": b"{}"}
    assert waited_for(tmp_path, version, files) is None
