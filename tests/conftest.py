"""What all tests share: one Spark session with Hudi, one HDFS and one object store for the whole run."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import boto3
import pytest
from hypothesis import settings
from pyspark.sql import SparkSession
from xdist.scheduler import LoadFileScheduling

from pycompiler.compile.compiler import budget
from pycompiler.installation import built
from pycompiler.spark.session import hudi_session

from .hudi_releases import DEFAULT, OWN_VERSION, write_with
from .jvm import JVM_OF_TESTS
from .reaper import leave_nothing_behind
from .selection import leave_out, take_out_unwritten
from .stores.hdfs import running_hdfs
from .stores.s3 import environment_of, running_s3

collect_ignore = ["clusters", "kerberos", "object_store"]
"""Collected only if they are named, as `make test-yarn`, `make test-kerberos` and `make test-s3a` do."""

settings.register_profile("all", derandomize=True, deadline=None)
settings.register_profile("selection", settings.get_profile("all"), max_examples=30)

SPARK_SETTINGS = {
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.shuffle.partitions": "2",
    "spark.default.parallelism": "2",
    # Hudi 1.2 heeds it: dates before 1582 fail without.
    "spark.sql.parquet.datetimeRebaseModeInWrite": "CORRECTED",
}


def pytest_configure(config: pytest.Config) -> None:
    """Before there are workers, which are runs of their own, and before tests are imported."""
    leave_nothing_behind()
    # Spark reads it whoever starts it: tests, and the programs that they run.
    os.environ["SPARK_SUBMIT_OPTS"] = " ".join(JVM_OF_TESTS)
    settings.load_profile("all" if config.getoption("--full") else "selection")
    write_with(config.getoption("--hudi"))


@pytest.fixture(scope="session", autouse=True)
def time_to_compile() -> Iterator[None]:
    """Only steps are counted: what a filter skips does not depend on what else the machine does."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(budget, "_MAX_SECONDS", 60.0)
        yield


class BySharedWork(LoadFileScheduling):  # type: ignore[misc]  # xdist has no types
    """Files go to one worker or another, and to the same one if they share a minute of work."""

    def _split_scope(self, nodeid: str) -> str:
        file: str = super()._split_scope(nodeid)
        return next((work for work, files in SHARED.items() if file.startswith(files)), file)


SHARED = {
    "random predicates": ("tests/properties/test_",),
    "tables of joins": ("tests/e2e/joins/",),
    "readings and draws": ("tests/e2e/topk/", "tests/e2e/counts/"),
    "a server in a far zone": (
        "tests/e2e/statements/test_switches",
        "tests/e2e/values/test_timestamp_units",
        "tests/e2e/values/test_zones",
    ),
}
"""What files share, and how their paths begin."""


@pytest.hookimpl(optionalhook=True)  # Without xdist there is no such hook.
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> BySharedWork:
    """Stands in for `--dist loadfile`."""
    return BySharedWork(config, log)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--full", action="store_true", help="run all cases, not only the selection")
    parser.addoption(
        "--hudi", default=DEFAULT, metavar="RELEASE", help="the release of Hudi that writes tables"
    )
    parser.addoption(
        "--hive",
        metavar="RELEASE",
        help="another release of Hive than the handler is built with, whose queries run without HiveServer2",
    )
    parser.addoption(
        "--table-version",
        type=int,
        metavar="N",
        help="the version of the tables; the release decides if not given",
    )


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves out what the release of Hudi cannot do, and what is not of the selection unless it is named."""
    left_out = take_out_unwritten(items, config.getoption("--hudi"), config.getoption("--table-version"))
    if not (config.getoption("--full") or any("::" in argument for argument in config.args)):
        left_out += leave_out(items)
    if left_out:
        config.hook.pytest_deselected(items=left_out)


HUDI_CONF = Path(__file__).parent / "hudi_conf"


@pytest.fixture(scope="session")
def hudi_conf(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The directory with the defaults of Hudi's writers."""
    config = request.config
    defaults: dict[str, str] = {}
    if version := config.getoption("--table-version"):
        defaults |= {"hoodie.write.table.version": str(version), "hoodie.write.auto.upgrade": "false"}
    if OWN_VERSION[config.getoption("--hudi")] < 8:
        # Without it, Hudi 0.15 heeds ordering fields only between logs.
        defaults["hoodie.datasource.write.payload.class"] = (
            "org.apache.hudi.common.model.DefaultHoodieRecordPayload"
        )
    if not defaults:
        return HUDI_CONF
    conf = Path(shutil.copytree(HUDI_CONF, tmp_path_factory.mktemp("hudi") / "conf"))
    with (conf / "hudi-defaults.conf").open("a") as file:
        file.writelines(f"{name} {value}\n" for name, value in defaults.items())
    return conf


@pytest.fixture(scope="session")
def spark(hudi_conf: Path) -> Iterator[SparkSession]:
    """A local session in UTC."""
    # For the JVM of this session alone: other programs have Hudi's own defaults.
    conf = {
        **SPARK_SETTINGS,
        # It starts no process for each file that is written.
        "spark.driver.extraClassPath": str(built("hive/embedded-hiveserver.jar")),
        "spark.hadoop.fs.file.impl": "io.hudiskip.hiveserver.ForklessLocalFileSystem",
    }
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("HUDI_CONF_DIR", str(hudi_conf))
        session = hudi_session("tests", master="local[2]", conf=conf)
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()


@pytest.fixture(scope="session")
def hdfs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URI of an HDFS."""
    with running_hdfs(tmp_path_factory.mktemp("stores") / "hdfs") as uri:
        yield uri


@pytest.fixture(scope="session")
def s3(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URI of a bucket; the environment names its server."""
    home = tmp_path_factory.mktemp("stores") / "s3"
    with running_s3(home) as address, pytest.MonkeyPatch.context() as environment:
        for name, value in environment_of(address).items():
            environment.setenv(name, value)
        boto3.client("s3").create_bucket(Bucket="lake")
        yield "s3a://lake"
