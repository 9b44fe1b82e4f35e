"""Spark for one command: started with progress, stopped at the end, and kept off stdout."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from pycompiler.cli.errors import CommandError
from pycompiler.cli.output import stdout_for_results
from pycompiler.cli.spark_log import spark_log
from pycompiler.cli.terminal import progress_shown

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
PackagesOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--packages",
        metavar="GROUP:ARTIFACT:VERSION,…",
        help="Maven packages for Spark besides Hudi, such as a file system's. May be repeated.",
    ),
]
ConfOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--conf", metavar="KEY=VALUE", help="A setting for Spark. May be repeated."),
]


@dataclass(frozen=True, slots=True)
class SparkOptions:
    """How a command is to start Spark.

    Attributes:
        bundle: Jar of Hudi's Spark bundle; None to look for it.
        master: Spark master.
        packages: Maven coordinates, separated by commas or apart.
        conf: Settings as `key=value`.
    """

    bundle: Path | None
    master: str
    packages: list[str] | None
    conf: list[str] | None

    def settings(self) -> dict[str, str]:
        """The settings by key.

        Raises:
            CommandError: One is not of the form `key=value`.
        """
        settings = {} if self.bundle is None else {"spark.jars": str(self.bundle.resolve())}
        for text in self.conf or ():
            key, equals, value = text.partition("=")
            if not equals or not key.strip():
                raise CommandError(f"not of the form KEY=VALUE: --conf {text}")
            settings[key.strip()] = value
        return settings

    def coordinates(self) -> list[str]:
        """The packages one by one."""
        return [name for text in self.packages or () for item in text.split(",") if (name := item.strip())]


@contextlib.contextmanager
def spark_for(
    options: SparkOptions, quiet: bool
) -> Iterator[tuple[SparkSession, Callable[[int, int], None]]]:
    """Starts Spark with Hudi, or takes the session that is active.

    Args:
        options: How to start it.
        quiet: Show neither progress nor warnings.

    Yields:
        The session, and what to tell the progress to: files done, files in total.

    Raises:
        CommandError: PySpark, Hudi or a file system is missing, or the work in the block failed in Spark.
    """
    try:
        from py4j.protocol import Py4JError  # type: ignore[import-untyped]
        from pyspark.errors import PySparkException
    except ModuleNotFoundError as error:
        raise CommandError(
            f"{error.name} is not installed; in the checkout run: pip install '.[spark]'"
        ) from error
    from pycompiler.spark.causes import cause_of
    from pycompiler.spark.errors import ExecutorPythonError, SparkUnavailableError

    with progress_shown(quiet) as shown, stdout_for_results():
        step = shown.add_task("starting Spark", total=None)
        with _session(options, quiet) as session:
            shown.update(step, description="listing the table")

            def progress(done: int, total: int) -> None:
                shown.update(step, description="reading footers", completed=done, total=total)

            try:
                yield session, progress
            except (ExecutorPythonError, SparkUnavailableError) as error:
                raise CommandError(str(error)) from error
            except (Py4JError, PySparkException) as error:
                raise CommandError(f"Spark failed: {cause_of(error)} (for all of it: --debug)") from error


@contextlib.contextmanager
def _session(options: SparkOptions, quiet: bool) -> Iterator[SparkSession]:
    from pyspark.sql import SparkSession

    from pycompiler.spark.errors import SparkUnavailableError
    from pycompiler.spark.session import hudi_session

    ours = SparkSession.getActiveSession() is None
    # Spark's own progress bars would be drawn over ours.
    conf = {"spark.ui.showConsoleProgress": "false", **options.settings()}
    try:
        with _interrupt_kept_back() as interrupted, spark_log(quiet):
            session = hudi_session(master=options.master, conf=conf, packages=options.coordinates())
    except SparkUnavailableError as error:
        raise CommandError(str(error)) from error
    try:
        if interrupted():
            raise KeyboardInterrupt
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
