from pycompiler.tools.scan_log.scans import Scan

KEPT_SOME = (
    "2026-01-01 12:00:00.000 INFO  [Map 1] io.hudiskip.scan: "
    "hudi-skip scan query=q1 tag=nightly table=/lake/flights "
    "files=68 kept=2 bytes=9000 kept_bytes=300 generation=1 instant=20260101 source=pushed ms=7 "
    r'expression="(carrier = \"U A\") and (path = \"a\\\\b\")"'
)


def test_a_scan_line_is_read_with_its_quotes_undone() -> None:
    scan = Scan.parse(KEPT_SOME)
    assert scan is not None
    assert (scan.files, scan.kept, scan.size, scan.kept_size) == (68, 2, 9000, 300)
    assert scan.expression == r'(carrier = "U A") and (path = "a\\b")'
    assert (scan.reason, scan.mode) == ("", "")


def test_a_scan_says_what_the_index_lacks() -> None:
    lacking = "kept_bytes=300 not_indexed=3 not_indexed_bytes=90 commits_behind=2"
    scan = Scan.parse(KEPT_SOME.replace("kept_bytes=300", lacking))
    assert scan is not None
    assert (scan.not_indexed, scan.not_indexed_size, scan.commits_behind) == (3, 90, 2)


def test_a_scan_says_what_was_counted_without_reading_it() -> None:
    scan = Scan.parse(KEPT_SOME.replace("kept_bytes=300", "kept_bytes=300 covered=60 covered_rows=7000"))
    assert scan is not None
    assert (scan.kept, scan.covered, scan.covered_rows) == (2, 60, 7000)


def test_a_scan_in_shadow_mode_says_so() -> None:
    scan = Scan.parse(KEPT_SOME.replace("files=", "mode=shadow files="))
    assert scan is not None
    assert scan.mode == "shadow"


def test_other_lines_are_no_scans() -> None:
    assert (
        Scan.parse("2026-01-01 12:00:00.000 INFO  [main] io.hudiskip.hive: hudi-skip scanned nothing") is None
    )
