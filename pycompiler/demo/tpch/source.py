"""The tables of TPC-H, from the generator `tpchgen-cli`."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

from pyarrow import parquet

from pycompiler.demo.common.source import DemoDataError, SourceTable

_GENERATOR: Final = "tpchgen-cli"


def generate(name: str, scale: float, directory: Path) -> SourceTable:
    """Writes a table to `directory`, unless it is there.

    Args:
        name: `lineitem` or another table of TPC-H.
        scale: Scale factor: 1 makes 6 million rows of lineitem.
        directory: One for each scale.

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
    # The one of this Python's environment, which need not be activated.
    beside = Path(sys.executable).parent / _GENERATOR
    try:
        done = subprocess.run([str(beside), *arguments], capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise DemoDataError(f"there is no {beside}; run `make setup`") from None
    if done.returncode != 0:
        reason = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
        raise DemoDataError(f"{_GENERATOR} failed: {reason[-1]}")
