"""Programs of users, each with the tickets of its user."""

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from .hdfs import Hdfs
from .kdc import Kdc

_ROOT: Final = Path(__file__).resolve().parents[2]
_HUDI_CONF: Final = _ROOT / "tests" / "hudi_conf"


@dataclass(frozen=True, slots=True)
class Programs:
    """Runs programs as a user.

    Attributes:
        kdc: The Kerberos server.
        hdfs: Where tables are.
        tickets: The cache with the user's tickets, or without any.
    """

    kdc: Kdc
    hdfs: Hdfs
    tickets: Path

    def run(self, *module: str) -> subprocess.CompletedProcess[str]:
        """Runs a Python module with arguments, and waits until it has ended."""
        environment = self.kdc.environment(self.tickets) | {
            "HADOOP_CONF_DIR": str(self.hdfs.conf),
            "HUDI_CONF_DIR": str(_HUDI_CONF),
        }
        command = (sys.executable, "-m", *module)
        return subprocess.run(
            command, cwd=_ROOT, env=environment, capture_output=True, text=True, check=False
        )

    def done(self, *module: str) -> str:
        """Runs a module that must succeed, and returns what it prints."""
        done = self.run(*module)
        assert done.returncode == 0, f"{module}:\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def hudi_skip(self, *arguments: str) -> dict[str, Any]:
        """Runs `hudi-skip`, which must succeed, and returns its JSON output."""
        result: dict[str, Any] = json.loads(self.done("pycompiler", *arguments, "--json"))
        return result

    def refused(self, *arguments: str) -> str:
        """Runs `hudi-skip`, which must fail in one line without a stack trace; returns that line."""
        done = self.run("pycompiler", *arguments)
        assert done.returncode != 0, done.stdout
        # JVMs say what they take from the environment, and Spark's log has the rest.
        (line,) = (line for line in done.stderr.splitlines() if line.lower().startswith("error"))
        assert "Traceback" not in done.stderr, done.stderr
        return line
