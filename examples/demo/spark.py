"""Spark's work for the demo: it writes the tables and answers the queries."""

from collections.abc import Mapping, Sequence
from typing import Final

from pyspark.sql import DataFrame, SparkSession

from examples.demo.answers import Answer, answer
from examples.demo.lake import LakeTable, first_commit, write_table
from examples.demo.part import DemoQuery, Part, PreparedPart, State
from examples.demo.steps import Step, Steps
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
    """Writes the tables of all parts, unless they are there, and has Spark answer their queries."""
    conf = {**_SPARK_CONF, _JAVA_OPTIONS: " ".join((*_NO_DEBUGGER, *jvm_options))}
    try:
        return [_prepare(part, steps, conf) for part in parts]
    finally:
        session = SparkSession.getActiveSession()
        if session is not None:
            session.stop()


def _prepare(part: Part, steps: Steps, conf: Mapping[str, str]) -> PreparedPart:
    with steps.step(f"{part.title}: Hudi tables and their statistics index") as step:
        step.update("starting Spark")
        spark = hudi_session("hudi-skip demo", conf=conf)
        tables = []
        for source, layout in part.tables:
            step.update(source.name)
            tables.append(write_table(spark, source, layout, part.lake))
        step.result = f"written by Spark {spark.version} and indexed"
    with steps.step(f"{part.title}: Spark's answers, for comparison") as step:
        answers = _spark_answers(spark, part, tables, step)
        step.result = f"{len(answers)} queries"
    return PreparedPart(tables, answers)


def _spark_answers(
    spark: SparkSession, part: Part, tables: Sequence[LakeTable], step: Step
) -> dict[DemoQuery, Answer]:
    answers = {}
    for number, query in enumerate(part.queries, start=1):
        step.update(f"{number} of {len(part.queries)}, {query.title}")
        for table in tables:
            _rows(spark, table, query.state).createOrReplaceTempView(table.name)
        answers[query] = answer(spark.sql(query.sql).collect())
    return answers


def _rows(spark: SparkSession, table: LakeTable, state: State) -> DataFrame:
    first = first_commit(table)
    options = {name: value.format(first=first) for name, value in state.spark}
    # Reads the whole table: the expected answers must not depend on skipping.
    reader = spark.read.format("hudi").option("hoodie.enable.data.skipping", "false").options(**options)
    return reader.load(str(table.path)).where(state.where.format(first=first))
