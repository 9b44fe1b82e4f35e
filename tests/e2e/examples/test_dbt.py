"""A dbt project whose models read the handler's table, with the dbt that `make build/stamps/dbt` installs."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from pycompiler.hive.server import HiveServer
from pycompiler.installation import installation
from pycompiler.tools.scan_log.scans import Scan, read_scans

from ..harness.session import Session
from .flights import FLIGHTS, FOURTH, late_on

DBT = installation() / "build" / "dbt" / "bin" / "dbt"
SCHEMA = "reports_of_examples"


@pytest.fixture(scope="module")
def scans(
    server: HiveServer, session: Session, database: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[list[Scan]]:
    """What dbt read of the handler's table when it built the project twice."""
    assert DBT.is_file(), "dbt is missing; run: make build/stamps/dbt"
    project = tmp_path_factory.mktemp("dbt") / "project"
    shutil.copytree(installation() / "examples" / "dbt", project)
    host, _, port = server.address.partition(":")
    names = {"HIVE_HOST": host, "HIVE_PORT": port, "HIVE_SCHEMA": SCHEMA, "LAKE_SCHEMA": database}
    for _ in range(2):
        _build(project, names)
    yield read_scans(server.log, tag="dbt_flights")
    session.rows(f"DROP DATABASE {SCHEMA} CASCADE")


def _build(project: Path, variables: dict[str, str]) -> None:
    done = subprocess.run(
        [DBT, "--no-use-colors", "build", "--profiles-dir", "."],
        cwd=project,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"


def test_a_table_that_dbt_builds_has_the_rows_and_its_query_opens_one_file(
    session: Session, scans: list[Scan]
) -> None:
    rows = session.rows(f"SELECT origin, late FROM {SCHEMA}.late_on_independence_day ORDER BY origin")
    assert rows == late_on(FOURTH)
    assert [(scan.kept, scan.files) for scan in scans] == [(1, len(FLIGHTS.files))] * 2, scans


def test_a_view_that_dbt_builds_skips_by_the_conditions_of_its_queries(
    server: HiveServer, session: Session, scans: list[Scan]
) -> None:
    assert scans, "dbt has read nothing"
    query = f"SELECT origin FROM {SCHEMA}.late_flights WHERE flights_date = DATE '{FOURTH}'"
    assert len(session.rows(query)) == sum(late for _, late in late_on(FOURTH))
    last = read_scans(server.log)[-1]
    assert (last.kept, last.files) == (1, len(FLIGHTS.files)), last.line


def test_building_again_leaves_the_source_as_it_was(
    session: Session, database: str, scans: list[Scan]
) -> None:
    assert scans, "dbt has read nothing"
    (count,) = session.rows(f"SELECT count(*) FROM {database}.flights")
    assert count == (len(FLIGHTS.rows()),)
