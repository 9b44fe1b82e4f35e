import subprocess
import sys
from pathlib import Path

from pycompiler.hive.server import HiveServer
from pycompiler.installation import installation
from pycompiler.tools.scan_log.scans import read_scans

from .flights import FLIGHTS, FOURTH, late_on

PROGRAM = installation() / "examples" / "sqlalchemy" / "late_flights.py"


def test_the_program_prints_the_late_flights_and_draws_the_one_file_that_it_read(
    server: HiveServer, database: str, tmp_path: Path
) -> None:
    done = subprocess.run(
        [sys.executable, PROGRAM, f"hive://{server.address}/{database}", server.log, str(FOURTH)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    printed = [tuple(line.split()) for line in done.stdout.splitlines()]
    assert printed == [(origin, str(late)) for origin, late in late_on(FOURTH)]
    (scan,) = read_scans(server.log, tag="late_flights")
    assert (scan.kept, scan.files) == (1, len(FLIGHTS.files)), scan.line
    page = (tmp_path / "late_flights.html").read_text(encoding="utf-8")
    assert scan.query in page, "the page is not about the query"
