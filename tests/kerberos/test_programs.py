"""Indexes on an HDFS that asks for tickets, and commands of users with and without them."""

import time
from collections.abc import Callable

from ..clusters.tables import EVENTS_PER_FILE
from .hdfs import Hdfs
from .hive import SecureHive
from .kdc import Kdc
from .programs import Programs
from .write_tables import CLOSED, FILES, PRIVATE, SHARED

_WHERE = ("--where", "id = 60")


def test_a_member_of_the_group_updates_an_index_and_others_are_refused_without_a_trace(
    programs: Callable[[str], Programs], lake: str
) -> None:
    table = f"{lake}{CLOSED}/{SHARED}"
    before = programs("alice").hudi_skip("explain", table, *_WHERE)
    refused = programs("bob").refused("index", "update", table)
    assert "Permission denied: user=bob" in refused, refused
    assert programs("alice").hudi_skip("explain", table, *_WHERE) == before

    programs("carol").hudi_skip("index", "update", table)
    # Both see all files, also that of the commit that alice had not indexed, and none twice.
    for user in ("alice", "carol"):
        whole = programs(user).hudi_skip("explain", table, "--where", "id >= 0")
        last = programs(user).hudi_skip("explain", table, "--where", f"id >= {FILES * EVENTS_PER_FILE}")
        assert (_kept(whole), _kept(last)) == (FILES + 1, 1), (whole, last)


def test_explain_reads_as_the_user_whose_ticket_it_has(
    programs: Callable[[str], Programs], lake: str
) -> None:
    assert _kept(programs("alice").hudi_skip("explain", f"{lake}{CLOSED}/{PRIVATE}", *_WHERE)) == 1
    refused = programs("bob").refused("explain", f"{lake}{CLOSED}/{PRIVATE}", *_WHERE)
    assert "Permission denied: user=bob" in refused and "org.apache" not in refused, refused


def test_without_a_ticket_the_error_says_what_to_do(kdc: Kdc, hdfs: Hdfs, lake: str) -> None:
    nobody = Programs(kdc, hdfs, kdc.no_tickets)
    for command in (
        ("explain", f"{lake}{CLOSED}/{PRIVATE}", *_WHERE),
        ("index", "status", f"{lake}{CLOSED}/{PRIVATE}"),
    ):
        refused = nobody.refused(*command)
        assert "No Kerberos credentials available" in refused and "kinit" in refused, refused


def test_with_an_expired_ticket_the_error_says_so(kdc: Kdc, hdfs: Hdfs, lake: str) -> None:
    late = Programs(kdc, hdfs, kdc.tickets("alice", lifetime="5s"))  # The server gives none for less.
    time.sleep(6)
    refused = late.refused("explain", f"{lake}{CLOSED}/{PRIVATE}", *_WHERE)
    assert "Ticket expired" in refused and "kinit" in refused, refused


def test_commands_that_ask_hive_say_that_they_cannot_log_in(
    programs: Callable[[str], Programs], hive: SecureHive
) -> None:
    refused = programs("alice").refused("adopt", "--hive", hive.address, "default.events")
    assert "Kerberos" in refused and hive.address in refused, refused


def _kept(explanation: dict[str, object]) -> object:
    return explanation["files_kept"]
