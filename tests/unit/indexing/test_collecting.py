"""Several processes read what one reads."""

from pathlib import Path

import pytest

from pycompiler.index.collect.table_columns import UNKNOWN_TABLE
from pycompiler.index.options import IndexOptions
from pycompiler.index.records import WriteStatus
from pycompiler.indexing import collecting
from pycompiler.indexing.cluster import FilesToRead
from pycompiler.indexing.collecting import write_here

from ..table.simulated_table import SimulatedTable

pytestmark = pytest.mark.slow


def test_several_processes_write_the_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = SimulatedTable(tmp_path / "t", 8)
    table.commit(new=40)
    statuses = list(table.listing().files)
    gone = statuses[7].path
    Path(gone).unlink()
    statuses.append(WriteStatus("east", "x-0", f"{table.root}/east/.x-0_1.log.1_0-1-0", 3, "1"))
    Path(statuses[-1].path).write_bytes(b"???")
    written, told = [], []
    for seconds in (60, 0):
        monkeypatch.setattr(collecting, "_SECONDS_OF_ONE_PROCESS", seconds)
        counts: list[int] = []
        unread: list[tuple[str, str]] = []
        done = write_here(
            FilesToRead(str(table.root), UNKNOWN_TABLE, IndexOptions({"*": "range,bloom"}), statuses),
            counts.append,
            unread=lambda *found, to=unread: to.append(found),
            processes=2,
        )
        assert (done.files, sum(counts)) == (40, 41)
        (data_file,) = done.data_files
        written.append((table.root / ".hoodie" / ".skipping_index" / data_file.name).read_bytes())
        told.append(unread)
        assert len(counts) == 41, "files or, with parts of one file, parts"
    assert written[0] == written[1]
    assert told[0] == told[1] != []
