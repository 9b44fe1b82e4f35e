"""Python's and Java's evaluators keep the same files, for random expressions and statistics."""

from pycompiler.compile.expression.evaluator import evaluate
from pycompiler.compile.expression.render import to_text

from .jvm_evaluator import evaluate_in_jvm
from .random_cases import RandomCases

EXPRESSIONS = 1_500
FILES = 20


def test_java_and_python_keep_the_same_files() -> None:
    cases = RandomCases(seed=4)
    corpus = [cases.case(FILES) for _ in range(EXPRESSIONS)]
    answers = evaluate_in_jvm(corpus)
    for (expression, files), java in zip(corpus, answers, strict=True):
        python = evaluate(expression, files)
        other = [file for file, here, there in zip(files, python, java, strict=True) if here != there]
        assert not other, f"{to_text(expression)} in {expression} is answered in two ways over {other}"
    kept = sum(map(sum, answers))
    assert 0.2 < kept / (EXPRESSIONS * FILES) < 0.8, "one answer hides mistakes of the other"
