import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from .harness import SECONDS, Service

StartService = Callable[..., Service]
SERVE = (sys.executable, "-m", "pycompiler", "compiler", "serve")
_SERVE = """
import asyncio, logging, sys
from pycompiler.compile.service import limits, process, transport

logging.basicConfig(stream=sys.stderr, level=logging.INFO)
others = limits.ServiceLimits(**{})
serving = process.serve(
    transport.listen_unix(), exit_on_stdin_close=True, ready=sys.stdout, limits=others
)
asyncio.run(serving)
"""
"""A service with limits that the command line does not offer."""


@pytest.fixture
def start_service(tmp_path: Path) -> Iterator[StartService]:
    """Starts services with options of the command line, or with other limits; they end with the test."""
    started: list[Service] = []

    def start(*options: str, **limits: float) -> Service:
        log = tmp_path / f"service-{len(started)}.log"
        with log.open("w") as stderr:
            process = subprocess.Popen(
                [sys.executable, "-c", _SERVE.format(limits)]
                if limits
                else [*SERVE, "--exit-on-stdin-close", *options],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=stderr,
                text=True,
            )
        assert process.stdout is not None
        line = process.stdout.readline()
        if not line:
            process.wait(SECONDS)
            pytest.fail(f"the service did not start: {log.read_text(encoding='utf-8')}")
        service = Service(process, json.loads(line)["address"], log)
        started.append(service)
        return service

    yield start
    for service in started:
        for pipe in (service.process.stdin, service.process.stdout):
            assert pipe is not None
            pipe.close()
        try:
            service.process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            service.process.kill()
            service.process.wait()


@pytest.fixture(params=["unix", "loopback"])
def transport(request: pytest.FixtureRequest, tmp_path: Path) -> list[str]:
    """The options for each of the two transports."""
    if request.param == "unix":
        return ["--socket", str(tmp_path / "run" / "compiler.sock")]
    return ["--port", "0"]


@pytest.fixture
def service(start_service: StartService, transport: list[str]) -> Service:
    """A service with its default limits, over each transport."""
    return start_service(*transport)
