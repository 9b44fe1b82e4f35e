"""A table without an index, as the handler's jar knows it.

The jar decides which of Hudi's column statistics are trusted. So it is asked, in a Java process with the
Hadoop classes that PySpark brings; neither Hive nor Spark is started.
"""

import json
import os
import subprocess
import tempfile
from base64 import b64decode
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import IO, Any, Final

from pycompiler.compile.expression.statistics import ColumnStatistics
from pycompiler.compile.values.types import HiveType
from pycompiler.index.file_systems.location import Location
from pycompiler.installation import (
    HANDLER,
    JVM_OPTIONS,
    NotInstalledError,
    built,
    find_hadoop_jars,
    find_java,
)
from pycompiler.table.files import FileSlice, TableFile
from pycompiler.tools.explain.columns import ExplanationError
from pycompiler.tools.explain.known_table import KnownStatistics, KnownTable

_MAIN_CLASS: Final = "io.hudiskip.hive.unindexed.UnindexedTableMain"
_SHORT_LIVED: Final = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
"""JVM options that halve the time of a short program."""
_CONFIGURATION: Final = "HADOOP_CONF_DIR"
_ERROR: Final = "error: "
_REFUSED: Final = "refused: "
_NO_FILE_SYSTEM: Final = ("No FileSystem for scheme", "ClassNotFoundException", "NoClassDefFoundError")
"""In errors of Hadoop without the jar of a file system."""


@contextmanager
def open_unindexed(table: Location, *, is_read_optimized: bool) -> Iterator[KnownTable]:
    """Opens a table that has no index; its statistics can be read within the block.

    Raises:
        ExplanationError: Java, PySpark or the handler's jar is missing, or the table cannot be read; also
            when statistics are read.
    """
    command = _command(table, is_read_optimized=is_read_optimized)
    with (
        tempfile.TemporaryFile() as log,
        # It ends when its input does.
        subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, encoding="utf-8"
        ) as process,
    ):
        listing = _answer(process, log, table)
        slices = _slices(listing["slices"])
        files = {file.path: file for each in slices for file in each.files}

        def statistics(columns: frozenset[str]) -> KnownStatistics:
            answer = _answer(process, log, table, sorted(columns))
            by_file: dict[TableFile, dict[str, ColumnStatistics]] = {file: {} for file in files.values()}
            for column, of_files in answer["statistics"].items():
                for path, known in of_files.items():
                    by_file[files[path]][column] = _statistics(known)
            return KnownStatistics(by_file, answer["obstacles"])

        yield KnownTable(
            source=listing["source"],
            has_statistics=listing["has_statistics"],
            generation=None,
            instant=listing["instant"],
            slices=slices,
            complete=True,
            statistics=statistics,
        )


def _command(table: Location, *, is_read_optimized: bool) -> list[str]:
    try:
        class_path = [str(built(HANDLER)), str(find_hadoop_jars() / "*")]
        java = find_java()
    except NotInstalledError as error:
        raise ExplanationError(
            f"{table} has no index, and without one, explain needs Java and PySpark: {error}; {_build(table)}"
        ) from error
    if configuration := os.environ.get(_CONFIGURATION):
        class_path.insert(0, configuration)  # Where the name services of an HDFS are.
    return [
        str(java),
        *_SHORT_LIVED,
        *JVM_OPTIONS,
        "-cp",
        os.pathsep.join(class_path),
        _MAIN_CLASS,
        str(table),
        str(is_read_optimized).lower(),
    ]


def _answer(
    process: "subprocess.Popen[str]", log: IO[bytes], table: Location, question: list[str] | None = None
) -> dict[str, Any]:
    """The next line that the process answers, to a question if there is one."""
    assert process.stdin is not None and process.stdout is not None
    try:
        if question is not None:
            process.stdin.write(json.dumps(question) + "\n")
            process.stdin.flush()
    except BrokenPipeError:
        pass  # Its log tells more.
    line = process.stdout.readline()
    if not line:
        process.wait()
        raise _failure(log, table)
    answer: dict[str, Any] = json.loads(line)
    return answer


def _failure(log: IO[bytes], table: Location) -> ExplanationError:
    """Why the process ended."""
    log.seek(0)
    lines = log.read().decode("utf-8", errors="replace").splitlines()
    if refused := [line.removeprefix(_REFUSED) for line in lines if line.startswith(_REFUSED)]:
        return ExplanationError(f"Hive cannot query {table}: {refused[-1]}")
    errors = [line.removeprefix(_ERROR) for line in lines if line.startswith(_ERROR)]
    reason = errors[-1] if errors else " ".join(lines[-3:])
    return ExplanationError(f"{table} has no index, and {_obstacle(reason, table)}; {_build(table)}")


def _obstacle(reason: str, table: Location) -> str:
    if not table.is_local and any(text in reason for text in _NO_FILE_SYSTEM):
        return f"PySpark's jars do not include those that read {table.scheme}: tables ({reason})"
    return f"it cannot be read without one: {reason}"


def _build(table: Location) -> str:
    return f"or build an index: hudi-skip index build {table}"


def _slices(listed: list[list[dict[str, Any]]]) -> tuple[FileSlice, ...]:
    slices = []
    for files in listed:
        base = next((_file(file) for file in files if not file["is_log"]), None)
        logs = tuple(_file(file) for file in files if file["is_log"])
        if files:
            slices.append(FileSlice(base, logs))
    return tuple(sorted(slices, key=lambda each: each.path))


def _file(listed: Mapping[str, Any]) -> TableFile:
    # There is no index that could be behind.
    return TableFile(listed["path"], listed["size"], listed["commit_time"], indexed=True)


def _statistics(known: Mapping[str, Any]) -> ColumnStatistics:
    return ColumnStatistics(
        HiveType.parse(known["type"]),
        lower=_bound(known.get("lower")),
        upper=_bound(known.get("upper")),
        null_count=known.get("null_count"),
        value_count=known.get("value_count"),
    )


def _bound(encoded: str | None) -> bytes | None:
    return None if encoded is None else b64decode(encoded)
