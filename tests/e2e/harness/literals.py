"""Values as literals that Hive and Spark read alike."""

import datetime as dt
import math
from decimal import Decimal
from typing import Any

from tests.drawing.literals import quoted


def literal(value: Any) -> str:
    """A value as a SQL literal of its own type; floats as Hive's `1.5D`."""
    match value:
        case None:
            return "NULL"
        case bool():
            return "true" if value else "false"
        case int():
            return f"{value}L" if abs(value) > 2**31 - 1 else str(value)
        case float() if math.isnan(value) or math.isinf(value):
            name = "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
            return f"CAST('{name}' AS DOUBLE)"
        case float():
            return f"{value!r}D"
        case Decimal():
            return f"{value}BD"
        case dt.datetime():
            return f"TIMESTAMP '{value.astimezone(dt.timezone.utc):%Y-%m-%d %H:%M:%S.%f}'"
        case dt.date():
            return f"DATE '{value.isoformat()}'"
        case str():
            return quoted(value)
        case _:
            raise TypeError(f"no literal for {value!r}")
