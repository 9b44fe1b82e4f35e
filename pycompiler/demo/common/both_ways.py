"""The queries of a part, each with skipping and without."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pycompiler.demo.common.hive import Run
from pycompiler.demo.common.part import PreparedPart
from pycompiler.demo.common.query import DemoQuery
from pycompiler.demo.common.report import Outcome
from pycompiler.demo.common.steps import Step


def run_both_ways(
    prepared: PreparedPart, step: Step, run: Callable[[DemoQuery], tuple[Run, Run]]
) -> Sequence[Outcome]:
    """Runs the queries one after the other and compares the answers with each other and with Spark's.

    Args:
        prepared: The part.
        step: Where the progress is shown.
        run: Runs a query with skipping, then without: what warms up on the way favours the second run.
    """
    outcomes = []
    for number, (query, expected) in enumerate(prepared.expected.items(), start=1):
        step.update(f"{number} of {len(prepared.expected)}, {query.title}")
        skipping, full = run(query)
        same = skipping.answer == full.answer == expected
        outcomes.append(Outcome(query, skipping, full, same_answer=same))
    step.result = f"{len(outcomes)} queries, each twice"
    return outcomes
