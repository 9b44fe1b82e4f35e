"""The demo from the data set to the verdict."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from pyhive.exc import Error as PyHiveError
from pyspark.sql import SparkSession
from rich.console import Console

from pycompiler.demo import lake, source
from pycompiler.demo.answers import Answer, answer
from pycompiler.demo.hive import HiveSession
from pycompiler.demo.oracle import keep_answers, kept_answers
from pycompiler.demo.queries import QUERIES, WARM_UP, DemoQuery
from pycompiler.demo.report import Outcome, table, write_summary
from pycompiler.demo.spark_progress import spark_progress
from pycompiler.demo.steps import Step, Steps
from pycompiler.hiveserver import HiveServer, HiveServerError
from pycompiler.hiveserver.runtime import installation
from pycompiler.spark.errors import SparkUnavailableError
from pycompiler.spark.session import hudi_session

_ZONE: Final = "UTC"
_SPARK_CONF: Final = {
    "spark.log.level": "ERROR",
    # The steps tell how far it has come.
    "spark.ui.showConsoleProgress": "false",
    # Hudi measures objects with a library that would attach a debugger to its own process.
    "spark.driver.extraJavaOptions": "-Djol.skipHotspotSAAttach=true -Djdk.attach.allowAttachSelf=true",
    "spark.sql.session.timeZone": _ZONE,
    "spark.sql.shuffle.partitions": "4",
    "spark.driver.memory": "2g",
}


def main() -> int:
    """Runs the demo.

    Returns:
        0 if all answers agree and every selective query read at most a third of the files, else 1.
    """
    terminal = Console()
    # A log has no width of its own; the table needs this much.
    console = terminal if terminal.is_terminal else Console(width=130)
    directory = installation() / "build" / "demo"
    try:
        outcomes, transcript = _run(directory, console)
    except KeyboardInterrupt:
        console.print("Interrupted. The next run goes on with what is finished.", style="red")
        return 130
    except (HiveServerError, PyHiveError, SparkUnavailableError, source.DemoDataError) as error:
        console.print(f"The demo could not run: {error}", style="red", markup=False)
        return 1
    (directory / "beeline.txt").write_text(transcript, encoding="utf-8")
    write_summary(outcomes, directory / "summary.json")

    console.print("\nWhat beeline printed:\n", highlight=False)
    console.print(transcript, markup=False, highlight=False, soft_wrap=True)
    console.print(table(outcomes))
    failures = [failure for outcome in outcomes if (failure := outcome.failure()) is not None]
    for failure in failures:
        console.print(f"FAILED {failure}", style="red", markup=False)
    if not failures:
        console.print(
            f"All {len(outcomes)} answers are identical with skipping, without it and in Spark. "
            f"Summary: {directory / 'summary.json'}",
            highlight=False,
            soft_wrap=True,
        )
    return 1 if failures else 0


def _run(directory: Path, console: Console) -> tuple[Sequence[Outcome], str]:
    steps = Steps(console, total=6)
    with steps.step("data set") as step:
        flights, weather = (make(directory / "source") for make in (source.flights, source.weather))
        step.result = f"{flights.rows:,} flights, {weather.rows:,} hours of weather"

    tables, expected = _tables_and_answers(directory / "lake", (flights, weather), steps)

    with steps.step("HiveServer2 with the handler's bundle") as step:
        home = directory / "hive"
        # One that an interrupted run has left.
        HiveServer.stop_home(home)
        server = HiveServer.start(
            home,
            jvm_options=(f"-Duser.timezone={_ZONE}",),
            on_wait=lambda waited: step.update(f"{waited:.0f} s"),
        )
        step.result = server.jdbc_url
    with server, steps.step("queries on Hive, with skipping and without") as step:
        session = HiveSession(server)
        for created in tables:
            session.create_table(created.name, created.path)
        step.update("warming up")
        # The first query of a server starts Tez and the predicate compiler; none is to be charged with that.
        session.run(WARM_UP, skipping=True)
        outcomes = []
        for number, query in enumerate(QUERIES, start=1):
            step.update(f"{number} of {len(QUERIES)}, {query.title}")
            outcomes.append(_outcome(session, query, expected[query]))
        step.result = f"{len(outcomes)} queries, each twice"
    transcript = "".join(outcome.skipping.transcript for outcome in outcomes)
    return outcomes, transcript


def _tables_and_answers(
    directory: Path, data: Sequence[source.SourceTable], steps: Steps
) -> tuple[Sequence[lake.LakeTable], Mapping[DemoQuery, Answer]]:
    tables = [table for one in data if (table := lake.finished_table(one, directory)) is not None]
    answers = kept_answers(directory, QUERIES)
    if len(tables) == len(data) and answers is not None:
        with steps.step("Hudi tables and Spark's answers", counts=3) as step:
            step.result = "those of the last run"
        return tables, answers

    with steps.step("Spark session with Hudi") as step:
        spark = hudi_session("hudi-skip demo", conf=_SPARK_CONF)
        step.result = f"Spark {spark.version}"
    try:
        with steps.step("Hudi tables and their statistics index") as step:
            tables = []
            for one, layout in zip(data, (lake.FLIGHTS, lake.WEATHER), strict=True):
                with spark_progress(spark.sparkContext, partial(_told, step, one.name)):
                    tables.append(lake.write_table(spark, one, layout, directory))
            step.result = "written and indexed"
        with steps.step("answers of Spark, to compare with") as step:
            answers = _spark_answers(spark, tables, step.update)
            step.result = f"{len(answers)} queries"
    finally:
        spark.stop()
    keep_answers(directory, answers)
    return tables, answers


def _told(step: Step, name: str, what: str) -> None:
    step.update(f"{name}: {what}")


def _outcome(session: HiveSession, query: DemoQuery, expected: Answer) -> Outcome:
    run = session.run_in_beeline if query.beeline else session.run
    # The run with skipping goes first: what warms up on the way favours the other one.
    skipping, full = run(query.sql, skipping=True), run(query.sql, skipping=False)
    return Outcome(query, skipping, full, same_answer=skipping.answer == full.answer == expected)


def _spark_answers(
    spark: SparkSession, tables: Sequence[lake.LakeTable], update: Callable[[str], None]
) -> dict[DemoQuery, Answer]:
    for created in tables:
        # Read once and kept: fifteen queries need not list the table fifteen times.
        spark.read.format("hudi").load(str(created.path)).cache().createOrReplaceTempView(created.name)
    answers = {}
    for number, query in enumerate(QUERIES, start=1):
        update(f"{number} of {len(QUERIES)}, {query.title}")
        answers[query] = answer(spark.sql(query.sql).collect())
    return answers
