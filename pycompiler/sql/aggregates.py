"""Functions of several rows, which are no part of a condition on one row."""

from typing import Final

from sqlglot import exp

from pycompiler.predicate.errors import SqlPredicateError
from pycompiler.predicate.text import shorten
from pycompiler.sql.dialect import PLAIN, Dialect

_AGGREGATES: Final = frozenset(
    {
        *("avg", "bloom_filter", "collect_list", "collect_set", "compute_stats", "context_ngrams", "corr"),
        *("count", "covar_pop", "covar_samp", "histogram_numeric", "max", "min", "ngrams"),
        *("percentile", "percentile_approx", "percentile_cont", "percentile_disc", "regr_avgx", "regr_avgy"),
        *("regr_count", "regr_intercept", "regr_r2", "regr_slope", "regr_sxx", "regr_sxy", "regr_syy"),
        *("std", "stddev", "stddev_pop", "stddev_samp", "sum", "var_pop", "var_samp", "variance"),
    }
)
"""Hive's, by their names in lower case. Source: Hive's `FunctionRegistry`."""


def refuse_aggregates(root: exp.Expr, dialect: Dialect) -> None:
    """Verifies that a condition is about one row; its subqueries may be about several.

    Raises:
        SqlPredicateError: It has an aggregate or a window function, which Hive refuses too.
    """
    for call in root.find_all(exp.Anonymous, exp.Window):
        is_window = isinstance(call, exp.Window)
        if (is_window or call.name.lower() in _AGGREGATES) and call.find_ancestor(exp.Query) is None:
            kind = "a window function" if is_window else "an aggregate"
            text = shorten(call.sql(dialect=PLAIN[dialect]))
            raise SqlPredicateError(
                f"{text} is {kind}, not a value of one row; leave it out, as HAVING is no part of WHERE"
            )
