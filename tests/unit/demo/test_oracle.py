from __future__ import annotations

from pathlib import Path

from pycompiler.demo.common.answers import Answer
from pycompiler.demo.common.oracle import forget_answers, keep_answers, kept_answers
from pycompiler.demo.common.query import DemoQuery

_ONE = DemoQuery("one", "SELECT 1")
_TWO = DemoQuery("two", "SELECT 2")


def test_kept_answers_come_back_as_they_were(tmp_path: Path) -> None:
    answers: dict[DemoQuery, Answer] = {_ONE: [("1", "NULL")], _TWO: []}
    keep_answers(tmp_path, answers)
    assert kept_answers(tmp_path, [_ONE, _TWO]) == answers


def test_answers_to_other_queries_are_of_no_use(tmp_path: Path) -> None:
    keep_answers(tmp_path, {_ONE: [("1",)]})
    assert kept_answers(tmp_path, [_ONE, _TWO]) is None, "a query without an answer must be asked again"


def test_nothing_comes_back_of_a_run_that_was_killed_while_writing(tmp_path: Path) -> None:
    (tmp_path / "spark-answers.json").write_text('{"SELECT 1": [["1"', encoding="utf-8")
    assert kept_answers(tmp_path, [_ONE]) is None


def test_answers_are_forgotten_when_a_table_is_written_again(tmp_path: Path) -> None:
    keep_answers(tmp_path, {_ONE: [("1",)]})
    forget_answers(tmp_path)
    assert kept_answers(tmp_path, [_ONE]) is None
    forget_answers(tmp_path)
