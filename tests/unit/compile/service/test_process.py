import logging
import signal
import stat
import subprocess
import time
from pathlib import Path

import pytest
from thrift.protocol.TCompactProtocol import TCompactProtocol
from thrift.transport.TTransport import TMemoryBuffer

from pycompiler.compile.wire import handler
from pycompiler.compile.wire.dispatch import Dispatcher
from pycompiler.compile.wire.handler import CompilerHandler
from pycompiler.thrift_gen import PredicateCompiler
from pycompiler.thrift_gen.ttypes import (
    CompileError,
    CompileErrorCode,
    CompileRequest,
    CompileResponse,
)

from .conftest import SERVE, StartService
from .filters import equals, is_in
from .harness import SECONDS, Service

pytestmark = pytest.mark.slow


@pytest.fixture
def socket_path(tmp_path: Path) -> Path:
    return tmp_path / "run" / "compiler.sock"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_cleanly(
    start_service: StartService, socket_path: Path, number: signal.Signals
) -> None:
    service = start_service("--socket", str(socket_path))
    with service.client() as client:
        client.compile(equals(1))
        service.process.send_signal(number)
        assert service.process.wait(SECONDS) == 0
    assert not socket_path.parent.exists(), "the socket and the directory that it made are removed"
    assert "Traceback" not in service.logged()


def test_it_ends_when_stdin_does(start_service: StartService, socket_path: Path) -> None:
    service = start_service("--socket", str(socket_path))
    assert service.stop() == 0
    assert not socket_path.parent.exists()


def test_stdin_does_not_matter_unless_asked(tmp_path: Path) -> None:
    with subprocess.Popen(
        [*SERVE, "--port", "0"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline()
        time.sleep(0.3)
        assert process.poll() is None
        process.terminate()
        assert process.wait(SECONDS) == 0


def test_stdout_is_exactly_one_line_of_json(start_service: StartService, socket_path: Path) -> None:
    service = start_service("--socket", str(socket_path))
    assert service.address == f"unix:{socket_path}"
    with service.client() as client:
        client.compile(equals(1))
    assert service.process.stdin is not None
    assert service.process.stdout is not None
    service.process.stdin.close()
    assert service.process.stdout.read() == "", "logs belong on stderr"


def test_without_an_address_it_takes_a_private_socket(start_service: StartService) -> None:
    service = start_service()
    path = Path(service.address.removeprefix("unix:"))
    assert service.address.startswith("unix:")
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert service.stop() == 0
    assert not path.parent.exists()


def test_killed_it_leaves_a_socket_that_the_next_one_replaces(
    start_service: StartService, socket_path: Path
) -> None:
    first = start_service("--socket", str(socket_path))
    with first.client() as client:
        client.compile(equals(1))
        first.process.kill()
        first.process.wait(SECONDS)
        began = time.monotonic()
        with pytest.raises(Exception):  # noqa: B017, PT011 - EOF, reset or a broken pipe
            client.compile(equals(2))
        assert time.monotonic() - began < 2, "a client must notice at once"
    assert socket_path.exists()
    second = start_service("--socket", str(socket_path))
    with second.client() as client:
        assert client.compile(equals(3)).description == "a = 3"


def serve(*options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*SERVE, *options], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=SECONDS
    )


def test_a_second_one_on_the_same_socket_fails_with_one_line(
    start_service: StartService, socket_path: Path
) -> None:
    first = start_service("--socket", str(socket_path))
    second = serve("--socket", str(socket_path))
    assert (second.returncode, second.stdout) == (1, "")
    assert second.stderr == (
        f"error: {socket_path} is in use by a running service; stop it or choose another path\n"
    )
    with first.client() as client:
        assert client.compile(equals(1)).description == "a = 1", "the socket stays"


def test_a_taken_port_fails_with_one_line(start_service: StartService) -> None:
    port = start_service("--port", "0").address.rsplit(":", 1)[1]
    second = serve("--port", port)
    assert (second.returncode, second.stdout) == (1, "")
    assert second.stderr.count("\n") == 1
    assert "the port is in use; choose another, or 0 for a free one" in second.stderr


def test_work_that_has_begun_is_answered_before_it_ends(start_service: StartService) -> None:
    service: Service = start_service()
    with service.client() as client:
        client.send_compile(is_in(range(9_000)))
        time.sleep(0.01)
        service.process.terminate()
        response = client.recv_compile()
    assert response.description.startswith("a in (0, 1, 2")
    assert service.process.wait(SECONDS) == 0


def test_an_unexpected_failure_is_internal_and_its_traceback_logged(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(request: CompileRequest) -> CompileResponse:
        raise ZeroDivisionError("a defect")

    monkeypatch.setattr(handler, "compile_request", fail)
    with caplog.at_level(logging.ERROR), pytest.raises(CompileError) as failed:
        CompilerHandler().compile(equals(1))
    assert failed.value.code == CompileErrorCode.INTERNAL
    assert failed.value.message == "ZeroDivisionError: a defect"
    assert "Traceback" in caplog.text


def test_a_response_beyond_the_limit_is_refused() -> None:
    call = TMemoryBuffer()
    PredicateCompiler.Client(TCompactProtocol(call)).send_compile(is_in(range(5_000)))
    answer = Dispatcher(CompilerHandler(), 1_000_000, max_response_bytes=1024).call(call.getvalue())
    with pytest.raises(CompileError) as refused:
        PredicateCompiler.Client(TCompactProtocol(TMemoryBuffer(answer))).recv_compile()
    assert refused.value.code == CompileErrorCode.TOO_LARGE
