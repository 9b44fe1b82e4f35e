"""The command line, in this process and its Spark session."""

import json
from typing import Any

from typer.testing import CliRunner

from pycompiler.tools.cli.main import app


def hudi_skip(*arguments: str) -> dict[str, Any]:
    """Runs `hudi-skip` and returns its JSON output."""
    done = CliRunner().invoke(app, [*arguments, "--json"])
    assert done.exit_code == 0, f"{arguments}: {done.stdout}\n{done.stderr}"
    result: dict[str, Any] = json.loads(done.stdout)
    return result
