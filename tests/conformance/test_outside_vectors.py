"""Tests the runner of outside vectors: what it refuses, catches and counts."""

import json
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from pycompiler.compile.values.encoding import encode_value
from pycompiler.compile.values.types import HiveType

from .outside.__main__ import main
from .outside.collected import SPARK_SETTINGS, Collector
from .outside.reading import Vector, VectorFormatError, read_folder
from .outside.reasons import Case, Miss, Outcome, stated_reason
from .outside.report import problems


def vector(where: str = "x < 5", **changes: Any) -> dict[str, Any]:
    """A case with one int column and one file with values from 10 to 20, which its source skips."""
    return {
        "id": "case-1",
        "table": {"columns": [{"name": "x", "type": "int"}]},
        "stats": [{"x": {"min": 10, "max": 20, "nulls": 0, "count": 5}}],
        "where": where,
        "must_keep": [],
        "source_skips": [0],
        **changes,
    }


def folder_of(folder: Path, *vectors: dict[str, Any]) -> Path:
    document = {"source": {"project": "somewhere/else"}, "vectors": list(vectors)}
    (folder / "cases.json").write_text(json.dumps(document), encoding="utf-8")
    return folder


def only_vector(folder: Path, case: dict[str, Any]) -> Vector:
    (source,) = read_folder(folder_of(folder, case))
    (found,) = source.vectors
    return found


def case_of(found: Vector) -> Case:
    return Case.of(found, [file for file in found.files if not isinstance(file, tuple)])


class TestReading:
    def test_a_folder_that_is_not_there_is_named(self, tmp_path: Path) -> None:
        with pytest.raises(VectorFormatError, match="not a folder: .*nowhere"):
            read_folder(tmp_path / "nowhere")

    def test_a_folder_without_vectors_is_no_success(self, tmp_path: Path) -> None:
        with pytest.raises(VectorFormatError, match="no vectors"):
            read_folder(tmp_path)

    def test_a_file_that_is_no_json_is_named(self, tmp_path: Path) -> None:
        (tmp_path / "broken.json").write_text("{", encoding="utf-8")
        with pytest.raises(VectorFormatError, match="broken.json"):
            read_folder(tmp_path)

    @pytest.mark.parametrize(
        ("changes", "message"),
        [
            ({"where": None}, "where: a text is needed"),
            ({"must_keep": [1]}, "must_keep: not positions in a list of 1 files"),
            ({"source_skips": "0"}, "source_skips: a list is needed"),
            ({"stats": None}, "either table.files or stats"),
            ({"stats": [{"y": {}}]}, "no such column: y"),
            ({"stats": [{"x": {"median": 3}}]}, "unknown statistics: median"),
            ({"stats": [{"x": {"nulls": -1}}]}, "nulls: a count is needed"),
            ({"table": {"columns": [{"name": "x", "type": "integer32"}]}}, "not a Hive type"),
        ],
    )
    def test_a_malformed_vector_is_named_with_its_fault(
        self, tmp_path: Path, changes: dict[str, Any], message: str
    ) -> None:
        with pytest.raises(VectorFormatError, match=f"case-1.*{message}"):
            read_folder(folder_of(tmp_path, {**vector(), **changes}))

    def test_two_vectors_of_one_name_are_refused(self, tmp_path: Path) -> None:
        with pytest.raises(VectorFormatError, match="case-1 is used twice"):
            read_folder(folder_of(tmp_path, vector(), vector()))


