"""Bytes that no Thrift client would send. Each case must close that connection only."""

import os
import random
import socket
import struct
import time
from pathlib import Path

import pytest
from thrift.protocol.TCompactProtocol import TCompactProtocolAccelerated
from thrift.transport.TTransport import TMemoryBuffer

from pycompiler.thrift_gen import PredicateCompiler
from pycompiler.thrift_gen.ttypes import CompileRequest

from .conftest import StartService
from .filters import equals, is_in
from .harness import Service, frame

pytestmark = pytest.mark.slow

# Compact protocol: a call of `compile` with sequence id 0, up to where its arguments begin.
CALL = b"\x82\x21\x00\x07compile"
FIELD_1_STRUCT, FIELD_4_STRUCT = b"\x1c", b"\x4c"
FIELD_1_LIST, FIELD_15_STRUCT = b"\x19", b"\xfc"
LIST_OF_STRUCTS = b"\xfc"
# Up to the number of nodes in the request's filter.
NODES = CALL + FIELD_1_STRUCT + FIELD_4_STRUCT + FIELD_1_LIST + LIST_OF_STRUCTS


def varint(number: int) -> bytes:
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*out, number])


def encoded(value: int) -> bytes:
    return request_of(equals(value))


def request_of(asked: CompileRequest) -> bytes:
    buffer = TMemoryBuffer()
    PredicateCompiler.Client(TCompactProtocolAccelerated(buffer)).send_compile(asked)
    return bytes(buffer.getvalue())


def assert_still_serves(service: Service) -> None:
    assert service.process.poll() is None, f"the service died: {service.logged()}"
    with service.client() as client:
        assert client.compile(equals(7)).description == "a = 7"


def assert_closed(service: Service, sent: bytes) -> None:
    with service.connect() as sock:
        sock.sendall(sent)
        assert service.is_closed_by_service(sock), "the connection should have been closed without an answer"


GARBAGE = {
    "http": b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "tls": bytes.fromhex("16030100c8010000c40303") + b"\xaa" * 200,
    "negative length": b"\xff\xff\xff\xff",
    "least length": struct.pack("!i", -(2**31)),
    "greatest length": struct.pack("!i", 2**31 - 1),
    "length over the limit": struct.pack("!i", 4 * 1024 * 1024 + 1),
    "empty frame": frame(b""),
    "zeros in a frame": frame(bytes(1000)),
    "binary protocol": frame(b"\x80\x01\x00\x01\x00\x00\x00\x08describe\x00\x00\x00\x00\x00"),
    "other version of the protocol": frame(b"\x82\x22\x00\x07compile\x00"),
    "name that is not UTF-8": frame(b"\x82\x21\x00\x02\xff\xfe\x00"),
    "cut in the middle": frame(encoded(1)[:-9]),
    "string longer than the frame": frame(
        CALL + FIELD_1_STRUCT + b"\x28" + varint(2**31 - 1) + b"abc" + b"\0\0"
    ),
    "list longer than the frame": frame(NODES + varint(2**31 - 1) + bytes(50)),
    "list of negative length": frame(NODES + b"\xff" * 9 + b"\x01" + bytes(50)),
    "number that never ends": frame(b"\x82\x21" + b"\xff" * 1000),
    "a million levels of unknown structs": frame(CALL + FIELD_1_STRUCT + FIELD_15_STRUCT * 1_000_000),
    "a million levels of unknown lists": frame(CALL + FIELD_1_STRUCT + b"\xf9" + b"\x19" * 1_000_000),
}


@pytest.mark.selected(6)
@pytest.mark.parametrize("sent", GARBAGE.values(), ids=GARBAGE.keys())
def test_garbage_closes_that_connection_only(start_service: StartService, sent: bytes) -> None:
    service = start_service()
    with service.client() as bystander:
        assert_closed(service, sent)
        assert bystander.compile(equals(3)).description == "a = 3", "another client must not notice"
    assert "connection closed" in service.logged(), "the operator should see why"
    assert_still_serves(service)


def test_random_bytes_never_bring_the_service_down(service: Service) -> None:
    randomness = random.Random(20260101)
    good = encoded(1)
    for _ in range(300):
        changed = bytearray(good)
        for _ in range(randomness.randint(1, 4)):
            changed[randomness.randrange(len(changed))] = randomness.randrange(256)
        with service.connect() as sock:
            sock.sendall(frame(bytes(changed)))
            sock.recv(1)  # an answer or the end, but not silence
    assert_still_serves(service)


def test_an_unknown_method_is_answered_as_thrift_says(service: Service) -> None:
    with service.connect() as sock:
        sock.sendall(frame(b"\x82\x21\x05\x06nosuch\x00"))
        (length,) = struct.unpack("!i", sock.recv(4, socket.MSG_WAITALL))
        answer = sock.recv(length, socket.MSG_WAITALL)
    assert answer.startswith(b"\x82\x61\x05\x06nosuch"), "an EXCEPTION message with the same name and id"
    assert_still_serves(service)


