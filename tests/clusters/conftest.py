"""One cluster, one metastore and two HiveServer2s for the whole run."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from ..e2e.harness.check import Checker
from ..e2e.harness.session import HANDLER, Session
from ..stores.hive_processes import running_metastore
from .container_logs import ContainerLogs
from .hadoop import Hadoop, running_hadoop
from .hive import ClusterHive, running_hive
from .tables import EVENTS, PLACES, READINGS, write_tables


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("clusters")


@pytest.fixture(scope="session")
def hadoop(home: Path) -> Iterator[Hadoop]:
    with running_hadoop(home / "hadoop") as hadoop:
        yield hadoop


@pytest.fixture(scope="session")
def metastore(home: Path) -> Iterator[str]:
    with running_metastore(home / "metastore") as uri:
        yield uri


@pytest.fixture(scope="session")
def hive(home: Path, hadoop: Hadoop, metastore: str) -> Iterator[ClusterHive]:
    """The handler's jar is where Hive's script puts those of `auxlib`."""
    with running_hive(home / "hive", hadoop, metastore, auxiliary=True) as hive:
        yield hive


@pytest.fixture(scope="session")
def second_hive(home: Path, hadoop: Hadoop, metastore: str) -> Iterator[ClusterHive]:
    """The handler's jar is on the class path only."""
    with running_hive(home / "second_hive", hadoop, metastore, auxiliary=False) as hive:
        yield hive


@pytest.fixture(scope="session")
def tables(spark: SparkSession, hadoop: Hadoop) -> str:
    """The URI of the folder with the tables; Spark has views of them."""
    write_tables(spark, f"{hadoop.uri}/lake")
    return f"{hadoop.uri}/lake"


@pytest.fixture(scope="session")
def session(hive: ClusterHive, tables: str) -> Iterator[Session]:
    with hive.connect() as session:
        for name in (EVENTS, PLACES, READINGS):
            session.rows(f"CREATE EXTERNAL TABLE {name} STORED BY '{HANDLER}' LOCATION '{tables}/{name}'")
        # Otherwise HiveServer2 reads small tables by itself.
        session.rows("SET hive.fetch.task.conversion=none")
        yield session


@pytest.fixture(scope="session")
def logs(hadoop: Hadoop) -> ContainerLogs:
    return ContainerLogs(hadoop.home)


@pytest.fixture
def check(session: Session, logs: ContainerLogs, spark: SparkSession) -> Checker:
    return Checker(session, logs, spark)
