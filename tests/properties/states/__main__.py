"""Checks statements over table states: `python -m tests.properties.states`, run by `make fuzz-states`."""

import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from ..program import hive_session, read_options, run, spark_session
from .campaign import Outcome, Tally, names, outcomes
from .table import TYPES, write


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs random statements. Returns 1 on a wrong answer."""
    options = read_options("tests.properties.states", __doc__, arguments, statements=1_000)
    with tempfile.TemporaryDirectory() as folder:
        with spark_session("fuzz-states") as spark:
            tables = [write(spark, Path(folder, name), of_table) for name, of_table in TYPES.items()]
        print(f"== {options.statements:,} statements of seed {options.seed}", flush=True)
        tally = Tally()

        def wrong(outcome: Outcome) -> Iterator[Outcome]:
            tally.add(outcome)
            if not outcome.is_right:
                yield outcome

        with hive_session(f"{folder}/hive") as session, names(session, tables) as named:
            run(
                map(wrong, outcomes(session, named, options.seed)),
                tally,
                lambda: tally.statements.total() >= options.statements,
                options.failures,
            )
    print(f"== {tally}")
    return 1 if tally.wrong.total() else 0


if __name__ == "__main__":
    sys.exit(main())
