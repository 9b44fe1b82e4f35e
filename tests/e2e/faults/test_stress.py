"""Many sessions at once, with failures among them; `make soak` is the long form."""

from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from pycompiler.hive.server import HiveServer

from ...stress.queries import pool
from ...stress.run import FAULT_SHARE, expected_answers, run
from ...stress.tables import SHORT, create_statements, write_tables
from ..harness.session import Session

SESSIONS = 8
QUERIES = 16
SEED = 20_261_122


@pytest.fixture(scope="module")
def stress_lake(root: Path, spark: SparkSession, session: Session) -> Path:
    path = root / "stress"
    write_tables(spark, path, SHORT)
    session.rows("CREATE DATABASE stress")
    session.rows("USE stress")
    for statement in create_statements(path):
        session.rows(statement)
    session.rows("USE default")
    return path


def test_every_answer_is_that_of_spark_whatever_else_runs_and_fails(
    stress_lake: Path, spark: SparkSession, server: HiveServer
) -> None:
    host, _, port = server.address.partition(":")
    report = run(
        (host, int(port)),
        server.log,
        expected_answers(spark, pool(SHORT, SEED, 14)),
        database="stress",
        sessions=SESSIONS,
        at_least=QUERIES,
        seconds=0,
        seed=SEED,
    )
    assert report.sound, "\n".join(report.lines())
    assert report.queries >= QUERIES and len(report.faults) >= QUERIES * FAULT_SHARE / 2, report.lines()
