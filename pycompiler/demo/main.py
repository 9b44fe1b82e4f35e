"""The demo from the data set to the verdict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

import typer
from pyhive.exc import Error as PyHiveError
from rich.console import Console
from rich.table import Table

from pycompiler.demo.common.hive import HiveSession
from pycompiler.demo.common.jvm import jvm_options
from pycompiler.demo.common.markdown import markdown
from pycompiler.demo.common.preparation import STEPS_OF_A_PART, prepare
from pycompiler.demo.common.report import Outcome, table, write_summary
from pycompiler.demo.common.source import DemoDataError
from pycompiler.demo.common.steps import Steps
from pycompiler.demo.flights.part import flights_part, run_flights
from pycompiler.demo.live.part import live_part, run_live
from pycompiler.demo.tpch.comparison import compare
from pycompiler.demo.tpch.part import tpch_part
from pycompiler.demo.tpch.report import EXPLANATION, TpchReport
from pycompiler.hiveserver import HiveServer, HiveServerError
from pycompiler.hiveserver.runtime import installation
from pycompiler.spark.errors import SparkUnavailableError

_ZONE: Final = "UTC"
_PARTS: Final = 3


@dataclass(frozen=True, slots=True)
class _Findings:
    flights: Sequence[Outcome]
    live: Sequence[Outcome]
    tpch: TpchReport

    @property
    def transcript(self) -> str:
        return "".join(outcome.skipping.transcript for outcome in self.flights)

    def tables(self) -> tuple[Table, Table, Table]:
        """What came out, for people."""
        return (
            table(self.flights, "Hive on Hudi, with skipping and without"),
            table(self.live, "A merge-on-read table in each way in which Hive reads it"),
            self.tpch.table(),
        )

    @property
    def failures(self) -> list[str]:
        said = [one.failure() for one in (*self.flights, *self.live)] + [
            one.failure() for one in self.tpch.comparisons
        ]
        return [failure for failure in said if failure is not None]


def main(
    scale: Annotated[
        float,
        typer.Option(min=0.01, help="TPC-H's scale factor: 1 is 6 million rows of lineitem in 200 files."),
    ] = 0.5,
) -> None:
    """Runs queries in Hive on Hudi tables, with skipping and without, and compares the answers with Spark's.

    The exit code is 0 if all answers agree and every selective query read at most a third of the files.
    """
    terminal = Console()
    # A log has no width of its own; the tables need this much.
    console = terminal if terminal.is_terminal else Console(width=130)
    directory = installation() / "build" / "demo"
    try:
        findings = _run(directory, scale, console)
    except KeyboardInterrupt:
        console.print("Interrupted. The next run goes on with what is finished.", style="red")
        raise typer.Exit(130) from None
    except (HiveServerError, PyHiveError, SparkUnavailableError, DemoDataError) as error:
        console.print(f"The demo could not run: {error}", style="red", markup=False)
        raise typer.Exit(1) from None
    (directory / "beeline.txt").write_text(findings.transcript, encoding="utf-8")
    write_summary((*findings.flights, *findings.live), directory / "summary.json")
    findings.tpch.write(directory / "tpch.json")
    (directory / "tables.md").write_text("\n".join(map(markdown, findings.tables())), encoding="utf-8")
    _print(findings, directory, console)
    if findings.failures:
        raise typer.Exit(1)


def _run(directory: Path, scale: float, console: Console) -> _Findings:
    steps = Steps(console, total=2 + _PARTS * (STEPS_OF_A_PART + 1))
    with steps.step("data sets") as step:
        of_flights, of_tpch = flights_part(directory), tpch_part(directory, scale)
        parts = of_flights, of_tpch
        rows = {source.name: source.rows for part in parts for source, _ in part.tables}
        step.result = ", ".join(f"{count:,} rows of {name}" for name, count in rows.items())
    live_data = live_part(directory, of_flights.tables[0][0])
    flights, live, tpch = prepare([of_flights, live_data, of_tpch], steps, jvm_options(scale))

    with steps.step("HiveServer2 with the handler's bundle") as step:
        home = directory / "hive"
        # One that an interrupted run has left.
        HiveServer.stop_home(home)
        server = HiveServer.start(
            home,
            jvm_options=(f"-Duser.timezone={_ZONE}", *jvm_options(scale)),
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
            comparisons = compare(session, tpch, step)
    files = len(list(tpch.tables[0].path.glob("*.parquet")))
    return _Findings(outcomes, of_live, TpchReport(scale, rows["lineitem"], files, comparisons))


def _print(findings: _Findings, directory: Path, console: Console) -> None:
    console.print("\nWhat beeline printed:\n", highlight=False)
    console.print(findings.transcript, markup=False, highlight=False, soft_wrap=True)
    for found in findings.tables():
        console.print(found)
    console.print(EXPLANATION, markup=False, highlight=False, soft_wrap=True)
    for failure in findings.failures:
        console.print(f"FAILED {failure}", style="red", markup=False)
    if not findings.failures:
        count = len(findings.flights) + len(findings.live) + len(findings.tpch.comparisons)
        console.print(
            f"All {count} answers are identical with skipping, without it and in Spark. "
            f"Summaries: summary.json, tpch.json and tables.md in {directory}",
            highlight=False,
            soft_wrap=True,
        )
