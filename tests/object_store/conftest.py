"""One object store, and a Spark and a HiveServer2 that reach it over `s3a://`."""

from collections.abc import Iterator
from pathlib import Path

import boto3
import pytest
from pyspark.sql import SparkSession

from pycompiler.hive.server import HiveServer
from pycompiler.installation import installation
from pycompiler.spark.session import hudi_session

from ..conftest import SPARK_SETTINGS
from ..e2e.harness.check import Checker
from ..e2e.harness.scans import ScanLog
from ..e2e.harness.servers import SERVER_SETTINGS
from ..e2e.harness.session import ServerSession
from ..jvm import JVM_OF_TESTS
from ..stores.faulty_s3 import Store, running_store
from ..stores.s3 import environment_of

_JARS = installation() / "build" / "s3a"
"""The connectors for Spark and for Hive, as `make test-s3a` leaves them."""


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("object_store")


@pytest.fixture(scope="session")
def store() -> Iterator[Store]:
    """A store with the bucket `lake`; the environment names it."""
    with running_store() as store, pytest.MonkeyPatch.context() as environment:
        for name, value in environment_of(store.address).items():
            environment.setenv(name, value)
        boto3.client("s3").create_bucket(Bucket="lake")
        yield store


@pytest.fixture(scope="session")
def lake(store: Store) -> str:
    """The URI of the bucket."""
    del store  # only wanted because it has the bucket
    return "s3a://lake"


@pytest.fixture(scope="session")
def connector(store: Store, home: Path) -> dict[str, str]:
    """Settings of Hadoop's connector."""
    return {
        "fs.s3a.endpoint": store.address,
        "fs.s3a.endpoint.region": "us-east-1",
        "fs.s3a.path.style.access": "true",
        "fs.s3a.connection.ssl.enabled": "false",
        "fs.s3a.buffer.dir": str(home / "uploads"),
    }


@pytest.fixture(scope="session")
def spark(connector: dict[str, str], hudi_conf: Path) -> Iterator[SparkSession]:
    """A local session with the connector, instead of that of other tests."""
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("HUDI_CONF_DIR", str(hudi_conf))
        session = hudi_session(
            "tests",
            master="local[2]",
            conf={
                **SPARK_SETTINGS,
                "spark.driver.extraJavaOptions": " ".join(JVM_OF_TESTS),
                "spark.jars": ",".join(map(str, sorted((_JARS / "spark").glob("*.jar")))),
                **{f"spark.hadoop.{name}": value for name, value in connector.items()},
            },
        )
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()


@pytest.fixture(scope="session")
def server(home: Path, connector: dict[str, str]) -> Iterator[HiveServer]:
    with HiveServer.start(
        home / "hive",
        jvm_options=("-Duser.timezone=UTC", *JVM_OF_TESTS),
        heap="1g",
        daemon_heap="1g",
        extra_conf={**SERVER_SETTINGS, **connector},
        extra_jars=sorted((_JARS / "hive").glob("*.jar")),
    ) as server:
        yield server


@pytest.fixture(scope="session")
def check(server: HiveServer, spark: SparkSession) -> Iterator[Checker]:
    host, _, port = server.address.partition(":")
    with ServerSession(host, int(port)) as session:
        yield Checker(session, ScanLog(server.log), spark)
