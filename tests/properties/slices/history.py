"""Has Hudi write, change and maintain tables at random."""

import random
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from pycompiler.spark.index_creator import IndexCreator
from tests.drawing.tables import Row, Table, random_table
from tests.hudi_releases import release_of

from .layouts import IN_MEMORY, SIMPLE, Layout
from .records import ORDERING, STORED, frame

FIRST: Final = range(4)
"""Keys of each partition that the first commit writes."""

LATER: Final = range(4, 8)
ALL: Final = range(8)

_NEW_FILES: Final = {"hoodie.parquet.small.file.limit": "0"}
_AT_ONCE: Final = {"hoodie.compact.inline.max.delta.commits": "1"}
_OF_TWO_LOGS: Final = {
    # So that compaction leaves some logs.
    "hoodie.compaction.strategy": (
        "org.apache.hudi.table.action.compact.strategy.LogFileNumBasedCompactionStrategy"
    ),
    "hoodie.compaction.logfile.num.threshold": "2",
    **_AT_ONCE,
}
_CLUSTERING: Final = {"hoodie.clustering.inline": "true", "hoodie.clustering.inline.max.commits": "1"}
_LOG_COMPACTION: Final = {
    "hoodie.log.compaction.inline": "true",
    "hoodie.log.compaction.blocks.threshold": "1",
}


@dataclass(frozen=True, slots=True)
class Step:
    """A step in a table's history.

    Attributes:
        name: Name of the step.
        operation: Hudi's write operation.
        weight: How often it is drawn.
        most: Maximum share of the partitions that it writes to.
        options: Additional Hudi options.
        keys: Keys of a partition that it may write.
        replaces: Whether it rolls back or replaces files.
        finds_keys: Whether it has to find keys in all files.
        repeats: Whether it may write a key several times, and beside one that is there.
        needs_logs: Whether it requires a merge-on-read table.
    """

    name: str
    operation: str
    weight: int
    most: float = 0.8
    options: Mapping[str, str] = field(default_factory=dict)
    keys: range = FIRST
    replaces: bool = False
    finds_keys: bool = False
    repeats: bool = False
    needs_logs: bool = False


UPSERT: Final = Step("upsert", "upsert", 10)
LOG_COMPACTION: Final = Step("log compaction", "upsert", 2, 0.6, _LOG_COMPACTION, needs_logs=True)

STEPS: Final = (
    UPSERT,
    Step("upsert with new rows", "upsert", 3, keys=ALL),
    Step("delete", "delete", 3, 0.5, keys=ALL),
    Step("insert", "insert", 1, 0.3, keys=LATER),
    Step("insert into new files", "insert", 1, 0.3, _NEW_FILES, keys=LATER),
    Step("overwrite", "insert_overwrite", 1, 0.1, replaces=True),
    Step("delete partitions", "delete_partition", 1, 0.1, replaces=True),
    Step(
        "compaction",
        "upsert",
        2,
        0.4,
        {"hoodie.compact.inline": "true", **_OF_TWO_LOGS},
        needs_logs=True,
    ),
    Step(
        "scheduled compaction",
        "upsert",
        2,
        0.4,
        {"hoodie.compact.schedule.inline": "true", **_OF_TWO_LOGS},
        needs_logs=True,
    ),
    LOG_COMPACTION,
    Step("clustering", "upsert", 1, 0.2, _CLUSTERING, replaces=True, finds_keys=True),
)
"""Steps that any table may take."""

REPEATS: Final = (
    Step("insert again", "insert", 2, 0.4, keys=ALL, repeats=True),
    Step("insert again into new files", "bulk_insert", 2, 0.4, keys=ALL, finds_keys=True, repeats=True),
)

ROLLBACK: Final = Step("rollback", "upsert", 1, 0.5, replaces=True)
FAILURE: Final = Step("failed commit", "upsert", 1, 0.5, replaces=True)
RUN: Final = Step("planned compaction", "", 1)
PARTIAL: Final = Step("partial update", "", 3, 0.6, finds_keys=True)
SOFT_DELETE: Final = Step("soft delete", "upsert", 3, 0.5, keys=ALL)
RESTORE: Final = Step("restore", "upsert", 1, 0.5, replaces=True)
TWO_WRITERS: Final = Step(
    "two writers",
    "upsert",
    1,
    options={
        "hoodie.write.concurrency.mode": "optimistic_concurrency_control",
        "hoodie.write.lock.provider": "org.apache.hudi.client.transaction.lock.InProcessLockProvider",
        "hoodie.clean.failed.writes.policy": "LAZY",
    },
)

_SLOWLY: Final = "java_method('java.lang.Thread', 'sleep', 4000L) is null"

_DELETED: Final = "_hoodie_is_deleted"


