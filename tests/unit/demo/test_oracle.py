from pathlib import Path

from pycompiler.demo.common.answers import Answer
from pycompiler.demo.common.oracle import delete_answers, store_answers, stored_answers

_ONE, _TWO = "SELECT 1", "SELECT 2"


def test_kept_answers_come_back_as_they_were(tmp_path: Path) -> None:
    answers: dict[str, Answer] = {_ONE: [("1", "NULL")], _TWO: []}
    store_answers(tmp_path, answers)
    assert stored_answers(tmp_path, [_ONE, _TWO]) == answers


def test_answers_to_other_queries_are_of_no_use(tmp_path: Path) -> None:
    store_answers(tmp_path, {_ONE: [("1",)]})
    assert stored_answers(tmp_path, [_ONE, _TWO]) is None, "a query without an answer must be asked again"


def test_nothing_comes_back_of_a_run_that_was_killed_while_writing(tmp_path: Path) -> None:
    (tmp_path / "spark-answers.json").write_text('{"SELECT 1": [["1"', encoding="utf-8")
    assert stored_answers(tmp_path, [_ONE]) is None


def test_answers_are_forgotten_when_a_table_is_written_again(tmp_path: Path) -> None:
    store_answers(tmp_path, {_ONE: [("1",)]})
    delete_answers(tmp_path)
    assert stored_answers(tmp_path, [_ONE]) is None
    delete_answers(tmp_path)
