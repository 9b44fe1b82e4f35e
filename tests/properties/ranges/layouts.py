"""Layouts of tables for incremental queries: those of slices, and more."""

import random
from dataclasses import replace
from typing import Final

from pyspark.sql import SparkSession

from ..slices.layouts import IN_MEMORY, SIMPLE, Layout, random_layout

TYPES: Final = (
    *("boolean", "int", "bigint", "double", "decimal(10,2)", "string", "date"),
    *("int", "string", "decimal(38,10)"),
)
"""Types whose values Hive and Spark show alike."""


def random_layout_of_ranges(rng: random.Random, spark: SparkSession) -> Layout:
    """Draws a layout. One table in six is copy-on-write; one in four has soft deletes or is ordered by text.

    Tables that merge several records into a row have neither, because Hudi's own readers differ there. At
    least one table in four allows updates of single columns.
    """
    layout = random_layout(rng, spark)
    if rng.random() < 1 / 4:
        while not (_takes_partial_updates(layout) and layout.index == SIMPLE):
            layout = random_layout(rng, spark)
    if rng.random() < 1 / 6 and layout.index != IN_MEMORY:
        layout = _also(layout, "copy-on-write", {"hoodie.datasource.write.table.type": "COPY_ON_WRITE"})
        layout = replace(layout, is_on_write=True)
    if rng.random() < 1 / 4 and layout.is_whole:
        layout = replace(_also(layout, "soft deletes", {}), has_soft_deletes=True)
    if rng.random() < 1 / 4 and layout.is_whole:
        layout = replace(_also(layout, "ordering by text", {}), orders_by_text=True)
    return replace(layout, takes_partial_updates=_takes_partial_updates(layout))


def _takes_partial_updates(layout: Layout) -> bool:
    """Whether Spark with Hudi 1.0.2 reads such updates correctly."""
    is_misread = layout.has_soft_deletes or layout.orders_by_commit_time
    return layout.takes_partial_updates and not is_misread and not layout.is_misread_by_group_reader


def _also(layout: Layout, name: str, options: dict[str, str]) -> Layout:
    return replace(layout, name=f"{layout.name}, {name}", options={**layout.options, **options})
