"""Random queries over everything that Hive converts, pads and calls: skipping changes no answer.

Hive is its own oracle. It computes the values of random operands; predicates combine operands and such
values. A query without a filter returns each predicate as a column, which shows the rows for which it is
TRUE; then each predicate is the filter of a query with skipping.

`HUDI_SKIP_ORACLE_SEED` and `HUDI_SKIP_ORACLE_BATCHES` select other and longer runs.
"""

import os
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

import pytest

from tests.drawing.functions.hive import HIVE_FUNCTIONS
from tests.drawing.grammar import Grammar
from tests.drawing.literals import of_another_type
from tests.drawing.values import Constants

from ..harness.check import WITHOUT_SKIPPING, Checked, Checker, assert_no_violations
from ..harness.drawing import drawing_table
from ..harness.engines import FETCH, TEZ
from ..harness.lake import Lake
from ..harness.session import QueryFailed, Session
from .hive_oracle import Answer, Oracle
from .oracle_table import COLUMNS, LEAVES, ORACLE, VALUE_SETS

SEED = int(os.environ.get("HUDI_SKIP_ORACLE_SEED", "20260401"))
BATCHES = int(os.environ.get("HUDI_SKIP_ORACLE_BATCHES", "13"))
VECTORISED_BATCHES = max(1, BATCHES // 4)
OPERANDS = 24
QUERIES = 40
BRANCHES = 8
SHADOW_EVERY = 10
SKIPPING_SHARE = 0.3

VECTORISED = {
    **TEZ,
    # Each branch of a UNION is to have a scan and a filter of its own.
    "hive.optimize.shared.work": "false",
}

BEYOND_THEIR_TYPE = (
    "(i + 1) > 2147483647.5",
    "((i * 2) + 0) > 4000000000",
    "((i + 1) / 2) > 1073741823.9",
    "(-i) > 2147483647.5D",
    "abs(i) > 2147483647.5D",
    "cast(bi as int) > 2147483648.5D",
    "(cast(bi as int) / 2) > 2e9",
    "cast(i as tinyint) > 300.5D",
    "not ((16777217 - cast(d as smallint)) > 7)",
    "from_unixtime(cast(si as bigint) * 100000000000, 'yyyy-MM-dd') <> '2021-01-01'",
)
"""In vectors Hive computes integers of all widths in 64 bits, and a narrower cast cuts nothing."""

BLANKS_OF_CHAR = ("c <> 'ban'", "c > 'ban  '", "not (c = 'ban')", "c <= 'ban  '", "not (c like 'ban')")
"""In vectors Hive compares a char with the blanks that are stored at its end, row by row without."""


@dataclass(slots=True)
class Findings:
    """The results of a batch.

    Attributes:
        answered: Queries that Hive answered.
        skipping: Scans that skipped files.
        files_skipped: How many files these did not read.
        refused: Queries that Hive fails on, with and without skipping.
        differing: Predicates that Hive evaluates otherwise in a filter than in a column.
        wrong: What skipping has changed.
    """

    answered: int = 0
    skipping: int = 0
    files_skipped: int = 0
    refused: list[str] = field(default_factory=list)
    differing: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    def count(self, answer: Answer) -> None:
        """Counts one answered query."""
        self.answered += 1
        self.skipping += sum(scan.kept < scan.files for scan in answer.scans)
        self.files_skipped += sum(scan.files - scan.kept for scan in answer.scans)


def compare(oracle: Oracle, predicates: Sequence[str], branches: int) -> Findings:
    """Compares the answers of predicates as filters, `branches` in one query, with what they are TRUE for."""
    findings = Findings()
    truths = oracle.true_rows(predicates)
    for start in range(0, len(predicates), branches):
        group = predicates[start : start + branches]
        try:
            answers: Sequence[Answer | None] = oracle.filtered(group)
        except QueryFailed:
            answers = [_filtered_alone(oracle, predicate, findings) for predicate in group]
        for predicate, truth, answer in zip(group, truths[start:], answers, strict=False):
            if answer is not None:
                findings.count(answer)
                _compare(oracle, predicate, truth, answer, findings)
    return findings


def _filtered_alone(oracle: Oracle, predicate: str, findings: Findings) -> Answer | None:
    try:
        return oracle.filtered([predicate])[0]
    except QueryFailed as failure:
        message = f"{predicate}: {str(failure)[:300]}"
    try:
        oracle.unfiltered(predicate)
    except QueryFailed:
        findings.refused.append(message)
    else:
        findings.wrong.append(f"fails with skipping only: {message}")
    return None


def _compare(
    oracle: Oracle, predicate: str, truth: tuple[int, ...] | None, answer: Answer, findings: Findings
) -> None:
    if answer.keys == truth:
        return
    # Hive may itself answer otherwise where an expression is a filter.
    reference = tuple(sorted(oracle.unfiltered(predicate).column()))
    if answer.keys == reference:
        findings.differing.append(predicate)
    else:
        findings.wrong.append(_report(predicate, reference, oracle.filtered([predicate])[0]))


def _report(predicate: str, reference: Sequence[int], answer: Answer) -> str:
    lost = sorted(set(reference) - set(answer.keys))
    files = sorted({ORACLE.file_of(key) for key in lost})
    rows = [row for row in ORACLE.rows() if row["id"] in lost[:2]]
    return (
        f"select id from oracle where {predicate}\n  lost: {lost} of files {files}: {rows}\n"
        f"  too many: {sorted(set(answer.keys) - set(reference))}\n  "
        + "\n  ".join(scan.line for scan in answer.scans)
    )


def generated(oracle: Oracle, seed: int) -> list[str]:
    """The predicates of one batch."""
    choice = random.Random(seed)
    over = Grammar(choice, drawing_table(ORACLE, LEAVES), HIVE_FUNCTIONS, nesting=0.8)
    operands = oracle.sample([over.value() for _ in range(OPERANDS)])
    grammar = Grammar(choice, operands, (), constants=Constants(other=of_another_type))
    return [grammar.condition().text for _ in range(QUERIES)]


@pytest.fixture(scope="module")
def oracle_check(lake: Lake, session: Session, new_check: Callable[[], Checker]) -> Iterator[Checker]:
    session.create_table(lake.write(ORACLE, VALUE_SETS), name="oracle", columns=COLUMNS)
    checker = new_check()
    with checker.session:
        yield checker


@pytest.mark.selected(1)
@pytest.mark.parametrize("batch", range(BATCHES))
def test_hive_answers_alike_with_and_without_skipping(oracle_check: Checker, batch: int) -> None:
    oracle = Oracle(oracle_check, {**FETCH, "hive.cbo.enable": "false" if batch % 3 == 2 else "true"})
    with oracle.configured():
        predicates = generated(oracle, SEED + batch)
        findings = compare(oracle, predicates, branches=1)
        for predicate in predicates[::SHADOW_EVERY]:
            with suppress(QueryFailed):  # what Hive refuses is among the findings
                shadow = oracle.shadowed(predicate)
                assert_no_violations(predicate, shadow, oracle.unfiltered(predicate))
    _assert_sound(findings)


@pytest.mark.full
@pytest.mark.parametrize("batch", range(VECTORISED_BATCHES))
def test_hive_answers_alike_in_vectors(oracle_check: Checker, batch: int) -> None:
    oracle = Oracle(oracle_check, {**VECTORISED, "hive.cbo.enable": "false" if batch % 3 == 2 else "true"})
    with oracle.configured():
        findings = compare(oracle, generated(oracle, SEED + 1000 + batch), branches=BRANCHES)
    _assert_sound(findings)


@pytest.mark.selected(1)
@pytest.mark.parametrize("settings", [FETCH, VECTORISED], ids=["row by row", "in vectors"])
@pytest.mark.parametrize(
    "predicates", [BEYOND_THEIR_TYPE, BLANKS_OF_CHAR], ids=["beyond their type", "blanks of char"]
)
def test_rows_that_only_one_mode_finds_are_found(
    oracle_check: Checker, settings: Mapping[str, str], predicates: Sequence[str]
) -> None:
    oracle = Oracle(oracle_check, settings)
    with oracle.configured():
        findings = compare(oracle, predicates, branches=1)
    assert not findings.wrong, "skipping changed answers:\n" + "\n".join(findings.wrong)
    assert findings.answered == len(predicates), findings.refused


COUNTING = {"hudi.skipping.counts": "on"}


@pytest.mark.selected(1)
@pytest.mark.parametrize("batch", range(VECTORISED_BATCHES))
@pytest.mark.parametrize(
    "settings",
    [VECTORISED, {**VECTORISED, "hive.vectorized.execution.enabled": "false"}],
    ids=["in vectors", "row by row"],
)
def test_rows_that_are_counted_without_reading_them_all_match(
    oracle_check: Checker, settings: Mapping[str, str], batch: int
) -> None:
    oracle = Oracle(oracle_check, settings)
    covered = 0
    with oracle.configured():
        predicates = generated(oracle, SEED + 2000 + batch)
        for start in range(0, len(predicates), BRANCHES):
            some = predicates[start : start + BRANCHES]
            for group in (
                [some] if _counts(oracle, some, WITHOUT_SKIPPING) else [[predicate] for predicate in some]
            ):
                checked, without = _counts(oracle, group, COUNTING), _counts(oracle, group, WITHOUT_SKIPPING)
                assert (checked is None) == (without is None), f"fails with or without skipping only: {group}"
                if checked is not None and without is not None:
                    differing = set(checked.rows) ^ set(without.rows)
                    assert not differing, f"{differing} of {list(enumerate(group))}"
                    covered += sum(scan.covered for scan in checked.scans)
    assert covered > QUERIES, f"{covered} files were counted: too few to show anything"


def _counts(
    oracle: Oracle, predicates: Sequence[str], settings: Mapping[str, str] | None = None
) -> Checked | None:
    """The number of rows that each predicate selects; None if Hive refuses one of them."""
    try:
        return oracle.counts(predicates, settings)
    except QueryFailed:
        return None


def _assert_sound(findings: Findings) -> None:
    assert not findings.wrong, "skipping changed answers:\n" + "\n".join(findings.wrong)
    assert findings.answered >= 0.8 * QUERIES, "Hive refuses too many:\n" + "\n".join(findings.refused)
    assert findings.skipping >= findings.answered * SKIPPING_SHARE, (
        f"{findings.skipping} of {findings.answered} queries skipped files: too few to show anything"
    )