class TestRun:
    def test_a_right_skip_in_both_languages_is_a_success(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert main([str(folder_of(tmp_path, vector())), "--strict"]) == 0
        assert "100.0%" in capsys.readouterr().out

    def test_a_wrong_skip_is_caught(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        """The vector says that the file has a matching row; its statistics say that it has none."""
        assert main([str(folder_of(tmp_path, vector(must_keep=[0], source_skips=[])))]) == 1
        errors = capsys.readouterr().err
        assert "VIOLATION case-1 file 0: Python skips, Java skips: x < 5" in errors
        assert "int 10 to 20" in errors, "the statistics are shown"

    def test_an_open_miss_fails_only_a_strict_run(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        folder = str(folder_of(tmp_path, vector("nobody_knows_this(x) = 3")))
        assert main([folder]) == 0
        assert "Open:" in capsys.readouterr().out
        assert main([folder, "--strict"]) == 1

    def test_a_filter_that_cannot_be_read_keeps_its_files(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert main([str(folder_of(tmp_path, vector("x <")))]) == 0
        assert "the filter is not read" in capsys.readouterr().out

    def test_a_malformed_folder_is_neither_success_nor_failure(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert main([str(tmp_path)]) == 2
        assert "ERROR: no vectors" in capsys.readouterr().err


class TestOutcome:
    def test_a_file_that_only_one_language_skips_is_reported(self, tmp_path: Path) -> None:
        case = case_of(only_vector(tmp_path, vector()))
        (line,) = problems([Outcome(case, python=(True,), java=(False,))])
        assert line.startswith("DISAGREEMENT case-1 file 0: Python keeps, Java skips")

    def test_a_skip_by_one_language_is_a_violation_already(self, tmp_path: Path) -> None:
        case = case_of(only_vector(tmp_path, vector(must_keep=[0])))
        (line,) = problems([Outcome(case, python=(True,), java=(False,))])
        assert line.startswith("VIOLATION")

    def test_a_skip_by_which_the_source_loses_rows_is_none_to_reach(self, tmp_path: Path) -> None:
        case = case_of(only_vector(tmp_path, vector("x > 5", must_keep=[0])))
        kept = Outcome(case, python=(True,), java=(True,))
        assert not kept.right_source_skips | kept.missed | kept.violations


class TestReasons:
    def reason(self, folder: Path, hive_type: str, where: str, statistics: dict[str, Any]) -> str | None:
        columns = {"columns": [{"name": "x", "type": hive_type}]}
        case = case_of(only_vector(folder, vector(where, table=columns, stats=[{"x": statistics}])))
        assert case.kept_by_python() == [True], "a miss is a file that is kept"
        return stated_reason(Miss(case, 0))

    def test_nan_that_may_be_there_is_one(self, tmp_path: Path) -> None:
        statistics = {"min": 1.0, "max": 2.0, "nulls": 0, "count": 5, "nan": None}
        assert "NaN" in (self.reason(tmp_path, "double", "x > 3", statistics) or "")

    def test_a_time_within_the_margin_of_the_zone_is_one(self, tmp_path: Path) -> None:
        statistics = {"min": "2020-01-01 00:00:00", "max": "2020-01-02 00:00:00"}
        assert "zone" in (self.reason(tmp_path, "timestamp", "x > '2020-01-02 12:00:00'", statistics) or "")

    def test_a_time_that_matches_is_none(self, tmp_path: Path) -> None:
        statistics = {"min": "2020-01-01 00:00:00", "max": "2020-01-02 00:00:00"}
        assert self.reason(tmp_path, "timestamp", "x > '2020-01-01 12:00:00'", statistics) is None


@pytest.mark.spark
def test_rows_get_the_statistics_of_their_parquet_file(spark: SparkSession, tmp_path: Path) -> None:
    session = spark.newSession()
    for key, value in SPARK_SETTINGS.items():
        session.conf.set(key, value)
    columns = {
        "I": "int",
        "d": "double",
        "n": "decimal(5,2)",
        "c": "char(4)",
        "day": "date",
        "t": "timestamp",
        "s": "struct<a:struct<b:bigint>,l:array<int>>",
        "m": "map<int,string>",
    }
    rows: list[dict[str, Any]] = [
        {"I": 1, "d": -0.5, "n": "1.25", "c": "ab", "day": "1999-12-31", "t": "2001-02-03 04:05:06.5"},
        {"I": 3, "d": 2.5, "n": "-7.00", "c": "b", "s": {"a": {"b": 7}, "l": [1]}, "m": {"1": "x"}},
    ]
    found = Collector(session, tmp_path).file_statistics(columns, rows)
    assert {name: str(column.type) for name, column in found.items()} == {
        "i": "int",
        "d": "double",
        "n": "decimal(5,2)",
        "c": "string",
        "day": "date",
        "t": "timestamp_from_micros",
        "s.a.b": "bigint",
    }
    assert (found["i"].lower, found["i"].upper) == tuple(encode_value(HiveType("int"), v) for v in (1, 3))
    assert (found["d"].nan_count, found["d"].upper) == (0, encode_value(HiveType("double"), 2.5))
    assert found["s.a.b"].null_count == found["day"].null_count == 1
    assert found["t"].lower == encode_value(HiveType("timestamp"), 981_173_106_500_000)
    assert all(column.value_count == len(rows) for column in found.values())
