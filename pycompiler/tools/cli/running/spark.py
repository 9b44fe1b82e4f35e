"""Runs Spark for one command: with progress, without output on stdout, and stopped at the end."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from pycompiler.errors import HudiSkipError
from pycompiler.index.file_systems.location import Location
from pycompiler.tools.cli.arguments import JsonOption, QuietOption
from pycompiler.tools.cli.console.jvm_output import jvm_output
from pycompiler.tools.cli.console.output import progress_lines, show, stdout_for_results
from pycompiler.tools.cli.errors import CommandError
from pycompiler.tools.cli.running.spark_log import spark_log

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_UNCAUGHT: Final = 'Exception in thread "main" '
_UNRESOLVED: Final = "unresolved dependency"
_NOT_DOWNLOADED: Final = (
    "check --packages and the network, or name a local copy of Hudi's bundle with --hudi-bundle and other "
    "jars with --conf spark.jars=…; run with --debug for details"
)


@dataclass(frozen=True, slots=True)
class RunOptions:
    """Options of a command that runs here or in Spark, and of its result."""

    hudi_bundle: Annotated[
        Path | None,
        typer.Option(
            exists=True,
            dir_okay=False,
            metavar="JAR",
            help="Hudi's Spark bundle. Default: an installed one that knows the table, or a download.",
        ),
    ] = None
    master: Annotated[str, typer.Option(help="Spark master.")] = "local[*]"
    packages: Annotated[
        list[str] | None,
        typer.Option(
            metavar="GROUP:ARTIFACT:VERSION,…",
            help="Additional Maven packages for Spark, such as a file system connector. May be repeated.",
        ),
    ] = None
    conf: Annotated[
        list[str] | None, typer.Option(metavar="KEY=VALUE", help="Spark setting. May be repeated.")
    ] = None
    spark: Annotated[
        bool,
        typer.Option(
            "--spark",
            help="Read the files with Spark. By default that is done only if it would take this process "
            "minutes, or if only Hudi's own classes can tell which files are current.",
        ),
    ] = False
    json: JsonOption = False
    quiet: QuietOption = False

    def show(self, result: Mapping[str, Any], lines: Iterable[str]) -> None:
        """Prints the result, for people as lines."""
        show(result, lines, json=self.json, quiet=self.quiet)

    def settings(self) -> dict[str, str]:
        """The settings by key.

        Raises:
            CommandError: A setting is not of the form `key=value`.
        """
        settings = {} if self.hudi_bundle is None else {"spark.jars": str(self.hudi_bundle.resolve())}
        for text in self.conf or ():
            key, equals, value = text.partition("=")
            if not equals or not key.strip():
                raise CommandError(f"--conf: expected KEY=VALUE, not: {text}")
            settings[key.strip()] = value
        return settings

    def coordinates(self) -> list[str]:
        """All Maven coordinates; a text of `packages` may list several, separated by commas."""
        return [name for text in self.packages or () for item in text.split(",") if (name := item.strip())]


def footers_read(*, quiet: bool) -> Callable[[int, int], None]:
    """Makes the function that is told how many files are done, and in total."""
    tell = progress_lines(quiet=quiet)
    return lambda done, total: tell(f"reading footers: {done} of {total} files")


@contextlib.contextmanager
def spark_for(table: str, options: RunOptions) -> Iterator[tuple[SparkSession, Callable[[int, int], None]]]:
    """Starts Spark with a Hudi that knows a table, or uses the active session.

    Yields:
        The session, and a function that reports progress: files done, files in total.

    Raises:
        CommandError: PySpark, Hudi or a file system is missing, or Spark failed in the block.
    """
    try:
        from py4j.protocol import Py4JError  # type: ignore[import-untyped]
        from pyspark.errors import PySparkException
    except ModuleNotFoundError as error:
        raise CommandError("PySpark is not installed; run: pip install 'hudi-skip[spark]'") from error
    from pycompiler.spark.causes import cause_of

    with stdout_for_results(), _session(table, options) as session:
        try:
            yield session, footers_read(quiet=options.quiet)
        except (Py4JError, PySparkException) as error:
            raise CommandError(f"Spark failed: {cause_of(error)} (run with --debug for details)") from error


@contextlib.contextmanager
def _session(table: str, options: RunOptions) -> Iterator[SparkSession]:
    from pyspark.sql import SparkSession

    from pycompiler.spark.errors import SparkUnavailableError
    from pycompiler.spark.session import hudi_session

    ours = SparkSession.getActiveSession() is None
    # Spark's progress bars would overwrite ours.
    conf = {"spark.ui.showConsoleProgress": "false", **options.settings()}
    with _deferred_interrupt() as interrupted, spark_log(options.quiet) as log:
        failure: SparkUnavailableError | None = None
        said: list[str] = []
        with jvm_output(log, quiet=options.quiet) as output:
            try:
                session = hudi_session(
                    master=options.master,
                    conf=conf,
                    packages=options.coordinates(),
                    table_version=_version_of(table) if ours else 0,
                )
                output.started()
            except SparkUnavailableError as error:
                failure, said = error, output.held()
        if failure is not None:
            details = SparkUnavailableError("\n".join([*said, str(failure)]))
            raise CommandError(_obstacle(failure, said)) from details
    try:
        if interrupted():
            raise KeyboardInterrupt
        yield session
    finally:
        if ours:
            session.stop()


def _version_of(table: str) -> int:
    """The version of a table; 0 if its properties cannot be read without Spark, which then says why."""
    from pycompiler.table.properties import TableProperties

    try:
        return TableProperties.read(Location.parse(table)).version
    except (HudiSkipError, OSError):
        return 0


def _obstacle(error: Exception, said: Sequence[str]) -> str:
    """Why Spark has not started, in one line, from what its JVM said."""
    from pycompiler.tools.doctor.check import Check, State
    from pycompiler.tools.doctor.machine import java_check

    match java_check():
        case Check(state=State.ABSENT, remedy=remedy):
            return f"Spark needs Java: {remedy}"
        case Check(state=State.PROBLEM, found=found, remedy=remedy):
            return f"Spark needs another Java: {found}; {remedy}"
    causes = [line.removeprefix(_UNCAUGHT) for line in said if line.startswith(_UNCAUGHT)]
    if not causes:
        return f"{error} (run with --debug for details)"
    remedy = _NOT_DOWNLOADED if _UNRESOLVED in causes[-1] else "run with --debug for details"
    return f"Spark could not be started: {causes[-1]} ({remedy})"


@contextlib.contextmanager
def _deferred_interrupt() -> Iterator[Callable[[], bool]]:
    """Defers Ctrl-C: interrupting PySpark before it knows its JVM would leave the JVM running forever.

    Yields:
        A function that tells whether Ctrl-C was pressed.
    """
    pressed = False

    def keep(_number: int, _frame: FrameType | None) -> None:
        nonlocal pressed
        pressed = True

    previous = signal.signal(signal.SIGINT, keep)
    try:
        yield lambda: pressed
    finally:
        # By now PySpark has normally installed its own handler, which cancels the jobs.
        if signal.getsignal(signal.SIGINT) is keep:
            signal.signal(signal.SIGINT, previous)
