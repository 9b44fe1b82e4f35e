"""Planning a filter, given as text or as Hive's typed expression."""

from pycompiler.compile.compiler.compile import compile_predicate
from pycompiler.compile.planner.generator import PartitionFilterGenerator
from pycompiler.compile.planner.keys import KeyLayout
from pycompiler.compile.planner.plans import FilterPlan
from pycompiler.compile.predicate.model import Predicate
from pycompiler.compile.predicate.schema import Schema
from pycompiler.compile.sql.from_sql import Dialect, from_sql
from pycompiler.compile.wire.filter_tree import from_filter_tree
from pycompiler.thrift_gen import ttypes


def plan_by_filter(
    text: str, layout: KeyLayout, schema: Schema | None = None, dialect: Dialect = Dialect.HIVE
) -> FilterPlan:
    """Plans a condition that is given as text, as `getPartitionsByFilter` does.

    Args:
        text: The condition, without the word WHERE.
        layout: How the table's keys are made.
        schema: The table's columns; None if it has none but the partition columns.
        dialect: Whose SQL it is.

    Raises:
        SqlPredicateError: The text is not one condition, or names a column that is not in the schema.
        FilterTooLargeError: The text, or an IN in it, is too long.
    """
    columns = {column.name: column.type for column in layout.columns} if schema is None else schema
    return plan_predicate(from_sql(text, columns, dialect=dialect), layout)


def plan_by_expression(
    tree: ttypes.FilterTree, layout: KeyLayout, schema: Schema | None = None
) -> FilterPlan:
    """Plans Hive's typed expression, as `getPartitionsByExpr` does, without a text in between.

    Raises:
        MalformedFilterError: It is not one well-formed tree.
        FilterTooLargeError: It exceeds a limit.
    """
    return plan_predicate(from_filter_tree(tree, schema), layout)


def plan_predicate(predicate: Predicate, layout: KeyLayout) -> FilterPlan:
    """Plans a filter."""
    return PartitionFilterGenerator(layout).plan(compile_predicate(predicate).expression)
