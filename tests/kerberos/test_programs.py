"""Indexes on an HDFS that asks for tickets, and commands of users with and without them."""

import json
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from ..clusters.tables import EVENTS_PER_FILE
from ..e2e.harness.check import Checker
from .hdfs import Hdfs
from .hive import SecureHive
from .kdc import HOST, REALM, Kdc
from .meddler import meddling
from .programs import Programs
from .write_tables import CLOSED, FILES, PRIVATE, SHARED, UNINDEXED

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


def test_explain_without_an_index_reads_as_the_user_and_says_what_hive_then_reads(
    programs: Callable[[str], Programs], alice: Checker, lake: str
) -> None:
    table = f"{lake}{CLOSED}/{UNINDEXED}"
    scan = alice.run(f"select id, amount from {UNINDEXED} where id = 60").kept(1).scan
    told = programs("alice").hudi_skip("explain", table, *_WHERE)
    assert (told["generation"], told["bytes_kept"]) == (None, scan.kept_size), told
    assert (_kept(told), told["files_total"]) == (1, FILES) == (scan.kept, scan.files), (told, scan.line)
    assert f'index="{told["source"]}"' in scan.line, scan.line
    refused = programs("bob").refused("explain", table, *_WHERE)
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


def test_commands_that_ask_hive_log_in_with_the_ticket(
    programs: Callable[[str], Programs], hive: SecureHive, alice: Checker, tmp_path: Path
) -> None:
    del alice  # only wanted because it has made the tables
    done = programs("alice").run("pycompiler", "doctor", "--hive", hive.principal_url, "--json")
    state = {check["subject"]: check["state"] for check in json.loads(done.stdout)["checks"]}
    of_server = ("HiveServer2", "handler in HiveServer2", "compiler in HiveServer2")
    assert {state[subject] for subject in of_server} == {"ok"}, done.stdout

    said = programs("alice").refused("adopt", "--hive", hive.principal_url, f"default.{PRIVATE}")
    assert "Kerberos" not in said and PRIVATE in said, said

    query = tmp_path / "pulled.sql"
    query.write_text(f"select id, amount from default.{PRIVATE} where id <> 1", encoding="utf-8")
    names = ("--source", f"default.{PRIVATE}", "--target", "default.pulled", "--sql", str(query))
    pull = ("pull", "--hive", hive.principal_url, *names, "--from", "0", "--dry-run")
    assert programs("alice").hudi_skip(*pull)["commits"] == 1
    # The server reads as the user of the ticket.
    assert "Permission denied: user=bob" in programs("bob").refused(*pull)


@pytest.mark.parametrize("server", ["signing_hive", "plain_hive"])
def test_a_connection_that_the_server_signs_or_encrypts_carries_statements_and_rows(
    programs: Callable[[str], Programs], server: str, request: pytest.FixtureRequest
) -> None:
    hive: SecureHive = request.getfixturevalue(server)
    done = programs("alice").run("pycompiler", "doctor", "--hive", hive.principal_url, "--json")
    state = {check["subject"]: check["state"] for check in json.loads(done.stdout)["checks"]}
    assert state["handler in HiveServer2"] == "ok", done.stdout


def _changed(message: bytes) -> bytes:
    return message[:-1] + bytes([message[-1] ^ 1])


def _repeated(message: bytes) -> bytes:
    return message + message


@pytest.mark.parametrize(
    ("meddle", "said"),
    [
        (_changed, "an answer did not arrive as the server sent it"),
        (_repeated, "answers of the server are missing, or come twice"),
    ],
)
@pytest.mark.parametrize("server", ["signing_hive", "plain_hive"])
def test_a_signed_or_encrypted_answer_that_somebody_has_changed_or_repeated_is_refused(
    programs: Callable[[str], Programs],
    server: str,
    meddle: Callable[[bytes], bytes],
    said: str,
    request: pytest.FixtureRequest,
) -> None:
    hive: SecureHive = request.getfixturevalue(server)
    _, _, port = hive.address.partition(":")
    with meddling(int(port), meddle) as other:
        address = hive.principal_url.replace(hive.address, f"{HOST}:{other}")
        refused = programs("alice").refused("adopt", "default.events", "--hive", address)
    assert said in refused and "kinit" not in refused, refused


def test_a_login_that_fails_says_why(
    programs: Callable[[str], Programs], kdc: Kdc, hdfs: Hdfs, hive: SecureHive
) -> None:
    adopt = ("adopt", "default.events", "--hive")
    other = f"{hive.address}/;principal=hive/other@{REALM}"
    for user, address, said in (
        (programs("alice"), hive.address, "use an address with its principal: HOST:PORT/;principal=hive/"),
        (Programs(kdc, hdfs, kdc.no_tickets), hive.principal_url, "No Kerberos credentials available"),
        (Programs(kdc, hdfs, kdc.no_tickets), hive.principal_url, "kinit gets a ticket"),
        (programs("alice"), other, "not found in Kerberos database"),
    ):
        refused = user.refused(*adopt, address)
        assert said in refused and hive.address in refused, refused
    assert "leave out bob" in programs("alice").refused(*adopt, hive.principal_url, "--user", "bob")


def _kept(explanation: dict[str, object]) -> object:
    return explanation["files_kept"]
