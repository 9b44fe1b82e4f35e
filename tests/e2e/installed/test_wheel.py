"""From the wheel to a skipped query, outside of the checkout, with the commands of the install page."""

import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from pycompiler.tools.scan_log.scans import scans_in
from pycompiler.version import VERSION

from .environment import Environment

WRITE = """
import sys
from datetime import date
from pycompiler import hudi_session

spark = hudi_session(master="local[1]")
rows = [(i, date(2013, 7, 1 + i // 10), i % 7) for i in range(40)]
flights = spark.createDataFrame(rows, "id int, day date, delay int")
options = {
    "hoodie.table.name": "flights",
    "hoodie.datasource.write.recordkey.field": "id",
    "hoodie.datasource.write.operation": "bulk_insert",
    "hoodie.bulkinsert.sort.mode": "NONE",
}
flights.repartitionByRange(4, "day").write.format("hudi").options(**options).save(sys.argv[1])
"""
"""A table of four files, one for each day, as any writer of Hudi would leave it."""

QUERY = "SELECT count(*) FROM flights WHERE day = DATE '2013-07-03';"


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    return Environment.create(tmp_path_factory.mktemp("installed"))


@pytest.fixture(scope="module")
def table(environment: Environment) -> Path:
    """A table without an index."""
    path = environment.root / "lake" / "flights"
    environment.run(environment.python, "-c", WRITE, path)
    return path


@pytest.fixture(scope="module")
def address(environment: Environment) -> Iterator[str]:
    """A HiveServer2 that the wheel has started."""
    home = environment.root / "hive"
    started = environment.hudi_skip("hiveserver", "start", "--home", home)
    yield f"{started['host']}:{started['port']}"
    environment.run(environment.command, "hiveserver", "stop", "--home", home)


def test_one_command_copies_the_jar_that_is_the_whole_install_on_hives_side(environment: Environment) -> None:
    auxlib = environment.root / "auxlib"
    auxlib.mkdir()
    old = auxlib / "hive-handler-bundle.jar"
    old.write_bytes(b"of an older release")
    with old.open("rb") as in_use:
        copied = environment.hudi_skip("jars", "--to", auxlib)
        assert in_use.read() == b"of an older release", "a server that runs keeps its copy"
    assert [file.name for file in auxlib.iterdir()] == [Path(copied["jar"]).name] == [old.name]
    with zipfile.ZipFile(copied["jar"]) as jar:
        names = set(jar.namelist())
    assert {
        "io/hudiskip/hive/HudiStorageHandler.class",
        "io/hudiskip/compile/client/compiler.pyz",
    } <= names
    for receiver in ("spark", "hbase"):
        assert Path(environment.hudi_skip("jars", "--for", receiver)["jar"]).is_file()


def test_the_versions_are_those_of_the_jar(environment: Environment) -> None:
    lines = environment.run(environment.command, "--version").splitlines()
    assert lines[0] == f"hudi-skip {VERSION}"
    assert lines[1].startswith(f"handler {VERSION}, built for Hive 4."), lines


def test_a_query_skips_and_the_doctor_finds_nothing_to_mend(
    environment: Environment, table: Path, address: str
) -> None:
    without = environment.hudi_skip("doctor", "--table", table, exit_code=1)
    assert [check["remedy"] for check in without["checks"] if check["state"] == "problem"] == [
        f"hudi-skip index build {table}"
    ]
    environment.run(environment.command, "index", "build", table)

    statements = (
        f"CREATE EXTERNAL TABLE flights STORED BY 'io.hudiskip.hive.HudiStorageHandler' LOCATION '{table}'; "
        f"{QUERY} SET hudi.skipping.compiler.command=; SET hive.query.tag=by_jar; {QUERY}"
    )
    home = environment.root / "hive"
    printed = environment.run(
        environment.command, "hiveserver", "beeline", "--home", home, "--silent=true", "-e", statements
    )
    assert printed.count("| 10   |") == 2, printed
    log = home / "logs" / "hiveserver.log"
    scans = scans_in(log.read_text(encoding="utf-8").splitlines())
    assert [(scan.kept, scan.files) for scan in scans] == [(1, 4)] * 2, scans
    assert "compiler.pyz --socket" in log.read_text(encoding="utf-8"), "the jar's own compiler was not asked"

    report = environment.hudi_skip("doctor", "--hive", address, "--table", table)
    states = {check["subject"]: check["state"] for check in report["checks"]}
    assert set(states.values()) == {"ok"}, report
    assert {"Java", "Spark", "compiler in HiveServer2", "index", "skipping, in Hive"} <= states.keys()


def test_the_doctor_says_what_to_do_where_there_is_no_server_and_no_table(environment: Environment) -> None:
    nothing = environment.root / "nothing"
    nothing.mkdir()
    report = environment.hudi_skip("doctor", "--hive", "127.0.0.1:1", "--table", nothing, exit_code=1)
    problems = {
        check["subject"]: check["remedy"] for check in report["checks"] if check["state"] == "problem"
    }
    assert problems.keys() == {"HiveServer2", "table"}, report
    assert ".hoodie" in problems["table"]
