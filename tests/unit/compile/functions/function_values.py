"""Regenerates `function_values.json`: `python -m tests.unit.compile.functions.function_values`."""

import json
from datetime import datetime
from pathlib import Path
from typing import Final

from .moments import COLUMNS, Case, Moment, Result, cases, moments_of

FILE: Final = Path(__file__).parents[3] / "conformance" / "function_values.json"
_COMMENT: Final = (
    "What Hive's functions give for the moments in a column, in row and in vectorized mode, in UTC; null "
    "where the compiler's rules do not say. 'vectorized' where that mode gives something else; 'zoned' where "
    "the result depends on the session's zone. Made by tests/unit/compile/functions/function_values.py from "
    "the functions as the tests of the rules know them; FunctionValuesTest holds Hive's own classes to it."
)
_YEARS: Final = (1, 4, 1583, 1901, 1969, 1970, 2000, 2024, 9999)


def content() -> str:
    """The file, with a line for each function."""
    columns = {
        name: [_text(moment) for moment in moments_of(source, _YEARS)] for source, name in COLUMNS.items()
    }
    lines = ",\n    ".join(json.dumps(_vector(case)) for case in cases())
    head = json.dumps({"comment": _COMMENT, "columns": columns}, indent=None)[:-1]
    return f'{head}, "functions": [\n    {lines}\n]}}\n'


def _vector(case: Case) -> dict[str, object]:
    moments = moments_of(case.source, _YEARS)
    vector: dict[str, object] = {"sql": case.sql, "column": COLUMNS[case.source], "zoned": bool(case.margin)}
    vector["values"] = [_text(case.in_hive(moment)) for moment in moments]
    if case.vectorized is not None:
        vector["vectorized"] = [_text(case.vectorized(moment)) for moment in moments]
    return vector


def _text(value: Moment | Result) -> str | None:
    if value is None:
        return None
    return value.isoformat(" ") if isinstance(value, datetime) else str(value)


if __name__ == "__main__":
    FILE.write_text(content())