def test_half_a_frame_is_given_up_after_the_deadline_and_blocks_nobody(start_service: StartService) -> None:
    service = start_service(frame_seconds=1)
    began = time.monotonic()
    halves = [service.connect() for _ in range(20)]
    for number, sock in enumerate(halves):
        # Some do not even send a whole length.
        sock.sendall(frame(encoded(1))[: 2 if number % 2 else -5])
    with service.client() as client:
        for value in range(50):
            client.compile(equals(value))
    assert time.monotonic() - began < 1, "other clients must not wait for the half frames"
    for sock in halves:
        assert service.is_closed_by_service(sock)
        sock.close()
    assert "did not finish its request within 1 s" in service.logged()


def test_a_trickle_of_bytes_does_not_extend_the_deadline(start_service: StartService) -> None:
    service = start_service(frame_seconds=0.5)
    with service.connect() as sock:
        began = time.monotonic()
        with pytest.raises(OSError):  # noqa: PT011 - broken pipe or reset, whichever comes first
            for byte in frame(encoded(1) * 100):
                sock.sendall(bytes([byte]))
                time.sleep(0.05)
        assert 0.4 < time.monotonic() - began < 5


def test_a_client_that_never_reads_is_given_up(start_service: StartService) -> None:
    service = start_service(frame_seconds=0.5)
    with service.connect() as sock:
        sock.settimeout(0.2)
        call = frame(encoded(1))
        with pytest.raises(OSError):  # noqa: PT011 - its pipe fills up, then the service hangs up
            for _ in range(200_000):
                sock.sendall(call * 10)
        assert_still_serves(service)
        deadline = time.monotonic() + 10
        while "did not take its response" not in service.logged():
            assert time.monotonic() < deadline, "a response that nobody takes must not wait for ever"
            time.sleep(0.05)


@pytest.mark.parametrize("cut", [1, 20, 10_000])
def test_requests_are_answered_in_order_however_the_stream_is_cut(service: Service, cut: int) -> None:
    stream = b"".join(frame(encoded(value)) for value in range(20))
    with service.connect() as sock:
        for start in range(0, len(stream), cut):
            sock.sendall(stream[start : start + cut])
            time.sleep(0.001)
        for value in range(20):
            (length,) = struct.unpack("!i", sock.recv(4, socket.MSG_WAITALL))
            assert f"a = {value}".encode() in sock.recv(length, socket.MSG_WAITALL)


def test_a_client_that_ends_its_side_is_still_answered(service: Service) -> None:
    with service.connect() as sock:
        sock.sendall(frame(request_of(is_in(range(9_000)))))
        time.sleep(0.01)  # the answer has begun
        sock.shutdown(socket.SHUT_WR)
        (length,) = struct.unpack("!i", sock.recv(4, socket.MSG_WAITALL))
        assert len(sock.recv(length, socket.MSG_WAITALL)) == length
        assert service.is_closed_by_service(sock)


def test_a_connection_that_breaks_is_logged(start_service: StartService) -> None:
    service = start_service("--port", "0")
    with service.connect() as sock:
        sock.sendall(frame(encoded(1)))
        sock.recv(1)
        # Closing then resets the connection.
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    assert_still_serves(service)
    deadline = time.monotonic() + 10
    while "Connection reset by peer" not in service.logged():
        assert time.monotonic() < deadline, "the operator should see why"
        time.sleep(0.05)


def test_idle_clients_give_way_when_all_places_are_taken(start_service: StartService) -> None:
    service = start_service(max_connections=4)
    idle = [service.connect() for _ in range(4)]
    for sock in idle[1:]:
        sock.sendall(frame(encoded(1)))
        sock.recv(4)
    assert_still_serves(service)
    assert service.is_closed_by_service(idle[0]), "the longest idle connection is closed"
    for sock in idle:
        sock.close()


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="reads memory from /proc")
def test_a_frame_of_four_million_one_byte_structs_costs_no_gigabytes(start_service: StartService) -> None:
    service = start_service()
    count = 4_000_000
    assert_closed(service, frame(NODES + varint(count) + bytes(count) + b"\0\0\0"))
    status = Path(f"/proc/{service.process.pid}/status").read_text()
    peak = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM"))
    assert peak < 200 * 1024, f"the service took {peak} KiB"
    assert_still_serves(service)


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="counts descriptors in /proc")
def test_no_descriptors_are_lost_over_many_connections(service: Service) -> None:
    descriptors = Path(f"/proc/{service.process.pid}/fd")
    assert_still_serves(service)
    before = len(os.listdir(descriptors))
    for _ in range(100):
        with service.connect() as sock:
            sock.sendall(b"x")
        assert_still_serves(service)
    assert len(os.listdir(descriptors)) <= before + 2
