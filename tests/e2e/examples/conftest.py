from collections.abc import Iterator

import pytest

from pycompiler.hive.server import HiveServer

from ..harness.lake import Lake
from ..harness.servers import ServedHive
from ..harness.session import Session
from .flights import FLIGHTS


@pytest.fixture(scope="package")
def session(server: HiveServer) -> Iterator[Session]:
    with ServedHive(server).connect() as session:
        yield session


@pytest.fixture(scope="package")
def database(session: Session, lake: Lake) -> Iterator[str]:
    """A database with the handler's table `flights`."""
    name = "lake_of_examples"
    session.rows(f"CREATE DATABASE {name}")
    table = session.create_table(lake.write(FLIGHTS), name=f"{name}.{FLIGHTS.name}")
    yield name
    session.rows(f"DROP TABLE {table}")
    session.rows(f"DROP DATABASE {name}")
