"""Addresses of HiveServer2, as beeline takes them."""

import socket

import pytest

from pycompiler.hive.client.address import HiveAddress
from pycompiler.hive.client.errors import HiveError


def test_an_address_may_be_beelines_url_with_a_database_and_a_principal() -> None:
    plain = HiveAddress("hive.example", 10000)
    secure = HiveAddress("hive.example", 10000, "default", "hive/node1@EXAMPLE.COM")
    assert HiveAddress.parse("hive.example:10000") == plain
    assert HiveAddress.parse("jdbc:hive2://hive.example:10000/default") == plain
    assert HiveAddress.parse("hive.example:10000/lake") == HiveAddress("hive.example", 10000, "lake")
    for before in ("hive.example:10000", "hive.example:10000/", "jdbc:hive2://hive.example:10000/default"):
        assert HiveAddress.parse(f"{before};principal=hive/node1@EXAMPLE.COM") == secure
    assert str(secure) == "hive.example:10000"


def test_the_hosts_name_takes_the_place_of_host_in_a_principal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "getfqdn", lambda host: {"10.0.0.7": "Node7.Example"}[host])
    address = HiveAddress.parse("10.0.0.7:10000/;principal=hive/_HOST@EXAMPLE.COM")
    assert address.principal == "hive/node7.example@EXAMPLE.COM"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hive.example", "is not an address; use the format host:port"),
        ("hive.example:port", "is not an address"),
        ("zk1:2181,zk2:2181/;serviceDiscoveryMode=zooKeeper", "is not an address"),
        ("hive.example:10000/;ssl=true;principal=hive/a@B", "knows no variable but principal; leave out ssl"),
        ("hive.example:10000/;principal=hive", "hive is not the principal of a server"),
        ("hive.example:10000/;principal=hive/_HOST", "use the format hive/_HOST@REALM"),
    ],
)
def test_what_is_no_address_or_means_something_only_to_beeline_is_refused(text: str, message: str) -> None:
    with pytest.raises(HiveError, match=message):
        HiveAddress.parse(text)
