"""Publishing the partitions of a table in HBase, by its Java client in a process of its own."""

from __future__ import annotations

import os
import struct
import subprocess
import tempfile
import time
from dataclasses import dataclass, field
from typing import IO, Final

from pycompiler.catalogue.errors import CatalogueError
from pycompiler.catalogue.partitions import Generation, read_generation
from pycompiler.hiveserver.errors import HiveServerError
from pycompiler.hiveserver.runtime import JVM_OPTIONS, find_java, installation
from pycompiler.index.errors import IndexUnavailableError
from pycompiler.index.storage.location import Location
from pycompiler.table.errors import TableUnreadableError

DEFAULT_TABLE: Final = "hudi_skip_partitions"
"""The HBase table, `hudi.skipping.catalogue.hbase.table` in Hive."""

_MAIN_CLASS: Final = "io.hudiskip.catalogue.hbase.PublisherMain"
_OVERTAKEN: Final = 3
_END, _KEYED, _UNKEYED = b"\0", b"\1", b"\2"
_LENGTH: Final = struct.Struct("!i")


@dataclass(frozen=True, slots=True)
class Published:
    """What was published.

    Attributes:
        generation: Generation of the index that it is of.
        publication: Its number in HBase.
        partitions: Number of partitions.
        unkeyed: How many of them have no key.
        seconds: Time that it took.
    """

    generation: int
    publication: int
    partitions: int
    unkeyed: int
    seconds: float


def class_path() -> str:
    """What `make hbase` has left: the handler's bundle, and HBase's client."""
    build = installation() / "build"
    return os.pathsep.join(
        [str(build / "hive" / "hive-handler-bundle.jar"), f"{build / 'hbase' / 'client'}/*"]
    )


@dataclass(frozen=True, slots=True)
class HBaseCatalogue:
    """A catalogue of partitions in HBase.

    Attributes:
        quorum: HBase's ZooKeepers, `host:port` with commas between them.
        table: The HBase table, which is created if it is not there.
        jars: Class path of the handler's bundle and HBase's client. Before them is the directory that
            `HBASE_CONF_DIR` in the environment names: its hbase-site.xml has the other settings.
    """

    quorum: str
    table: str = DEFAULT_TABLE
    jars: str = field(default_factory=class_path)

    def publish(self, table_root: str) -> Published:
        """Publishes all partitions of the newest generation of a table's index.

        Raises:
            CatalogueError: They were not published.
        """
        started = time.monotonic()
        location = Location.parse(table_root)
        try:
            generation = read_generation(location)
        except (IndexUnavailableError, TableUnreadableError, OSError) as error:
            raise CatalogueError(str(error)) from error
        number = self.send(generation, location)
        return Published(
            generation.manifest.generation,
            number,
            len(generation.partitions),
            generation.unkeyed,
            time.monotonic() - started,
        )

    def send(self, generation: Generation, table: Location) -> int:
        """Publishes the partitions of a generation, and returns the number that the publication has in HBase.

        Raises:
            CatalogueError: They were not published.
        """
        try:
            java = find_java()
        except HiveServerError as error:
            raise CatalogueError(str(error)) from error
        root = str(table)
        of_site = os.environ.get("HBASE_CONF_DIR")
        jars = f"{of_site}{os.pathsep}{self.jars}" if of_site else self.jars
        command = [str(java), *JVM_OPTIONS, "-cp", jars, _MAIN_CLASS, self.quorum, self.table, root]
        with (
            tempfile.TemporaryFile() as log,
            subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log) as process,
        ):
            assert process.stdin is not None and process.stdout is not None
            try:
                with process.stdin as sink:
                    write_generation(sink, generation)
            except BrokenPipeError:
                pass  # its exit code and log say more
            printed = process.stdout.read()
            code = process.wait()
            if code == _OVERTAKEN:
                raise CatalogueError(f"another publication of {root} came first")
            if code != 0:
                raise CatalogueError(f"HBase at {self.quorum} has not taken the partitions: {_reason(log)}")
        return int(printed)


def write_generation(sink: IO[bytes], generation: Generation) -> None:
    """Writes what `PublisherMain` reads. Without the end, which comes last, it publishes nothing."""
    _write(sink, generation.document())
    for partition in generation.partitions:
        if partition.key is None:
            sink.write(_UNKEYED)
        else:
            sink.write(_KEYED)
            _write(sink, partition.key)
        _write(sink, partition.path.encode())
        _write(sink, partition.description.encode())
    sink.write(_END)


def _write(sink: IO[bytes], part: bytes) -> None:
    sink.write(_LENGTH.pack(len(part)))
    sink.write(part)


def _reason(log: IO[bytes]) -> str:
    """The exception that ended a JVM."""
    log.seek(0)
    lines = log.read().decode("utf-8", errors="replace").splitlines()
    thrown = [line for line in lines if line.startswith(("error: ", "Exception in thread", "Error: "))]
    return thrown[-1].removeprefix("error: ") if thrown else "\n".join(lines[-3:])
