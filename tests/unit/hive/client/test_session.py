"""Sessions of HiveServer2 that do not come about."""

import subprocess
import sys

import pytest

from pycompiler.hive.client.errors import HiveError
from pycompiler.hive.client.gssapi import SecurityContext
from pycompiler.hive.client.session import HiveSession
from pycompiler.hive.server.launch import free_ports


def test_a_command_that_no_server_answers_says_so_on_one_line() -> None:
    (port,) = free_ports(1)
    adopt = ("-m", "pycompiler", "adopt", "--hive", f"127.0.0.1:{port}", "default.t")
    done = subprocess.run([sys.executable, *adopt], capture_output=True, text=True, check=False)
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"error: no HiveServer2 answers at 127.0.0.1:{port}"), line


def test_a_login_ends_if_no_server_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    ended: list[SecurityContext] = []
    end = SecurityContext.close

    def close(context: SecurityContext) -> None:
        ended.append(context)
        end(context)

    monkeypatch.setattr(SecurityContext, "close", close)
    (port,) = free_ports(1)
    with pytest.raises(HiveError, match=f"no HiveServer2 answers at 127.0.0.1:{port}"):
        HiveSession(f"127.0.0.1:{port}/;principal=hive/_HOST@EXAMPLE.COM", None)
    assert len(ended) == 1
