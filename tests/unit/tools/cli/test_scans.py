from pathlib import Path

import pytest
from typer.testing import CliRunner

from pycompiler.tools.cli.main import app

from .conftest import Run, failed_with_one_line, result_of

LINES = """\
2026-01-01 12:00:00.000 INFO  [Map 1] io.hudiskip.scan: hudi-skip scan query=q1 tag=nightly \
table=/lake/flights files=68 kept=2 bytes=9210000 kept_bytes=270000 generation=1 instant=20260101 \
source=pushed ms=7 expression="day = '2013-07-04'"
2026-01-01 12:00:00.500 WARN  [main] something.else: files=3
2026-01-01 12:00:01.000 INFO  [main] io.hudiskip.scan: hudi-skip scan query=q2 tag= \
table=/lake/trains files=150 kept=150 bytes=900000000 kept_bytes=900000000 \
source=none ms=3 reason="the scan has no filter"
2026-01-01 12:00:02.000 INFO  [main] io.hudiskip.scan: hudi-skip scan query=q3 tag=nightly \
table=/lake/flights files=68 kept=68 bytes=9210000 kept_bytes=9210000 \
source=none ms=3 reason="no statistics index"
"""


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "hiveserver.log"
    path.write_text(LINES, encoding="utf-8")
    return path


def test_scans_are_shown_one_a_line_with_what_was_read_and_why(run: Run, log: Path) -> None:
    assert run("scans", log).stdout.splitlines() == [
        "   2 of 68 files      0.3 of 9.2 MB  /lake/flights  tag nightly  day = '2013-07-04'",
        "150 of 150 files  900.0 of 900.0 MB  /lake/trains                the scan has no filter",
        "  68 of 68 files      9.2 of 9.2 MB  /lake/flights  tag nightly  no statistics index",
    ]


def test_files_that_were_counted_without_reading_them_are_shown(run: Run, log: Path) -> None:
    line = LINES.splitlines()[0].replace(" kept=2 ", " kept=2 covered=60 covered_rows=7000 ")
    log.write_text(line + "\n", encoding="utf-8")
    assert "2 of 68 files  0.3 of 9.2 MB  /lake/flights  60 counted  tag nightly" in run("scans", log).stdout
    (scan,) = result_of(run("scans", log, "--json"))["scans"]
    assert (scan["kept"], scan["covered"]) == (2, 60)


def test_scans_are_chosen_by_tag_query_and_number(run: Run, log: Path) -> None:
    def queries(options: str) -> list[str]:
        return [scan["query"] for scan in result_of(run("scans", log, "--json", *options.split()))["scans"]]

    assert queries("") == ["q1", "q2", "q3"]
    assert queries("--last 2") == ["q2", "q3"]
    assert queries("--tag nightly") == ["q1", "q3"]
    assert queries("--tag nightly --last 1") == ["q3"]
    assert queries("--query q2 --last 2") == ["q2"]


def test_a_log_can_come_through_a_pipe() -> None:
    result = CliRunner().invoke(app, ["scans", "-", "--last", "1"], input=LINES)
    assert "68 of 68 files" in result.stdout and "/lake/trains" not in result.stdout


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_a_log_without_scans_fails_and_says_what_to_do(
    run: Run, log: Path, tmp_path: Path, form: tuple[str, ...]
) -> None:
    empty = tmp_path / "empty.log"
    empty.touch()
    message = failed_with_one_line(run("scans", empty, *form))
    assert message.startswith(f"no scans in {empty}; specify the log of HiveServer2"), message
    message = failed_with_one_line(run("scans", log, "--tag", "night", *form))
    assert message.startswith(f"no scans in {log} with --tag night;"), "a part of a tag is not the tag"
    assert "with --tag nightly and --query q2;" in failed_with_one_line(
        run("scans", log, "--tag", "nightly", "--query", "q2", *form)
    )


def test_a_log_that_cannot_be_read_is_named_without_an_error_number(run: Run, tmp_path: Path) -> None:
    missing = tmp_path / "missing.log"
    for path, problem in ((missing, "No such file or directory"), (tmp_path, "Is a directory")):
        message = failed_with_one_line(run("scans", path))
        assert message.startswith(f"cannot read {path}: {problem}; specify the log of HiveServer2"), message
