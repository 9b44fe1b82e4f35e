"""Writes rows as a Hudi table of equally long files in their order, with its index, without Spark."""

import json
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from pycompiler.index.collect.table_columns import UNKNOWN_TABLE
from pycompiler.index.file_systems.local import LocalStorage
from pycompiler.index.file_systems.location import Location
from pycompiler.index.manifest import LiveTotals
from pycompiler.index.options import IndexOptions
from pycompiler.index.publisher import Delta, IndexPublisher
from pycompiler.index.records import WriteStatus
from pycompiler.indexing.cluster import FilesToRead
from pycompiler.indexing.collecting import write_here
from pycompiler.table.changes import seen_timeline
from pycompiler.table.timeline import Timeline

from ..data.linked_table import begin

_INSTANT: Final = "20260101000000001"


def write(root: Path, rows: pa.Table, files: int, key: str) -> Location:
    """Writes a table of one commit.

    Args:
        root: Its root, not there yet, whose name is the table's.
        rows: Its rows, in the order in which they are divided into files.
        files: Number of files.
        key: The record key columns.
    """
    begin(root, key)
    ends = np.linspace(0, rows.num_rows, files + 1).astype(int).tolist()
    statuses = []
    for number, (start, end) in enumerate(zip(ends, ends[1:], strict=False)):
        group = f"{number:08x}-0000-4000-8000-000000000000-0"
        path = root / f"{group}_0-1-0_{_INSTANT}.parquet"
        pq.write_table(rows.slice(start, end - start), path)
        statuses.append(WriteStatus("", group, str(path), path.stat().st_size, _INSTANT))
    stats: list[dict[str, Any]] = [
        {"fileId": each.file_id, "path": each.file_name, "prevCommit": "null", "fileSizeInBytes": each.size}
        for each in statuses
    ]
    commit = {"partitionToWriteStats": {"": stats}, "compacted": False, "extraMetadata": {}}
    (root / ".hoodie" / f"{_INSTANT}.commit").write_text(json.dumps(commit))
    table = Location.parse(str(root))
    _index(table, statuses)
    return table


def _index(table: Location, statuses: list[WriteStatus]) -> None:
    options = IndexOptions()
    written = write_here(FilesToRead(str(table), UNKNOWN_TABLE, options, statuses), lambda _: None)
    size = sum(each.size for each in statuses)
    delta = Delta(
        written.data_files,
        str(table).rpartition("/")[2],
        _INSTANT,
        LiveTotals(len(statuses), written.rows, size),
        None,
        None,
        options.document(),
        timeline=seen_timeline(Timeline.of(table)),
    )
    IndexPublisher(LocalStorage(Path(str(table)))).add(delta)
