"""One Spark session, one lake of tables and two HiveServer2s for the whole run."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from pycompiler.hive.server import HiveServer
from pycompiler.hive.server.launch import free_ports
from pycompiler.installation import installation

from .harness.canary import assert_server_is_right
from .harness.check import Checker
from .harness.hive_release import running_release
from .harness.lake import Lake
from .harness.operated_table import OperatedTable
from .harness.scans import ScanLog
from .harness.servers import (
    DECLARED_COLUMNS,
    FAR_ZONE,
    SERVER_SETTINGS,
    SPARK_SETTINGS,
    UNKNOWN_SETTING,
    Hive,
    ServedHive,
    running_server,
)
from .harness.session import Session
from .merging.cases import NewTable, Writer
from .tables import TABLES
from .topk.tables import DRAWS, READINGS


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks everything in this directory, so that it can be left out."""
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.e2e)


PLACES_JAR = installation() / "build" / "examples" / "hudi-skip-places.jar"
"""The plug-in of examples/places."""
PLACE_FUNCTIONS = [
    f"io.hudiskip.places.{name}" for name in ("WithinBoundingBox", "WithinPolygon", "WithinDistance")
]


@pytest.fixture(scope="session")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("e2e")


@pytest.fixture(scope="session")
def web_address() -> str:
    """Address of the web interface of `server`."""
    (port,) = free_ports(1)
    return f"127.0.0.1:{port}"


@pytest.fixture(scope="session")
def needs_server(request: pytest.FixtureRequest) -> None:
    """Skips what needs a HiveServer2 where there is none."""
    if release := request.config.getoption("--hive"):
        pytest.skip(f"the registries have no HiveServer2 {release}")


@pytest.fixture(scope="session")
def server(root: Path, web_address: str, needs_server: None) -> Iterator[HiveServer]:
    host, _, port = web_address.partition(":")
    web = {"hive.server2.webui.host": host, "hive.server2.webui.port": port}
    with running_server(
        root / "hive",
        {**SERVER_SETTINGS, **web},
        heap="2g",
        daemon_heap="2g",
        extra_jars=[PLACES_JAR],
        functions=PLACE_FUNCTIONS,
    ) as server:
        yield server


@pytest.fixture(scope="session")
def hive(request: pytest.FixtureRequest, root: Path) -> Iterator[Hive]:
    """What answers the queries of most tests: `server`, or the release of `--hive`."""
    release = request.config.getoption("--hive")
    if release is None:
        yield ServedHive(request.getfixturevalue("server"))
        return
    with running_release(release, root / "hive", SERVER_SETTINGS, [PLACES_JAR]) as hive:
        yield hive


@pytest.fixture(scope="session")
def far_server(root: Path, needs_server: None) -> Iterator[HiveServer]:
    """A server whose JVM is in a zone far from UTC, and whose configuration has a setting that is unknown."""
    conf = {**SERVER_SETTINGS, UNKNOWN_SETTING: "on"}
    with running_server(root / "far", conf, zone=FAR_ZONE, daemon_heap="2g") as server:
        yield server


@pytest.fixture(scope="session")
def lake(root: Path, spark: SparkSession) -> Lake:
    """The tables of `tables.py`, each written with its index; Spark has them as views of the same names."""
    for name, value in SPARK_SETTINGS.items():
        spark.conf.set(name, value)
    lake = Lake(root / "lake", spark)
    for data in TABLES:
        path = lake.write(data)
        wanted = sorted([row[data.key] for row in file] for file in data.files)
        assert _keys_of_files(path, data.key) == wanted, f"one base file each: {data.name}"
        view = spark.read.format("hudi").load(str(path))
        view.coalesce(2).cache().createOrReplaceTempView(data.name)
    return lake


@pytest.fixture(scope="session")
def measured(root: Path, hive: Hive, spark: SparkSession) -> Iterator[None]:
    """`readings` and `draws` exist, in Hive and as views in Spark; they do not wait for other tables."""
    for name, value in SPARK_SETTINGS.items():
        spark.conf.set(name, value)
    lake = Lake(root / "measured", spark)
    with hive.connect() as session:
        for data in (READINGS, DRAWS):
            path = lake.write(data)
            spark.read.format("hudi").load(str(path)).coalesce(2).cache().createOrReplaceTempView(data.name)
            session.create_table(path, name=data.name)
        yield
        for data in (READINGS, DRAWS):
            session.rows(f"drop table {data.name}")


@pytest.fixture(scope="session")
def session(request: pytest.FixtureRequest, hive: Hive, lake: Lake) -> Iterator[Session]:
    """The session of most tests; all tables exist in it. Hive has to be right before and after them."""
    has_server = request.config.getoption("--hive") is None
    with _with_tables(hive, lake) as session:
        if has_server:
            _ask_the_canary(hive, "before the tests")
        yield session
        if not has_server:  # Its other sessions have other processes.
            assert_server_is_right(session, hive.log, "after the tests")
    if has_server:
        _ask_the_canary(hive, "after the tests")


@pytest.fixture
def table(spark: SparkSession, lake: Lake) -> OperatedTable:
    """A table that is not yet there."""
    return OperatedTable(spark, lake.fresh("operated"))


@pytest.fixture(scope="session")
def new_table(spark: SparkSession, lake: Lake) -> NewTable:
    return lambda options: Writer(spark, lake.fresh("merged"), options)


@pytest.fixture(scope="session")
def check(hive: Hive, session: Session, spark: SparkSession) -> Checker:
    return Checker(session, ScanLog(hive.log), spark)


@pytest.fixture(scope="session")
def new_check(hive: Hive, session: Session) -> Callable[[], Checker]:
    """Makes a checker with a session of its own, which its user closes."""
    del session  # only wanted because it makes the tables
    return lambda: Checker(hive.connect(), ScanLog(hive.log), None)


@pytest.fixture
def second_check(new_check: Callable[[], Checker]) -> Iterator[Checker]:
    """A second session of the same Hive."""
    checker = new_check()
    with checker.session:
        yield checker


@pytest.fixture(scope="session")
def far_check(far_server: HiveServer, lake: Lake) -> Iterator[Checker]:
    with _with_tables(ServedHive(far_server), lake) as session:
        yield Checker(session, ScanLog(far_server.log), None)


def _keys_of_files(table: Path, key: str) -> list[list[int]]:
    """The keys in each base file of a table with one commit, sorted."""
    files = [file for file in table.rglob("*.parquet") if ".hoodie" not in file.parts]
    return sorted(sorted(pq.read_table(file, columns=[key])[key].to_pylist()) for file in files)


def _ask_the_canary(hive: Hive, when: str) -> None:
    with hive.connect() as session:
        assert_server_is_right(session, hive.log, when)


def _with_tables(hive: Hive, lake: Lake) -> Session:
    session = hive.connect()
    for data in TABLES:
        columns = DECLARED_COLUMNS.get(data.name, "")
        session.create_table(lake.path(data.name), name=data.name, columns=columns)
    return session
