"""`hudi-skip jars`: the jars of this installation, for Hive and for Hudi writers."""

import os
import shutil
from enum import Enum
from pathlib import Path
from typing import Annotated, Final

import typer

from pycompiler.installation import HANDLER, built
from pycompiler.tools.cli.arguments import JsonOption
from pycompiler.tools.cli.console.output import show


class Receiver(str, Enum):
    """Who gets a jar."""

    HIVE = "hive"
    SPARK = "spark"
    HBASE = "hbase"


JARS: Final = {
    Receiver.HIVE: (
        HANDLER,
        "$HIVE_HOME/auxlib on each HiveServer2 host, and the class path of LLAP daemons; restart them then",
    ),
    Receiver.SPARK: (
        "spark/hudi-skip-callback.jar",
        "the class path of a Hudi writer that updates the index after each commit, such as Spark's --jars",
    ),
    Receiver.HBASE: (
        "hbase/client/hudi-skip-hbase.jar",
        "beside the handler's jar, with HBase's client, if partitions are kept in HBase",
    ),
}
"""Their paths below `build`, and where they go."""


def jars(
    receiver: Annotated[Receiver, typer.Option("--for", help="Who gets the jar.")] = Receiver.HIVE,
    to: Annotated[
        Path | None,
        typer.Option(exists=True, file_okay=False, resolve_path=True, help="Copy the jar to this directory."),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Copy the jar that Hive, Spark or HBase's users need, or show where it is.

    It replaces an older copy at once, so that programs that have opened that one are not disturbed.
    """
    path, place = JARS[receiver]
    source = built(path)
    shown = _copied(source, to) if to else source
    document = {"jar": str(shown), "for": receiver.value, "place": place}
    show(document, [str(shown), f"goes to: {place}"], json=json)


def _copied(source: Path, directory: Path) -> Path:
    target = directory / source.name
    partial = directory / f".{source.name}.{os.getpid()}"
    try:
        shutil.copyfile(source, partial)
        partial.chmod(0o644)
        partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)
    return target
