import pytest

from pycompiler.tools.doctor.check import State
from pycompiler.tools.doctor.server import status_checks
from pycompiler.version import VERSION

STATUS = {
    "handler": VERSION,
    "built_for_hive": "4.0.1",
    "hudi": "1.2.0",
    "hive": "4.0.1",
    "java": "17.0.15",
    "compiler": VERSION,
}


def test_a_handler_and_a_compiler_of_this_release_are_in_order() -> None:
    assert [check.state for check in status_checks(STATUS)] == [State.OK, State.OK]


@pytest.mark.parametrize(
    ("change", "subject", "remedy"),
    [
        ({"handler": "0.0.9", "compiler": "0.0.9"}, "handler in HiveServer2", "hudi-skip jars"),
        ({"compiler": "0.0.9"}, "compiler in HiveServer2", "unset hudi.skipping.compiler.command"),
    ],
)
def test_another_release_is_named_with_what_to_do(change: dict[str, str], subject: str, remedy: str) -> None:
    (problem,) = (check for check in status_checks({**STATUS, **change}) if check.state is State.PROBLEM)
    assert problem.subject == subject
    assert "0.0.9" in problem.found
    assert remedy in problem.remedy


def test_a_compiler_that_does_not_start_is_reported_with_the_handlers_reason() -> None:
    status = {**STATUS, "problem": "the predicate compiler needs Python 3.10 or later"}
    del status["compiler"]
    handler, compiler = status_checks(status)
    assert (handler.state, compiler.state) == (State.OK, State.PROBLEM)
    assert compiler.found == "the predicate compiler needs Python 3.10 or later"
