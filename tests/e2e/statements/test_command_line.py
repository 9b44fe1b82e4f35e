"""beeline and `hudi-skip` against the same server and tables."""

import subprocess
import sys
from datetime import date, datetime, timezone

import pytest

from pycompiler.hive.server import HiveServer, run_beeline

from ..harness.check import Checker
from ..harness.command import hudi_skip
from ..harness.lake import Lake


def test_beeline_runs_a_query_on_a_handler_table(server: HiveServer, check: Checker) -> None:
    position = check.log.position()
    result = run_beeline(
        server.jdbc_url,
        "SET hive.query.tag=from-beeline;\n"
        "SELECT cust, name FROM customers WHERE segment = 'segment4' AND cust < 42;",
    )
    assert result.exit_code == 0, result.output
    assert sorted(result.table()) == [["40", "name-04-0"], ["41", "name-04-1"]], result.output
    scans = check.log.scans("from-beeline", position)
    assert [scan.kept for scan in scans] == [1], [scan.line for scan in scans]


def test_the_beeline_of_the_command_line_runs_what_it_is_given(server: HiveServer) -> None:
    command = [sys.executable, "-m", "pycompiler", "hiveserver", "beeline", "--home", str(server.home)]
    run = subprocess.run(
        [*command, "-e", "SELECT 40 + 2;", "--silent=true"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=180,
    )
    assert run.returncode == 0, run.stderr
    assert "| 42   |" in run.stdout, run.stdout


def _since(day: str) -> int:
    """Days from a day to today."""
    return (datetime.now(timezone.utc).date() - date.fromisoformat(day)).days


@pytest.mark.selected(4)
@pytest.mark.parametrize(
    "condition",
    [
        # Constants that both fold.
        f"day >= date_sub(current_date, {_since('2020-03-01')})",
        f"day < current_date() - {_since('2020-03-01')}",
        f"day >= current_date - interval {_since('2020-03-01')} days",
        "day >= date '2020-05-31' - interval 1 month",
        "day >= trunc(date '2020-03-20', 'MM') and day < add_months('2020-03-31', 1)",
        "cast(day as string) like concat(date_format(date '2020-03-20', 'yyyy-MM'), '%')",
        f"ts >= current_timestamp - interval {_since('2022-02-10')} days",
        "i = 10 * 100 + length('fifteen chars..')",
        # Conditions of each kind and type.
        "i = 1015",
        "i between 1015 and 1024 or z = 'z07'",
        "not (i < 1105) and s is not null",
        "d > 1000.0",
        "s in ('s03-4', 's05-1')",
        "amount >= 100.07 and amount < 200",
        "day >= date '2020-03-01' and day < date '2020-04-01'",
        "ts >= timestamp '2022-02-10 00:00:00' and ts < timestamp '2022-02-14 00:00:00'",
        "b is null or i <=> 2",
    ],
)
def test_explain_keeps_the_files_that_the_server_kept(check: Checker, lake: Lake, condition: str) -> None:
    explained = hudi_skip("explain", str(lake.path("every_type")), "--where", condition)
    scan = check.run(f"select id from every_type where {condition}").scan
    assert (explained["files_kept"], explained["files_total"]) == (scan.kept, scan.files), scan.line
    assert scan.kept < scan.files, "a condition that skips nothing shows nothing"
