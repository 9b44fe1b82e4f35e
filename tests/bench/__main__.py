"""`make bench`: figures of this machine, as ratios where there is a peer."""

from __future__ import annotations

from pathlib import Path

from . import compiler, strength
from .results import show, write

RESULTS = Path("build/bench/results.json")


def main() -> None:
    """Runs all benchmarks, prints a table and writes build/bench/results.json."""
    results = [*compiler.run(), *strength.run()]
    show(results)
    write(results, RESULTS)
    print(f"\nwritten to {RESULTS}")


if __name__ == "__main__":
    main()
