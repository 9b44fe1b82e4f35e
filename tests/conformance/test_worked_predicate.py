"""The worked predicate in the docs matches the code's output."""

import pytest

from pycompiler.compile.expression.evaluator import evaluate
from tests.conformance.agreement.jvm_evaluator import evaluate_in_jvm
from tests.conformance.worked_predicate import PAGE, Worked, blocks, page_blocks, work


@pytest.fixture(scope="module")
def worked() -> Worked:
    return work()


def test_the_page_shows_each_step_as_it_is(worked: Worked) -> None:
    made = blocks(worked)
    shown = page_blocks(PAGE.read_text(encoding="utf-8"))
    assert shown == made, "`python -m tests.conformance.worked_predicate` regenerates the blocks"


def test_java_opens_the_same_files(worked: Worked) -> None:
    files = list(worked.files.values())
    assert evaluate_in_jvm([(worked.expression, files)]) == [evaluate(worked.expression, files)]
