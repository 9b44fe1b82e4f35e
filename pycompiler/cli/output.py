"""Results on stdout, everything else on stderr."""

import contextlib
import json
import os
import sys
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, TypeAlias

import typer

JsonOption: TypeAlias = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]


def print_json(result: Mapping[str, Any]) -> None:
    """Prints a result as one JSON document."""
    print(json.dumps(result, indent=2, ensure_ascii=False))


def print_fields(fields: Mapping[str, object]) -> None:
    """Prints a result as aligned lines."""
    width = max(map(len, fields))
    for name, value in fields.items():
        print(f"{name:<{width}}  {value}")


@contextlib.contextmanager
def stdout_for_results() -> Iterator[None]:
    """Keeps child processes, such as Spark's JVM, from writing to stdout.

    Their output goes to stderr. Some libraries print to stdout: JOL, which Hudi uses to measure objects,
    prints a hint about Java agents on every run.
    """
    sys.stdout.flush()
    saved = os.dup(1)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 1)
        yield
    finally:
        sys.stdout.flush()
        os.dup2(saved, 1)
        os.close(saved)
        os.close(nowhere)
