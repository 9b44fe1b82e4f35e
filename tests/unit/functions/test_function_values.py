from __future__ import annotations

from .function_values import FILE, content


def test_the_vectors_are_those_of_the_functions_that_the_rules_are_tested_with() -> None:
    assert FILE.read_text() == content(), "run: python -m tests.unit.functions.function_values"
