"""Spark for one command: started with progress, stopped at the end, and kept off stdout."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from pycompiler.cli.errors import CommandError
from pycompiler.cli.output import progress_console, stdout_for_results

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

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
def spark_for(bundle: Path | None, master: str) -> Iterator[tuple[SparkSession, Callable[[int, int], None]]]:
    """Starts Spark with Hudi, or takes the session that is active.

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
    except ModuleNotFoundError as error:
        raise CommandError(f"{error.name} is not installed; run: pip install 'hudi-skip[spark]'") from error
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with stdout_for_results(), Progress(*columns, console=progress_console(), transient=True) as shown:
        step = shown.add_task("starting Spark", total=None)
        with _session(bundle, master) as session:
            shown.update(step, description="listing the table")

            def progress(done: int, total: int) -> None:
                shown.update(step, description="reading footers", completed=done, total=total)

            try:
                yield session, progress
            except (Py4JError, PySparkException) as error:
                raise CommandError(f"Spark failed: {_cause(error)} (for all of it: --debug)") from error


@contextlib.contextmanager
def _session(bundle: Path | None, master: str) -> Iterator[SparkSession]:
    from pyspark.sql import SparkSession

    from pycompiler.spark.errors import SparkUnavailableError
    from pycompiler.spark.session import hudi_session

    ours = SparkSession.getActiveSession() is None
    # Spark's own progress bars would be drawn over ours.
    conf = {"spark.ui.showConsoleProgress": "false"}
    if bundle is not None:
        conf["spark.jars"] = str(bundle.resolve())
    try:
        with _interrupt_kept_back() as interrupted:
            session = hudi_session(master=master, conf=conf)
    except SparkUnavailableError as error:
        raise CommandError(str(error)) from error
    try:
        if interrupted():
            raise KeyboardInterrupt
        session.sparkContext.setLogLevel("ERROR")
        yield session
    finally:
        if ours:
            session.stop()


@contextlib.contextmanager
def _interrupt_kept_back() -> Iterator[Callable[[], bool]]:
    """Keeps Ctrl-C waiting: a PySpark that is interrupted before it knows its JVM leaves it running for ever.

    Yields:
        Tells whether Ctrl-C was pressed meanwhile.
    """
    pressed = False

    def keep(_number: int, _frame: FrameType | None) -> None:
        nonlocal pressed
        pressed = True

    previous = signal.signal(signal.SIGINT, keep)
    try:
        yield lambda: pressed
    finally:
        # PySpark has put its own handler there by now, which cancels the jobs, if all went well.
        if signal.getsignal(signal.SIGINT) is keep:
            signal.signal(signal.SIGINT, previous)


def _cause(error: Exception) -> str:
    """The line of a Java stack trace that says most."""
    lines = str(error).splitlines() or [type(error).__name__]
    causes = [line for line in lines if line.startswith(("Caused by: ", ": "))]
    return causes[-1].removeprefix("Caused by: ").removeprefix(": ") if causes else lines[0]
