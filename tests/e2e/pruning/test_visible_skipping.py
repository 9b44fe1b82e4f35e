"""What a session sees of skipping: the plan before a query, the counters after it, the log."""

import json
import re
import time
import uuid
from pathlib import Path

import pytest
from pyspark.sql.functions import input_file_name
from typer.testing import CliRunner

from pycompiler.hive.server import HiveServer
from pycompiler.tools.cli.main import app
from pycompiler.tools.scan_log.scans import Scan

from ..harness.check import Checked, Checker
from ..harness.engines import TEZ
from ..harness.lake import UPSERT, Lake
from ..tables import CUSTOMERS, EVERY_TYPE

QUERY = "select id from every_type where i = 1015"
COUNTERS = {
    # Hive's own hook, which prints the counters of one group on the session's console.
    "hive.exec.post.hooks": "org.apache.hadoop.hive.ql.hooks.PostExecTezSummaryPrinter",
    "hive.counters.group.name": "hudi-skip",
}


def _planned(check: Checker, query: str, settings: dict[str, str] | None = None) -> list[dict[str, str]]:
    """The lines of each scan in the plan, in either of the forms in which Hive prints one."""
    with check.session.settings(settings or {}):
        plan = check.session.text(f"EXPLAIN {query}")
    short = re.compile(r'"hudi-skip (\w+)":("(?:[^"\\]|\\.)*")')
    long = re.compile(r"^ *hudi-skip (\w+) (.*?) *$", re.MULTILINE)
    return [
        {name: json.loads(text) for name, text in short.findall(scan)} or dict(long.findall(scan))
        for scan in plan.split("TableScan")[1:]
    ]


def _lines_of(scan: Scan) -> dict[str, str]:
    lines = {
        "files": f"{scan.kept} of {scan.files}",
        "bytes": f"{scan.kept_size} of {scan.size}",
        "expression": scan.expression,
        "reason": scan.reason,
        "mode": scan.mode,
    }
    return {name: text for name, text in lines.items() if text}


@pytest.mark.selected(4)
@pytest.mark.parametrize("engine", [TEZ, {}], ids=["tez", "fetch task"])
@pytest.mark.parametrize(
    ("query", "settings"),
    [
        (QUERY, {}),
        (QUERY, {"hive.explain.user": "false"}),
        ("select id from every_type where day = date '2020-01-12' and s >= 's01'", {}),
        ("select count(*) from every_type", {}),
        (QUERY, {"hudi.skipping.mode": "off"}),
        (QUERY, {"hudi.skipping.mode": "shadow"}),
        (QUERY, {"hive.optimize.index.filter": "false"}),
    ],
)
def test_explain_shows_what_the_query_then_reads(
    check: Checker, query: str, settings: dict[str, str], engine: dict[str, str]
) -> None:
    planned = _planned(check, query, {**settings, **engine})
    assert planned == [_lines_of(check.run(query, {**settings, **engine}).scan)]


def test_explain_shows_each_scan_of_a_join(check: Checker) -> None:
    query = (
        "select a.id, c.name from every_type a join customers c on a.id = c.cust "
        "where a.id < 20 and c.cust = 11"
    )
    checked = check.run(query, scans=2)
    planned = sorted(scan["files"] for scan in _planned(check, query))
    assert planned == sorted(f"{scan.kept} of {scan.files}" for scan in checked.scans)
    assert planned == [f"1 of {len(EVERY_TYPE.files)}", f"1 of {len(CUSTOMERS.files)}"]


def _counted(server: HiveServer, checked: Checked) -> dict[str, int]:
    """The counters that were printed last."""
    assert checked.scans, "the query ran"
    printed = server.home / "logs" / "hiveserver.out"
    deadline = time.monotonic() + 5
    while True:
        found = re.findall(r"scan\.(\w+): (\d+)", _after_last(printed, "HIVE COUNTERS"))
        if len(found) >= 6 or time.monotonic() > deadline:
            return {name: int(count) for name, count in found}
        time.sleep(0.1)


def _after_last(path: Path, text: str) -> str:
    return path.read_text(encoding="utf-8", errors="replace").rpartition(text)[2]


@pytest.mark.selected(1)
@pytest.mark.parametrize(
    ("query", "scans"),
    [
        ("select count(*) from every_type where i = 1015", 1),
        ("select count(*) from every_type", 1),
        (
            "select a.id from every_type a join customers c on a.id = c.cust "
            "where a.i = 1015 and c.segment = 'segment1'",
            2,
        ),
    ],
)
def test_the_counters_of_a_job_are_those_of_its_scans(
    check: Checker, server: HiveServer, query: str, scans: int
) -> None:
    checked = check.run(query, {**TEZ, **COUNTERS}, scans=scans)
    assert _counted(server, checked) == {
        "files": sum(scan.files for scan in checked.scans),
        "kept": sum(scan.kept for scan in checked.scans),
        "covered": sum(scan.covered for scan in checked.scans),
        "bytes": sum(scan.size for scan in checked.scans),
        "kept_bytes": sum(scan.kept_size for scan in checked.scans),
        "not_indexed": sum(scan.not_indexed for scan in checked.scans),
        "not_indexed_bytes": sum(scan.not_indexed_size for scan in checked.scans),
    }


def test_the_command_line_shows_the_scans_of_a_tag(check: Checker, server: HiveServer) -> None:
    tag = uuid.uuid4().hex
    scan = check.run(QUERY).scan  # so that there are scans of others
    with check.session.settings({"hive.query.tag": tag}):
        check.session.rows(QUERY)
    check.log.scans(tag, 0)
    result = CliRunner().invoke(app, ["scans", str(server.log), "--tag", tag])
    assert result.exit_code == 0, result.output
    (line,) = result.stdout.splitlines()
    assert line.startswith(f"1 of {len(EVERY_TYPE.files)} files"), line
    assert line.endswith(f"{scan.table}  tag {tag}  {scan.expression}"), line


@pytest.mark.selected(2)
@pytest.mark.parametrize("engine", [TEZ, {}], ids=["tez", "fetch task"])
@pytest.mark.parametrize("cbo", ["true", "false"])
def test_the_name_of_a_rows_file_is_in_a_column_and_not_in_a_virtual_one(
    check: Checker, engine: dict[str, str], cbo: str
) -> None:
    settings = {**engine, "hive.cbo.enable": cbo}
    with check.session.settings(settings):
        check.session.assert_refused("SELECT INPUT__FILE__NAME FROM sales", "(?i)INPUT__FILE__NAME")
    checked = check(
        "select id, concat(`_hoodie_partition_path`, '/', `_hoodie_file_name`) from sales where id < 1010",
        settings,
    )
    table = Path(checked.scan.table)
    assert all((table / name).is_file() for _, name in checked.rows), checked.rows


def test_the_column_names_the_new_file_of_a_row_that_an_update_of_others_has_moved(
    check: Checker, lake: Lake
) -> None:
    path = lake.copy("customers")
    lake.append(CUSTOMERS, path, (CUSTOMERS.files[1][:1],), UPSERT)
    in_files = {
        (row.cust, Path(row.file).name)
        for row in lake.spark.read.parquet(*map(str, path.glob("*.parquet")))
        .select("cust", input_file_name().alias("file"))
        .collect()
    }
    assert len(in_files) == len(CUSTOMERS.rows()) + 10, "control: a file was rewritten"
    with check.session.table(path) as name:
        told = set(check.session.rows(f"SELECT cust, `_hoodie_file_name` FROM {name}"))
    assert told <= in_files and len(told) == len(CUSTOMERS.rows()), told - in_files
