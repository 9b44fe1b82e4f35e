"""Functions of several rows, which are no part of a condition on one row."""

from typing import Final

from sqlglot import exp

from pycompiler.compile.predicate.errors import SqlPredicateError
from pycompiler.compile.predicate.text import shorten
from pycompiler.compile.sql.dialect import PLAIN, Dialect

AGGREGATES: Final = frozenset(
    {
        *("$sum0", "approx_distinct", "avg", "bloom_filter", "collect_list", "collect_set"),
        *("compute_bit_vector_fm", "compute_bit_vector_hll", "context_ngrams", "corr", "count", "covar_pop"),
        *("covar_samp", "cume_dist", "dense_rank", "exception_in_vertex_udaf", "first_value"),
        *("histogram_numeric", "last_value", "max", "min", "ngrams", "ntile", "percent_rank", "percentile"),
        *("percentile_approx", "percentile_cont", "percentile_disc", "rank", "regr_avgx", "regr_avgy"),
        *("regr_count", "regr_intercept", "regr_r2", "regr_slope", "regr_sxx", "regr_sxy", "regr_syy"),
        *("row_number", "std", "stddev", "stddev_pop", "stddev_samp", "sum", "var_pop", "var_samp"),
        "variance",
    }
)
"""Those of Hive 4.0, by their names in lower case. Source: `FunctionRegistry`."""


def refuse_aggregates(root: exp.Expr, dialect: Dialect) -> None:
    """Verifies that a condition is about one row; its subqueries may be about several.

    Raises:
        SqlPredicateError: It has an aggregate or a window function, which Hive refuses too.
    """
    for call in root.find_all(exp.Anonymous, exp.Window):
        is_window = isinstance(call, exp.Window)
        if (is_window or call.name.lower() in AGGREGATES) and call.find_ancestor(exp.Query) is None:
            kind = "a window function" if is_window else "an aggregate"
            text = shorten(call.sql(dialect=PLAIN[dialect]))
            raise SqlPredicateError(
                f"{text} is {kind}, not a value of one row; leave it out, as HAVING is no part of WHERE"
            )
