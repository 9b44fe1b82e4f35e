"""Proves a forecast: clusters a copy of the table with Hudi, and asks its index what queries would read."""

from dataclasses import dataclass

from pyspark.sql import SparkSession

from pycompiler.index.file_systems.location import Location
from pycompiler.spark.index_creator import IndexCreator
from pycompiler.spark.jvm import jvm
from pycompiler.tools.advise.advice import LayoutAdvice, shares_kept
from pycompiler.tools.advise.errors import AdviceError
from pycompiler.tools.advise.forecast import forecast
from pycompiler.tools.advise.layout import SORT_COLUMNS, Layout
from pycompiler.tools.explain.open_table import open_table


@dataclass(frozen=True, slots=True)
class Proof:
    """What the conditions of a workload keep of a clustered copy.

    Attributes:
        shares: The share of the copy's bytes that each condition keeps.
        forecast: What was to be expected of as many files, as Hudi decides how many there are.
        files: Number of file slices of the copy.
        size: Bytes of the copy.
        seconds: How long it took to build the index.
    """

    shares: tuple[float, ...]
    forecast: tuple[float, ...]
    files: int
    size: int
    seconds: float


def prove(spark: SparkSession, table: str, copy: str, layout: Layout, found: LayoutAdvice) -> Proof:
    """Copies a table, clusters and indexes the copy as advised, and applies the conditions.

    The table itself is not changed. The copy stays, so that queries can be tried on it.

    Raises:
        AdviceError: There is something at the copy's path, or Hudi has clustered nothing.
    """
    _copy(spark, table, copy)
    _cluster(spark, table, copy, layout, found.file_size)
    # Not an update: the index then has no records of files that clustering has replaced.
    built = IndexCreator(spark).build(copy)
    workload = found.workload
    with open_table(Location.parse(copy)) as opened:
        slices = opened.known.slices
        statistics = opened.statistics([condition.expression for condition in workload.conditions])
        expected = forecast(layout, found.sample.shuffled(), workload, len(slices), found.now)
        return Proof(
            shares_kept(opened, workload, statistics),
            expected.shares,
            len(slices),
            sum(each.size for each in slices),
            built.seconds,
        )


def _cluster(spark: SparkSession, table: str, copy: str, layout: Layout, file_size: int) -> None:
    options = dict(layout.clustering_options(file_size))
    # The procedure separates options by commas, and takes the columns as an argument of their own.
    order = options.pop(SORT_COLUMNS)
    listed = ",".join(f"{name}={value}" for name, value in options.items())
    arguments = {"path": copy, "order": order, "options": listed}
    # Hudi's parser knows CALL, and takes no parameters.
    named = ", ".join(f"{name} => {_literal(value)}" for name, value in arguments.items())
    if not spark.sql(f"CALL run_clustering({named})").collect():
        raise AdviceError(f"Hudi found nothing to cluster in {copy}; it is an unchanged copy of {table}")


def _copy(spark: SparkSession, table: str, copy: str) -> None:
    packages = jvm(spark)
    conf = spark._jsc.hadoopConfiguration()
    source = packages.org.apache.hadoop.fs.Path(table)
    target = packages.org.apache.hadoop.fs.Path(copy)
    files, files_then = source.getFileSystem(conf), target.getFileSystem(conf)
    if files_then.exists(target):
        raise AdviceError(f"there is something at {copy} already; name a path for a new copy")
    packages.org.apache.hadoop.fs.FileUtil.copy(files, source, files_then, target, False, conf)


def _literal(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"
