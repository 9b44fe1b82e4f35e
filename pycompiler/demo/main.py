"""Runs the demo, from the data sets to the verdict."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

import typer
from pyhive.exc import Error as PyHiveError
from rich.console import Console
from rich.table import Table

from pycompiler.demo.common.hive import HiveSession
from pycompiler.demo.common.pages import PagesContent, write_pages
from pycompiler.demo.common.preparation import STEPS_OF_A_PART, prepare
from pycompiler.demo.common.report import Outcome, Way, markdown, table, write_summary
from pycompiler.demo.common.steps import Steps
from pycompiler.demo.flights.part import flights_part, run_flights
from pycompiler.demo.flights.queries import ONE_DAY
from pycompiler.demo.live.part import live_part, run_live
from pycompiler.demo.tpch.part import EXPLANATION, run_tpch, tpch_part
from pycompiler.errors import HudiSkipError
from pycompiler.hive.server import HiveServer
from pycompiler.installation import installation

_ZONE: Final = "UTC"
_PARTS: Final = 3
_LARGE: Final = 1.0


_WITHOUT_C2: Final = ("-XX:TieredStopAtLevel=1", "-XX:ReservedCodeCacheSize=240m")
"""Disables the optimizing compiler, which costs more than it saves on little data. The JVM then defaults to
48 MB for compiled code, which a server fills in minutes and recompiles from then on."""


@dataclass(frozen=True, slots=True)
class _Findings:
    flights: Sequence[Outcome]
    live: Sequence[Outcome]
    tpch: Sequence[Outcome]
    scale: float
    rows: int
    files: int
    flights_path: Path
    log: Path

    @property
    def outcomes(self) -> Sequence[Outcome]:
        return (*self.flights, *self.live, *self.tpch)

    @property
    def transcript(self) -> str:
        return "".join(outcome.skipping.transcript for outcome in self.flights)

    @property
    def pages_content(self) -> PagesContent:
        with_skipping = (run for outcome in self.outcomes for run in outcome.runs[Way.SKIPPING])
        scans = [scan for run in with_skipping for scan in run.scans]
        return PagesContent(self.flights_path, ONE_DAY, scans, self.log)

    def tables(self) -> tuple[Table, Table, Table]:
        """The result tables."""
        size = f"{self.rows:,} rows in {self.files:,} files (--scale {self.scale:g})"
        return (
            table(self.flights, "Hive on Hudi, with skipping and without"),
            table(self.live, "A merge-on-read table in each way in which Hive reads it"),
            table(self.tpch, f"TPC-H lineitem in Hive: {size}"),
        )

    def write(self, directory: Path) -> None:
        """Writes the results to files."""
        (directory / "beeline.txt").write_text(self.transcript, encoding="utf-8")
        write_summary((*self.flights, *self.live), directory / "summary.json")
        about = {"scale": self.scale, "rows": self.rows, "files": self.files}
        write_summary(self.tpch, directory / "tpch.json", **about)
        (directory / "tables.md").write_text("\n".join(map(markdown, self.tables())), encoding="utf-8")

    @property
    def failures(self) -> list[str]:
        return [failure for one in self.outcomes if (failure := one.failure()) is not None]


def main(
    scale: Annotated[
        float,
        typer.Option(min=0.01, help="TPC-H scale factor: 1 is 6 million rows of lineitem in 200 files."),
    ] = 0.5,
) -> None:
    """Run queries in Hive on Hudi tables, with and without skipping, and compare the answers with Spark's.

    The exit code is 0 if all answers agree and every selective query reads at most a third of the files.
    """
    terminal = Console()
    # A log has no width; the tables need this much.
    console = terminal if terminal.is_terminal else Console(width=130)
    directory = installation() / "build" / "demo"
    try:
        findings = _run(directory, scale, console)
    except KeyboardInterrupt:
        console.print("Interrupted. The next run reuses what is finished.", style="red")
        raise typer.Exit(130) from None
    except (HudiSkipError, PyHiveError) as error:
        console.print(f"The demo could not run: {error}", style="red", markup=False)
        raise typer.Exit(1) from None
    findings.write(directory)
    _print(findings, directory, console)
    # Last: without the pages, the answers are still compared, and what was found is on the console.
    pages_are_drawn = _draw(findings, directory, console)
    if findings.failures or not pages_are_drawn:
        raise typer.Exit(1)


def _run(directory: Path, scale: float, console: Console) -> _Findings:
    options = () if scale >= _LARGE else _WITHOUT_C2
    steps = Steps(console, total=2 + _PARTS * (STEPS_OF_A_PART + 1))
    with steps.step("data sets") as step:
        of_flights, of_tpch = flights_part(directory), tpch_part(directory, scale)
        parts = of_flights, of_tpch
        rows = {source.name: source.rows for part in parts for source, _ in part.tables}
        step.result = ", ".join(f"{count:,} rows of {name}" for name, count in rows.items())
    live_data = live_part(directory, of_flights.tables[0][0])
    flights, live, tpch = prepare([of_flights, live_data, of_tpch], steps, options)

    with steps.step("HiveServer2 with the handler's bundle") as step:
        home = directory / "hive"
        # An interrupted run may have left a server.
        HiveServer.stop_home(home)
        server = HiveServer.start(
            home,
            jvm_options=(f"-Duser.timezone={_ZONE}", *options),
            on_wait=lambda waited: step.update(f"{waited:.0f} s"),
        )
        step.result = server.jdbc_url
    with server:
        session = HiveSession(server)
        with steps.step("flights: queries in Hive, with skipping and without") as step:
            outcomes = run_flights(session, flights, step)
        with steps.step("delays: a merge-on-read table, an incremental query, time travel") as step:
            of_live = run_live(session, live, step)
        with steps.step("TPC-H: queries in Hive, with skipping, without, and on native Parquet") as step:
            of_tpch_queries = run_tpch(session, tpch, step)
    files = len(list(tpch.tables[0].path.glob("*.parquet")))
    return _Findings(
        outcomes,
        of_live,
        of_tpch_queries,
        scale,
        rows["lineitem"],
        files,
        flights.tables[0].path,
        server.log,
    )


def _draw(findings: _Findings, directory: Path, console: Console) -> bool:
    """Draws the pages and says where they are; returns whether it could."""
    try:
        pages = write_pages(findings.pages_content, directory)
    except HudiSkipError as error:
        console.print(f"FAILED to draw the pages: {error}", style="red", markup=False)
        return False
    *first, last = (page.name for page in pages)
    console.print(
        f"Pages that show what the queries read, and why: {', '.join(first)} and {last} in {directory}",
        highlight=False,
        soft_wrap=True,
    )
    return True


def _print(findings: _Findings, directory: Path, console: Console) -> None:
    console.print("\nWhat beeline printed:\n", highlight=False)
    console.print(findings.transcript, markup=False, highlight=False, soft_wrap=True)
    for found in findings.tables():
        console.print(found)
    console.print(EXPLANATION, markup=False, highlight=False, soft_wrap=True)
    for failure in findings.failures:
        console.print(f"FAILED {failure}", style="red", markup=False)
    if not findings.failures:
        console.print(
            f"All {len(findings.outcomes)} answers are identical with skipping, without it, and in Spark. "
            f"Summaries: summary.json, tpch.json and tables.md in {directory}",
            highlight=False,
            soft_wrap=True,
        )
