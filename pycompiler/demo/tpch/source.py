"""The tables of TPC-H, from the generator `tpchgen-cli`."""

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

from pyarrow import parquet

from pycompiler.demo.common.lake import DemoDataError, SourceTable

_GENERATOR: Final = "tpchgen-cli"


def generate(name: str, scale: float, directory: Path) -> SourceTable:
    """Writes a table to `directory`, unless it is there.

    Each scale factor needs a directory of its own. A scale of 1 has 6 million rows of lineitem.

    Raises:
        DemoDataError: The generator is not installed, or failed; the message says what to do.
    """
    target = directory / f"{name}.parquet"
    if not target.exists():
        partial = directory / "partial"
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir(parents=True)
        _run("parquet", f"--scale-factor={scale:g}", f"--tables={name}", f"--output-dir={partial}", "--quiet")
        (partial / target.name).rename(target)
        partial.rmdir()
    return SourceTable(name, target, parquet.read_metadata(target).num_rows)


def _run(*arguments: str) -> None:
    # From this Python's environment, which need not be activated.
    beside = Path(sys.executable).parent / _GENERATOR
    try:
        done = subprocess.run([str(beside), *arguments], capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise DemoDataError(f"{beside} is missing; run `make setup`") from None
    if done.returncode != 0:
        reason = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
        raise DemoDataError(f"{_GENERATOR} failed: {reason[-1]}")
