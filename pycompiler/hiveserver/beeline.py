"""Hive's own command-line client against an embedded server."""

import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from pycompiler.hiveserver.errors import HiveServerError
from pycompiler.hiveserver.runtime import JVM_OPTIONS, HiveRuntime


@dataclass(frozen=True, slots=True)
class BeelineResult:
    """What beeline printed, as a terminal would show it.

    Attributes:
        output: Standard output and standard error, in the order in which they came.
        exit_code: 0 when every statement succeeded.
    """

    output: str
    exit_code: int

    def table(self) -> list[list[str]]:
        """The cells of the last table that was printed, without its heading."""
        rows: list[list[str]] = []
        rules = 0
        for line in self.output.splitlines():
            if line.startswith("+-"):
                # Three rules make a table: above the heading, below it, at the end.
                rules += 1
                if rules % 3 == 1:
                    rows = []
            elif line.startswith("| ") and rules % 3 == 2:
                rows.append([cell.strip() for cell in line.strip("|").split("|")])
        return rows


def beeline_command(jdbc_url: str, *jvm_options: str) -> list[str]:
    """The command line that opens beeline on a server; beeline's own options may follow it.

    Raises:
        HiveServerError: Beeline is not set up.
    """
    runtime = HiveRuntime.find()
    return [
        str(runtime.java),
        "-Xmx256m",
        *JVM_OPTIONS,
        *jvm_options,
        "-cp",
        runtime.beeline_class_path,
        "org.apache.hive.beeline.BeeLine",
        "-u",
        jdbc_url,
        "-n",
        "hive",
    ]


def run_beeline(jdbc_url: str, sql: str, *, silent: bool = False, timeout: float = 180.0) -> BeelineResult:
    """Runs statements through beeline.

    Args:
        jdbc_url: Address of the server, such as `HiveServer.jdbc_url`.
        sql: One or more statements, each ended by a semicolon.
        silent: Prints the tables alone.
        timeout: Seconds for the whole run.

    Raises:
        HiveServerError: Beeline is not set up, or did not end in time.
    """
    with tempfile.TemporaryDirectory(prefix="beeline-") as directory:
        script = Path(directory) / "statements.sql"
        script.write_text(sql.rstrip() + "\n", encoding="utf-8")
        command = [
            *beeline_command(jdbc_url, f"-Duser.home={directory}"),
            f"--silent={str(silent).lower()}",
            "--color=false",
            "-f",
            str(script),
        ]
        try:
            run = subprocess.run(
                command,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                timeout=timeout,
                cwd=directory,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise HiveServerError(f"beeline did not end within {timeout:.0f} s") from None
    return BeelineResult(run.stdout, run.returncode)
