"""The tables of TPC-H, from the generator `tpchgen-cli`, and a dimension of days, which TPC-H lacks."""

import datetime as dt
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pyarrow as pa
from pyarrow import parquet

from examples.demo.lake import DemoDataError, SourceTable

_GENERATOR: Final = "tpchgen-cli"
_FIRST_DAY: Final = dt.date(1992, 1, 1)
_LAST_DAY: Final = dt.date(1998, 12, 31)


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


def generate_days(directory: Path) -> SourceTable:
    """Writes a table `days` to `directory`, unless it is there: a row for each day of TPC-H's seven years."""
    target = directory / "days.parquet"
    days = [_FIRST_DAY + dt.timedelta(days=day) for day in range((_LAST_DAY - _FIRST_DAY).days + 1)]
    if not target.exists():
        directory.mkdir(parents=True, exist_ok=True)
        partial = directory / "days.partial"
        parquet.write_table(
            pa.table(
                {
                    "d_date": days,
                    "d_year": pa.array([day.year for day in days], pa.int32()),
                    "d_month": pa.array([day.month for day in days], pa.int32()),
                    "d_weekday": [f"{day:%A}" for day in days],
                }
            ),
            partial,
        )
        partial.rename(target)
    return SourceTable("days", target, len(days))


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
