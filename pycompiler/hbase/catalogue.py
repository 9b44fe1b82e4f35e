"""Publishes a table's partitions to HBase, through its Java client in a separate process."""

import os
import struct
import subprocess
import tempfile
import time
from dataclasses import dataclass
from typing import IO, Final

from pycompiler.index.errors import IndexUnavailableError
from pycompiler.index.file_systems.location import Location
from pycompiler.installation import JVM_OPTIONS, NotInstalledError, built, find_java
from pycompiler.table.catalogue.errors import CatalogueError
from pycompiler.table.catalogue.interface import Published
from pycompiler.table.catalogue.partitions import Generation, read_generation
from pycompiler.table.errors import TableUnreadableError

DEFAULT_TABLE: Final = "hudi_skip_partitions"
"""The HBase table; `hudi.skipping.catalogue.hbase.table` in Hive."""

CLASS_PATH_VARIABLE: Final = "HUDI_SKIP_HBASE_CLASSPATH"
"""Environment variable for the class path of the plug-in's jar and HBase's client, as for `java -cp`."""

MAIN_CLASS: Final = "io.hudiskip.hbase.PublisherMain"
_BUNDLE: Final = "hive/hive-handler-bundle.jar"
_PLUG_IN: Final = "hbase/client/hudi-skip-hbase.jar"
_CLIENT: Final = "hbase-shaded-client-*.jar"
"""Beside the plug-in's jar."""
_OVERTAKEN: Final = 3
_END, _KEYED, _UNKEYED = b"\0", b"\1", b"\2"
_LENGTH: Final = struct.Struct("!i")


def class_path() -> str:
    """The publisher's class path: `HUDI_SKIP_HBASE_CLASSPATH`, or else what `make hbase` has built."""
    named = os.environ.get(CLASS_PATH_VARIABLE)
    if named:
        return named
    try:
        bundle, jars = built(_BUNDLE), built(_PLUG_IN, "hbase").parent
    except NotInstalledError as error:
        raise CatalogueError(
            f"{error}; or set {CLASS_PATH_VARIABLE} to the jars of the plug-in and HBase's client"
        ) from error
    if not any(jars.glob(_CLIENT)):
        raise CatalogueError(
            f"HBase's client is not in {jars}; run `make hbase` in a checkout, or set "
            f"{CLASS_PATH_VARIABLE} to {bundle}, {jars}/* and {_CLIENT}"
        )
    return f"{bundle}{os.pathsep}{jars / '*'}"


@dataclass(frozen=True, slots=True)
class HBaseCatalogue:
    """A catalogue of partitions in HBase.

    Attributes:
        quorum: HBase's ZooKeepers, `host:port`, separated by commas.
        table: The HBase table, created if missing.
    """

    quorum: str
    table: str = DEFAULT_TABLE

    def publish(self, table_root: str) -> Published:
        """Publishes all partitions of the newest generation of a table's index."""
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
        """Publishes a generation's partitions, and returns the publication's number in HBase."""
        try:
            java = find_java()
        except NotInstalledError as error:
            raise CatalogueError(str(error)) from error
        root = str(table)
        jars = class_path()
        if of_site := os.environ.get("HBASE_CONF_DIR"):
            jars = f"{of_site}{os.pathsep}{jars}"  # Its hbase-site.xml has further settings.
        command = [str(java), *JVM_OPTIONS, "-cp", jars, MAIN_CLASS, self.quorum, self.table, root]
        with (
            tempfile.TemporaryFile() as log,
            subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log) as process,
        ):
            assert process.stdin is not None and process.stdout is not None
            try:
                with process.stdin as sink:
                    write_generation(sink, generation)
            except BrokenPipeError:
                pass  # its exit code and log tell more
            printed = process.stdout.read()
            code = process.wait()
            if code == _OVERTAKEN:
                raise CatalogueError(f"another publication of {root} finished first; publish again")
            if code != 0:
                raise CatalogueError(f"HBase at {self.quorum} did not accept the partitions: {_reason(log)}")
        return int(printed)


def write_generation(sink: IO[bytes], generation: Generation) -> None:
    """Writes the input of `PublisherMain`, which publishes nothing unless the end marker arrives."""
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
    """The exception that ended the JVM."""
    log.seek(0)
    lines = log.read().decode("utf-8", errors="replace").splitlines()
    thrown = [line for line in lines if line.startswith(("error: ", "Exception in thread", "Error: "))]
    return thrown[-1].removeprefix("error: ") if thrown else "\n".join(lines[-3:])
