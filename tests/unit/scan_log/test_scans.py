from pathlib import Path

from pycompiler.scan_log.scans import Scan, read_scans, scans_in

KEPT_SOME = (
    "2026-01-01 12:00:00.000 INFO  [Map 1] io.hudiskip.scan: "
    "hudi-skip scan query=q1 tag=nightly table=/lake/flights "
    "files=68 kept=2 bytes=9000 kept_bytes=300 generation=1 instant=20260101 source=pushed ms=7 "
    r'expression="(carrier = \"U A\") and (path = \"a\\\\b\")"'
)
KEPT_ALL = (
    "2026-01-01 12:00:01.000 INFO  [Map 1] io.hudiskip.scan: "
    "hudi-skip scan query=q2 tag= table=/lake/flights "
    'files=68 kept=68 bytes=9000 kept_bytes=9000 source=none ms=3 reason="no statistics index"'
)


def test_a_scan_line_is_read_with_its_quotes_undone() -> None:
    scan = Scan.parse(KEPT_SOME)
    assert scan is not None
    assert (scan.files, scan.kept, scan.size, scan.kept_size) == (68, 2, 9000, 300)
    assert scan.expression == r'(carrier = "U A") and (path = "a\\b")'
    assert scan.reason == ""


def test_a_scan_that_kept_everything_says_why() -> None:
    scan = Scan.parse(KEPT_ALL)
    assert scan is not None
    assert (scan.source, scan.reason, scan.expression) == ("none", "no statistics index", "")


def test_a_scan_in_shadow_mode_says_so() -> None:
    scans = [Scan.parse(line) for line in (KEPT_SOME, KEPT_SOME.replace("files=", "mode=shadow files="))]
    assert [scan.mode for scan in scans if scan] == ["", "shadow"]


def test_other_lines_are_no_scans() -> None:
    assert (
        Scan.parse("2026-01-01 12:00:00.000 INFO  [main] io.hudiskip.hive: hudi-skip scanned nothing") is None
    )


def test_scans_are_found_by_their_tag(tmp_path: Path) -> None:
    log = tmp_path / "hiveserver.log"
    log.write_text(f"{KEPT_SOME}\nsomething else\n{KEPT_ALL}\n", encoding="utf-8")
    assert [scan.query for scan in read_scans(log, "nightly")] == ["q1"]
    assert read_scans(log, "night") == [], "a part of a tag is not the tag"


def test_the_last_scans_are_found_and_those_of_a_query() -> None:
    lines = [KEPT_SOME, "something else", KEPT_ALL, KEPT_SOME.replace("q1", "q3")]
    assert [scan.query for scan in scans_in(lines)] == ["q1", "q2", "q3"]
    assert [scan.query for scan in scans_in(lines, last=2)] == ["q2", "q3"]
    assert [scan.query for scan in scans_in(lines, query="q2", last=2)] == ["q2"]
    assert [scan.query for scan in scans_in(lines, tag="nightly", last=1)] == ["q3"]
