"""One Spark session, one lake of tables and two HiveServer2s for the whole run."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from pycompiler.hiveserver import HiveServer
from pycompiler.installation import installation

from ..jvm import JVM_OF_TESTS
from .harness.canary import assert_server_is_right
from .harness.check import Checker
from .harness.lake import HiveTables, Lake
from .harness.scans import ScanLog
from .harness.servers import DECLARED_COLUMNS, FAR_ZONE, SERVER_SETTINGS, SPARK_SETTINGS
from .harness.session import Session
from .tables import TABLES, TableData


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
def server(root: Path) -> Iterator[HiveServer]:
    options = ("-Duser.timezone=UTC", *JVM_OF_TESTS)
    with HiveServer.start(
        root / "hive",
        jvm_options=options,
        heap="2g",
        extra_conf=SERVER_SETTINGS,
        extra_jars=[PLACES_JAR],
        functions=PLACE_FUNCTIONS,
    ) as server:
        yield server


@pytest.fixture(scope="session")
def far_server(root: Path) -> Iterator[HiveServer]:
    """A server whose JVM is in a zone far from UTC."""
    options = (f"-Duser.timezone={FAR_ZONE}", *JVM_OF_TESTS)
    with HiveServer.start(root / "far", jvm_options=options, heap="1g", extra_conf=SERVER_SETTINGS) as server:
        yield server


@pytest.fixture(scope="session")
def lake(root: Path, spark: SparkSession) -> Lake:
    """The tables of `tables.py`, each written with its index; Spark has them as views of the same names."""
    for name, value in SPARK_SETTINGS.items():
        spark.conf.set(name, value)
    lake = Lake(root / "lake", spark)
    for data in TABLES:
        lake.write(data)
        view = spark.read.format("hudi").load(str(lake.path(data.name)))
        assert _ranges_of_keys(view, data) == _ranges_of_keys_wanted(data), f"one base file each: {data.name}"
        view.coalesce(2).cache().createOrReplaceTempView(data.name)
    return lake


@pytest.fixture(scope="session")
def session(server: HiveServer, lake: Lake) -> Iterator[Session]:
    """The session of most tests; all tables exist in it. The server has to be right before and after them."""
    with _with_tables(server, lake) as session:
        _ask_the_canary(server, "before the tests")
        yield session
    _ask_the_canary(server, "after the tests")


@pytest.fixture(scope="session")
def hive(session: Session) -> HiveTables:
    return HiveTables(session)


@pytest.fixture(scope="session")
def check(server: HiveServer, session: Session, spark: SparkSession) -> Checker:
    return Checker(session, ScanLog(server.log), spark)


@pytest.fixture(scope="session")
def new_check(server: HiveServer, session: Session) -> Callable[[], Checker]:
    """Makes a checker with a session of its own, which its user closes."""
    del session  # only wanted because it makes the tables
    return lambda: Checker(_connect(server), ScanLog(server.log), None)


@pytest.fixture
def second_check(new_check: Callable[[], Checker]) -> Iterator[Checker]:
    """A second session of the same server."""
    checker = new_check()
    with checker.session:
        yield checker


@pytest.fixture(scope="session")
def far_check(far_server: HiveServer, lake: Lake) -> Iterator[Checker]:
    with _with_tables(far_server, lake) as session:
        yield Checker(session, ScanLog(far_server.log), None)


def _ranges_of_keys(view: DataFrame, data: TableData) -> set[tuple[int, int, int]]:
    groups = view.groupBy("_hoodie_file_name").agg(F.min(data.key), F.max(data.key), F.count(data.key))
    return {(low, high, count) for _, low, high, count in groups.collect()}


def _ranges_of_keys_wanted(data: TableData) -> set[tuple[int, int, int]]:
    return {(file[0][data.key], file[-1][data.key], len(file)) for file in data.files}


def _ask_the_canary(server: HiveServer, when: str) -> None:
    with _connect(server) as session:
        assert_server_is_right(session, server.log, when)


def _connect(server: HiveServer) -> Session:
    host, _, port = server.address.partition(":")
    return Session(host, int(port))


def _with_tables(server: HiveServer, lake: Lake) -> Session:
    session = _connect(server)
    tables = HiveTables(session)
    for data in TABLES:
        tables.create(lake.path(data.name), name=data.name, columns=DECLARED_COLUMNS.get(data.name, ""))
    return session
