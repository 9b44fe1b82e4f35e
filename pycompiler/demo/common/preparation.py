"""Spark's work for the demo: it writes the tables and answers the queries."""

from collections.abc import Mapping, Sequence
from typing import Final

from pyspark.sql import DataFrame, SparkSession

from pycompiler.demo.common import lake
from pycompiler.demo.common.answers import Answer, answer
from pycompiler.demo.common.oracle import store_answers, stored_answers
from pycompiler.demo.common.part import DemoQuery, Part, PreparedPart, State
from pycompiler.demo.common.spark_progress import spark_progress
from pycompiler.demo.common.steps import Step, Steps
from pycompiler.spark.session import hudi_session

STEPS_OF_A_PART: Final = 2

_JAVA_OPTIONS: Final = "spark.driver.extraJavaOptions"
_NO_DEBUGGER: Final = ("-Djol.skipHotspotSAAttach=true", "-Djdk.attach.allowAttachSelf=true")
"""Without these, Hudi measures objects with a library that attaches a debugger to its own process."""

_SPARK_CONF: Final[Mapping[str, str]] = {
    "spark.log.level": "ERROR",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.shuffle.partitions": "4",
    "spark.driver.memory": "2g",
}


def prepare(parts: Sequence[Part], steps: Steps, jvm_options: Sequence[str] = ()) -> Sequence[PreparedPart]:
    """Writes the tables of all parts and has Spark answer their queries.

    Results of earlier runs are reused; Spark starts only if something is missing.
    """
    conf = {**_SPARK_CONF, _JAVA_OPTIONS: " ".join((*_NO_DEBUGGER, *jvm_options))}
    try:
        return [_prepared_earlier(part, steps) or _prepare(part, steps, conf) for part in parts]
    finally:
        session = SparkSession.getActiveSession()
        if session is not None:
            session.stop()


def _prepared_earlier(part: Part, steps: Steps) -> PreparedPart | None:
    found = [lake.finished_table(source, part.lake) for source, _ in part.tables]
    tables = [table for table in found if table is not None]
    answers = stored_answers(part.lake, (query.sql for query in part.queries))
    if answers is None or len(tables) < len(found):
        return None
    with steps.step(f"{part.title}: Hudi tables and Spark's answers", counts=STEPS_OF_A_PART) as step:
        step.result = "reused from the last run"
    return PreparedPart(tables, {query: answers[query.sql] for query in part.queries})


def _prepare(part: Part, steps: Steps, conf: Mapping[str, str]) -> PreparedPart:
    with steps.step(f"{part.title}: Hudi tables and their statistics index") as step:
        step.update("starting Spark")
        spark = hudi_session("hudi-skip demo", conf=conf)
        tables = []
        for source, layout in part.tables:
            with spark_progress(spark.sparkContext, step, source.name):
                tables.append(lake.write_table(spark, source, layout, part.lake))
        step.result = f"written by Spark {spark.version} and indexed"
    with steps.step(f"{part.title}: Spark's answers, for comparison") as step:
        answers = _spark_answers(spark, part, tables, step)
        step.result = f"{len(answers)} queries"
    store_answers(part.lake, {query.sql: found for query, found in answers.items()})
    return PreparedPart(tables, answers)


def _spark_answers(
    spark: SparkSession, part: Part, tables: Sequence[lake.LakeTable], step: Step
) -> dict[DemoQuery, Answer]:
    answers = {}
    seen: State | None = None
    for number, query in enumerate(part.queries, start=1):
        step.update(f"{number} of {len(part.queries)}, {query.title}")
        if query.state != seen:
            for table in tables:
                rows = _rows(spark, table, query.state)
                (rows.cache() if part.cached else rows).createOrReplaceTempView(table.name)
            seen = query.state
        answers[query] = answer(spark.sql(query.sql).collect())
    spark.catalog.clearCache()
    return answers


def _rows(spark: SparkSession, table: lake.LakeTable, state: State) -> DataFrame:
    first = lake.first_commit(table)
    options = {name: value.format(first=first) for name, value in state.spark}
    # Reads the whole table: the expected answers must not depend on skipping.
    reader = spark.read.format("hudi").option("hoodie.enable.data.skipping", "false").options(**options)
    return reader.load(str(table.path)).where(state.where.format(first=first))
