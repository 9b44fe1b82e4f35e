"""Spark for one command: started with progress, stopped at the end, and kept off stdout."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from pycompiler.cli.errors import CommandError
from pycompiler.cli.output import progress_console, stdout_for_results

if TYPE_CHECKING:
    from pyspark.sql import SparkSession as Session

BundleOption: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--hudi-bundle",
        exists=True,
        dir_okay=False,
        metavar="JAR",
        help="Hudi's Spark bundle. Default: the one that `make setup` left, else it is downloaded.",
    ),
]
MasterOption: TypeAlias = Annotated[str, typer.Option(help="Spark master.")]
DEFAULT_MASTER = "local[*]"


@contextlib.contextmanager
def spark_for(bundle: Path | None, master: str) -> Iterator[tuple[Session, Callable[[int, int], None]]]:
    """Starts Spark with Hudi.

    Args:
        bundle: Jar of Hudi's Spark bundle; None to look for it.
        master: Spark master.

    Yields:
        The session, and what to tell the progress to: files done, files in total.

    Raises:
        CommandError: PySpark or Hudi is missing, or the work in the block failed in Spark.
    """
    try:
        from py4j.protocol import Py4JError  # type: ignore[import-untyped]
        from pyspark.errors import PySparkException
        from pyspark.sql import SparkSession

        from pycompiler.spark.errors import SparkUnavailableError
        from pycompiler.spark.session import hudi_session
    except ModuleNotFoundError as error:
        raise CommandError(f"{error.name} is not installed; run: pip install 'hudi-skip[spark]'") from error
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with stdout_for_results(), Progress(*columns, console=progress_console(), transient=True) as shown:
        step = shown.add_task("starting Spark", total=None)
        try:
            # Spark's own progress bars would be drawn over ours.
            conf = {"spark.ui.showConsoleProgress": "false"}
            if bundle is not None:
                conf["spark.jars"] = str(bundle.resolve())
            ours = SparkSession.getActiveSession() is None
            session = hudi_session(master=master, conf=conf)
        except SparkUnavailableError as error:
            raise CommandError(str(error)) from error
        try:
            session.sparkContext.setLogLevel("ERROR")
            shown.update(step, description="listing the table")

            def progress(done: int, total: int) -> None:
                shown.update(step, description="reading footers", completed=done, total=total)

            yield session, progress
        except (Py4JError, PySparkException) as error:
            lines = str(error).splitlines()
            cause = next((line for line in lines if line.startswith(("Caused by:", ": "))), lines[0])
            raise CommandError(
                f"Spark failed: {cause.removeprefix(': ')} (for all of it: --debug)"
            ) from error
        finally:
            if ours:
                session.stop()
