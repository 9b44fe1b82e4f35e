"""Hive's command-line client on an embedded server."""

import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pycompiler.hive.server.errors import HiveServerError
from pycompiler.hive.server.runtime import class_path
from pycompiler.installation import JVM_OPTIONS, find_java

_TIMEOUT_SECONDS: Final = 180.0


@dataclass(frozen=True, slots=True)
class BeelineResult:
    """The output of beeline, as on a terminal; the exit code is 0 if every statement succeeded."""

    output: str
    exit_code: int

    def table(self) -> list[list[str]]:
        """The cells of the last printed table, without its heading."""
        rows: list[list[str]] = []
        rules = 0
        for line in self.output.splitlines():
            if line.startswith("+-"):
                # A table has three rules: above the heading, below it, and at the end.
                rules += 1
                if rules % 3 == 1:
                    rows = []
            elif line.startswith("| ") and rules % 3 == 2:
                rows.append([cell.strip() for cell in line.strip("|").split("|")])
        return rows


def beeline_command(jdbc_url: str, *jvm_options: str) -> list[str]:
    """The command line for beeline on a server; beeline's own options may be appended.

    Raises:
        NotInstalledError: Beeline is not set up.
    """
    java = [str(find_java()), "-Xmx256m", *JVM_OPTIONS, *jvm_options, "-cp", class_path("beeline")]
    return [*java, "org.apache.hive.beeline.BeeLine", "-u", jdbc_url, "-n", "hive"]


def run_beeline(jdbc_url: str, sql: str) -> BeelineResult:
    """Runs statements, each ending in a semicolon, through beeline.

    Raises:
        NotInstalledError: Beeline is not set up.
        HiveServerError: Beeline did not finish in time.
    """
    with tempfile.TemporaryDirectory(prefix="beeline-") as directory:
        script = Path(directory) / "statements.sql"
        script.write_text(sql.rstrip() + "\n", encoding="utf-8")
        command = beeline_command(jdbc_url, f"-Duser.home={directory}")
        command += ["--color=false", "-f", str(script)]
        try:
            run = subprocess.run(
                command,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                timeout=_TIMEOUT_SECONDS,
                cwd=directory,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise HiveServerError(f"beeline did not finish within {_TIMEOUT_SECONDS:.0f} s") from None
    return BeelineResult(run.stdout, run.returncode)