class History:
    """A table and its history.

    Attributes:
        path: The table's root.
        layout: Its layout.
        has_failed: Whether the last commit failed and has not been rolled back.
        said: The steps so far.

    Args:
        spark: Spark session.
        path: The table's root.
        layout: Its layout.
        rng: Source of randomness.
        partitions: Number of partitions.
        steps: Maximum number of steps.
        types: Types of its columns.
        is_eventful: Whether steps may restore an earlier state or use two concurrent writers.
        repeats_keys: Whether inserts may write a key several times.
    """

    def __init__(
        self,
        spark: SparkSession,
        path: Path,
        layout: Layout,
        rng: random.Random,
        partitions: int,
        steps: int,
        *,
        types: Sequence[str] = STORED,
        is_eventful: bool = False,
        repeats_keys: bool = False,
    ) -> None:
        self._spark = spark
        self.layout = layout
        self._rng = rng
        self._partitions = partitions
        self._next = 0
        self._drawn = random_table(rng, partitions * (steps + 1), types)
        self._is_eventful = is_eventful
        self._repeats_keys = repeats_keys
        self.path = path
        self.has_failed = False
        self.said: list[str] = [layout.name]

    @property
    def table(self) -> Table:
        """The columns that predicates refer to, with all values written so far or later."""
        return self._drawn

    def begin(self) -> None:
        """Makes the first commit, which writes base files or only logs."""
        operation = self._rng.choice(("upsert", "insert", "bulk_insert"))
        ids = [partition * 100 + key for partition in range(self._partitions) for key in FIRST]
        if self._repeats_keys and operation != "upsert":
            ids += self._rng.sample(ids, len(ids) // 4)
        self._write(operation, ids, {})
        self.said.append(f"first {operation}")

    def index(self) -> None:
        """Updates the index."""
        update = IndexCreator(self._spark).update(str(self.path))
        because = update.listed_because
        self.said.append("index" if because is None else f"index ({because})")

    def step(self, step: Step | None = None) -> None:
        """Takes a step, at random if none is given."""
        step = step or self._draw()
        self.said.append(step.name)
        self.has_failed = step is FAILURE
        if step is RUN:
            self._call("run_compaction", op="run")
        elif step is PARTIAL:
            self._update_in_part(self._keys(step))
        elif step.operation == "delete_partition":
            count = max(1, int(self._partitions * step.most))
            gone = self._rng.sample(range(self._partitions), count)
            chosen = ",".join(map(self._name, gone))
            more = {"hoodie.datasource.write.partitions.to.delete": chosen}
            self._write(step.operation, [gone[0] * 100], more)
        elif step is RESTORE:
            self._restore(step)
        elif step is TWO_WRITERS:
            self._write_twice_at_once(step)
        else:
            self._write(step.operation, self._keys(step), step.options, is_deleted=step is SOFT_DELETE)
            if step is ROLLBACK:
                self._call("rollback_to_instant", instant_time=self._last_commit().name[:17])
            elif step is FAILURE:
                # As if the writer had died before its commit completed. The next writer rolls it back.
                self._last_commit().unlink()

    def _draw(self) -> Step:
        """Draws a step that the table can take."""
        layout = self.layout
        drawn = list(STEPS + REPEATS if self._repeats_keys else STEPS)
        if self._is_planned():
            # Hudi refuses to delete partitions with a pending compaction.
            drawn = [step for step in drawn if step.operation != "delete_partition"] + [RUN] * 3
        if layout.version >= 8:
            drawn.append(ROLLBACK)  # Hudi's procedure fails on earlier versions.
            if layout.takes_partial_updates:
                drawn.append(PARTIAL)
            if self._is_eventful:
                drawn.append(RESTORE)
        if not layout.has_metadata_table:
            drawn.append(FAILURE)
            if self._is_eventful and not self.has_failed:
                drawn.append(TWO_WRITERS)
        if layout.has_soft_deletes:
            drawn.append(SOFT_DELETE)
        if layout.orders_by_text:
            # Hudi can merge deletes with other records only if ordering values are numbers.
            drawn = [step for step in drawn if step.operation != "delete"]
        if release_of(self._spark).newest_version >= 9:
            # Hudi 1.2.0 may fail with a NullPointerException when it closes the new log.
            drawn = [step for step in drawn if step is not LOG_COMPACTION]
        if layout.is_on_write:
            drawn = [step for step in drawn if not step.needs_logs]
        if layout.index == IN_MEMORY:
            drawn = [step for step in drawn if not step.replaces]
        if layout.index != SIMPLE:
            drawn = [step for step in drawn if not step.finds_keys]
        return self._rng.choices(drawn, [step.weight for step in drawn])[0]

    def _keys(self, step: Step) -> list[int]:
        """Draws keys of some partitions."""
        share = self._rng.uniform(step.most / 2, step.most)
        chosen = [number for number in range(self._partitions) if self._rng.random() < share] or [0]
        return [number * 100 + key for number in chosen for key in self._keys_of_partition(step)]

    def _keys_of_partition(self, step: Step) -> list[int]:
        if step.repeats:
            return sorted(self._rng.choices(step.keys, k=3))
        return sorted(self._rng.sample(step.keys, self._rng.choice((1, 1, 2))))

    def _rows(self, keys: Sequence[int]) -> list[tuple[int, str, int, Row]]:
        """Draws new versions of rows; those of a partition are close together."""
        first = self._next * self._partitions
        self._next += 1
        files = self._drawn.files
        return [
            (
                key,
                self._name(key // 100),
                self._rng.randint(self._next - 2, self._next + 1),
                self._version(self._rng.choice(files[(first + key // 100) % len(files)])),
            )
            for key in keys
        ]

    def _version(self, row: Row) -> Row:
        """Returns the row; for half of the rows, NULLs are filled from the previous version."""
        if self.layout.is_whole:
            return row
        return {name: value if self._rng.random() < 0.5 else None for name, value in row.items()}

    def _write(
        self, operation: str, keys: Sequence[int], more: Mapping[str, str], *, is_deleted: bool = False
    ) -> None:
        self._save(self._frame(keys, is_deleted=is_deleted).coalesce(1), operation, more)

    def _save(self, rows: DataFrame, operation: str, more: Mapping[str, str]) -> None:
        options = {**self.layout.options, **more, "hoodie.datasource.write.operation": operation}
        rows.write.format("hudi").options(**options).mode("append").save(str(self.path))

    def _frame(self, keys: Sequence[int], *, is_deleted: bool = False) -> DataFrame:
        """Draws new versions of rows in this table's form."""
        rows = frame(self._spark, self._drawn, self._rows(keys))
        if self.layout.orders_by_text:
            rows = rows.withColumn(ORDERING.name, F.expr(f"lpad({ORDERING.name} + 10, 4, '0')"))
        if self.layout.has_soft_deletes:
            # The partition column stays last.
            rows = rows.selectExpr(*rows.columns[:-1], f"{str(is_deleted).lower()} as {_DELETED}", "part")
        return rows

    def _restore(self, step: Step) -> None:
        """Makes a savepoint, commits once or twice, and restores it."""
        saved = self._last_commit().name[:17]
        self._call("create_savepoint", commit_time=saved)
        for _ in range(self._rng.randint(1, 2)):
            self._write(step.operation, self._keys(step), step.options)
        self._call("rollback_to_savepoint", instant_time=saved)

    def _write_twice_at_once(self, step: Step) -> None:
        """Commits to two partitions; the commit that is requested first completes last."""
        first, second = self._rng.sample(range(self._partitions), 2)
        slow, quick = (
            self._frame([partition * 100 + key for key in self._rng.sample(step.keys, 2)]).coalesce(1)
            for partition in (first, second)
        )
        begun = len(self._on_timeline("*.requested"))
        with ThreadPoolExecutor(max_workers=1) as other:
            late = other.submit(self._save, slow.where(_SLOWLY), step.operation, step.options)
            while len(self._on_timeline("*.requested")) == begun and not late.done():
                time.sleep(0.05)
            self._save(quick, step.operation, step.options)
            late.result()

    def _update_in_part(self, keys: Sequence[int]) -> None:
        """Updates one column of some rows."""
        rows = self._frame(keys)
        source = f"of_{self._table_name}"
        rows.createOrReplaceTempView(source)
        column = self._rng.choice([column.name for column in self._drawn.columns if "." not in column.name])
        order = ORDERING.name
        self._sql(
            f"merge into {{table}} t using {source} s on t.id = s.id"
            f" when matched then update set t.{column} = s.{column}, t.{order} = s.{order}"
        )

    @property
    def _table_name(self) -> str:
        return f"history_{self.path.name}"

    def _sql(self, statement: str) -> None:
        self._spark.sql(f"create table {self._table_name} using hudi location '{self.path}'")
        try:
            self._spark.sql(statement.format(table=self._table_name)).collect()
        finally:
            self._spark.sql(f"drop table {self._table_name}")

    def _call(self, procedure: str, **arguments: str) -> None:
        options = ",".join(f"{key}={value}" for key, value in {**self.layout.options, **_AT_ONCE}.items())
        if procedure == "run_compaction":
            arguments["options"] = options
        given = "".join(f", {name} => '{value}'" for name, value in arguments.items())
        self._sql(f"call {procedure}(table => '{{table}}'{given})")

    def _is_planned(self) -> bool:
        """Whether a compaction is pending."""
        requested = {file.name.partition(".")[0] for file in self._on_timeline("*.compaction.requested")}
        done = {file.name.partition(".")[0].partition("_")[0] for file in self._on_timeline("*.commit")}
        return bool(requested - done)

    def _last_commit(self) -> Path:
        kind = "*.commit" if self.layout.is_on_write else "*.deltacommit"
        return max(self._on_timeline(kind), key=lambda file: file.name)

    def _on_timeline(self, pattern: str) -> list[Path]:
        folder = self.path / ".hoodie"
        return [file for place in (folder, folder / "timeline") for file in place.glob(pattern)]

    def _name(self, partition: int) -> str:
        # Only such tables have it: see IN_MEMORY.
        return f"{self.path.name}-{partition:03}"
