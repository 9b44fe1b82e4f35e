"""One Kerberos server, and one of each service that asks for its tickets, for the whole run."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from ..e2e.harness.check import Checker
from ..e2e.harness.session import HANDLER
from .hdfs import Hdfs, running_hdfs
from .hive import SecureHive, running_secure_hive, running_secure_metastore
from .jdbc import JdbcSession, jdbc_driver
from .kdc import Kdc, running_kdc, service
from .programs import Programs
from .write_tables import CLOSED, PRIVATE, PUBLIC, UNINDEXED
from .yarn import Yarn, running_yarn

_GROUP: Final = "lake"
_GROUPS: Final = {
    "alice": _GROUP,
    "carol": _GROUP,
    "bob": "",
    # It may read everything, and must not let others do so.
    "hive": _GROUP,
    "hdfs": "supergroup",
    "metastore": "",
    "yarn": "",
}


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("kerberos")


@pytest.fixture(scope="session")
def kdc(home: Path) -> Iterator[Kdc]:
    principals = (*map(service, ("hdfs", "hive", "metastore", "yarn", "HTTP")), "alice", "bob", "carol")
    with running_kdc(home / "kdc", principals) as kdc:
        yield kdc


@pytest.fixture(scope="session")
def hdfs(home: Path, kdc: Kdc) -> Iterator[Hdfs]:
    with running_hdfs(home / "hdfs", kdc, _GROUPS) as hdfs:
        superuser = Programs(kdc, hdfs, kdc.tickets("hdfs/localhost"))
        superuser.done("tests.kerberos.make_folders", hdfs.uri, _GROUP)
        yield hdfs


@pytest.fixture(scope="session")
def yarn(home: Path, kdc: Kdc, hdfs: Hdfs) -> Iterator[Yarn]:
    Programs(kdc, hdfs, kdc.tickets("hdfs/localhost")).done("tests.kerberos.upload_tez", hdfs.uri)
    with running_yarn(home / "yarn", kdc, hdfs) as yarn:
        yield yarn


@pytest.fixture(scope="session")
def programs(kdc: Kdc, hdfs: Hdfs) -> Callable[[str], Programs]:
    """The programs of a user."""
    return lambda user: Programs(kdc, hdfs, kdc.tickets(user))


@pytest.fixture(scope="session")
def lake(hdfs: Hdfs, programs: Callable[[str], Programs]) -> str:
    """The URI of the folder with the tables, which alice has written."""
    lake = f"{hdfs.uri}/lake"
    programs("alice").done("tests.kerberos.write_tables", lake)
    return lake


@pytest.fixture(scope="session")
def metastore(home: Path, kdc: Kdc, hdfs: Hdfs) -> Iterator[str]:
    with running_secure_metastore(home / "metastore", kdc, hdfs) as uri:
        yield uri


@pytest.fixture(scope="session")
def hive(home: Path, kdc: Kdc, hdfs: Hdfs, metastore: str) -> Iterator[SecureHive]:
    """Reads files as the user who asks. Its environment names a ticket cache."""
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("KRB5CCNAME", str(kdc.no_tickets))
        with running_secure_hive(
            home / "hive", kdc, hdfs, metastore, impersonates=True, protection="auth"
        ) as hive:
            yield hive


@pytest.fixture(scope="session")
def plain_hive(home: Path, kdc: Kdc, hdfs: Hdfs, metastore: str) -> Iterator[SecureHive]:
    """Reads files as its own user, and encrypts what it sends."""
    with running_secure_hive(
        home / "plain_hive", kdc, hdfs, metastore, impersonates=False, protection="auth-conf"
    ) as hive:
        yield hive


@pytest.fixture(scope="module")
def signing_hive(home: Path, kdc: Kdc, hdfs: Hdfs, metastore: str) -> Iterator[SecureHive]:
    """Signs what it sends."""
    with running_secure_hive(
        home / "signing_hive", kdc, hdfs, metastore, impersonates=False, protection="auth-int"
    ) as hive:
        yield hive


@pytest.fixture(scope="session")
def drivers(home: Path, kdc: Kdc, hdfs: Hdfs) -> Iterator[dict[str, Any]]:
    """The JVMs with alice's and with bob's tickets."""
    with (
        jdbc_driver(kdc, hdfs, kdc.tickets("alice"), home) as alice,
        jdbc_driver(kdc, hdfs, kdc.tickets("bob"), home) as bob,
    ):
        yield {"alice": alice, "bob": bob}


@pytest.fixture(scope="session")
def alice(hive: SecureHive, drivers: dict[str, Any], lake: str) -> Iterator[Checker]:
    """Alice's session, in which the tables are made."""
    with JdbcSession(drivers["alice"], hive.url) as session:
        closed = f"{lake}{CLOSED}"
        for folder, name in ((closed, PRIVATE), (closed, UNINDEXED), (lake, PUBLIC)):
            session.rows(f"CREATE EXTERNAL TABLE {name} STORED BY '{HANDLER}' LOCATION '{folder}/{name}'")
        yield Checker(session, hive.scans, None)


@pytest.fixture(scope="session")
def bob(hive: SecureHive, drivers: dict[str, Any], alice: Checker) -> Iterator[Checker]:
    """Bob's session on the same server."""
    del alice  # only wanted because it has made the tables
    with JdbcSession(drivers["bob"], hive.url) as session:
        yield Checker(session, hive.scans, None)
