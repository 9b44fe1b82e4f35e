"""The service as the handler's jar carries it: `compiler.pyz`, in a Python without any package."""

import json
import runpy
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pycompiler.compile.wire.handler import CompilerHandler
from pycompiler.installation import installation
from pycompiler.thrift_gen.constants import PROTOCOL_VERSION
from pycompiler.thrift_gen.ttypes import (
    ColumnSchema,
    CompileRequest,
    FilterNode,
    Literal,
    TableSchema,
)
from pycompiler.version import VERSION
from tests.unit.compile.wire.thrift_filters import call, column, constant, integer, tree

from .harness import SECONDS, Service

SCRIPT = runpy.run_path(str(installation() / "scripts" / "bundle_compiler.py"))
S, N = column("s", "string"), column("n", "int")


def text(value: str) -> FilterNode:
    return constant(Literal(type="string", stringValue=value.encode()))


def _request(*nodes: FilterNode) -> CompileRequest:
    return CompileRequest(
        protocolVersion=PROTOCOL_VERSION,
        fingerprint=b"f",
        filter=tree(*nodes),
        schema=TableSchema([ColumnSchema("s", "string"), ColumnSchema("n", "int")]),
        partitionColumns=["s"],
    )


REQUESTS = [
    _request(N, constant(integer(7, "int")), call("=", 2)),
    _request(S, call("upper", 1, "string"), text("LIMA"), call("=", 2)),
    _request(S, text("Li%"), call("like", 2)),
    _request(
        S,
        constant(integer(1, "int")),
        constant(integer(3, "int")),
        call("substr", 3, "string"),
        text("Lim"),
        call("=", 2),
    ),
    _request(
        N, constant(integer(10, "int")), call("+", 2, "int"), constant(integer(12, "int")), call("<", 2)
    ),
]


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("archive") / "compiler.pyz"
    SCRIPT["write_archive"](path)
    return path


@pytest.fixture
def isolated(archive: Path, tmp_path: Path) -> Iterator[Service]:
    """A service from a copy of the archive, which is deleted as soon as the service is ready."""
    copy = tmp_path / "compiler.pyz"
    copy.write_bytes(archive.read_bytes())
    log = tmp_path / "log"
    command = [
        sys.executable,
        "-I",
        "-S",
        "-B",
        copy,
        "--socket",
        tmp_path / "run" / "s",
        "--exit-on-stdin-close",
    ]
    with (
        log.open("w") as errors,
        subprocess.Popen(
            [*map(str, command)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True
        ) as process,
    ):
        assert process.stdout is not None and process.stdin is not None
        line = process.stdout.readline()
        assert line, log.read_text(encoding="utf-8")
        copy.unlink()
        yield Service(process, json.loads(line)["address"], log)
        process.stdin.close()
        process.wait(SECONDS)


def test_it_answers_as_the_installed_compiler_and_loads_nothing_later(isolated: Service) -> None:
    handler: Any = CompilerHandler()
    with isolated.client() as client:
        assert client.describe().version == VERSION
        for request in REQUESTS:
            assert client.compile(request) == handler.compile(request)
    assert "Error" not in isolated.log.read_text(encoding="utf-8")


def test_equal_sources_make_equal_archives(archive: Path, tmp_path: Path) -> None:
    again = tmp_path / "again.pyz"
    SCRIPT["write_archive"](again)
    assert again.read_bytes() == archive.read_bytes()
    assert len(again.read_bytes()) < 400_000, "it is copied at each start"
