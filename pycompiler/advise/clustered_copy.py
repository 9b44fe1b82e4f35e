"""Proves a forecast: clusters a copy of the table with Hudi, and asks its index what queries would read."""

from pyspark.sql import SparkSession

from pycompiler.advise.advice import LayoutAdvice
from pycompiler.advise.chosen_kinds import ChosenKinds, KindKey, forecast_kinds
from pycompiler.advise.clustering import clustering_options
from pycompiler.advise.costs import Timed, write_time
from pycompiler.advise.errors import AdviceError
from pycompiler.advise.expected_files import files_of_layout
from pycompiler.advise.layout import Layout
from pycompiler.advise.proof import Proof
from pycompiler.advise.reads import Read, kind_sizes, reads, without
from pycompiler.explain.open_table import open_table
from pycompiler.index.file_systems.location import Location
from pycompiler.index.options import IndexOptions
from pycompiler.spark.index_creator import IndexCreator
from pycompiler.spark.jvm import jvm
from pycompiler.table.timeline import Timeline

_SORT_COLUMNS = "hoodie.clustering.plan.strategy.sort.columns"


def prove(spark: SparkSession, table: str, copy: str, found: LayoutAdvice) -> Proof:
    """Copies a table, clusters and indexes the copy as advised, and applies the conditions.

    The table itself is not changed. The copy stays, so that queries can be tried on it.

    Args:
        spark: A session with Hudi.
        table: Root of the table.
        copy: Root of the copy, which must not exist.
        found: The advice that is to be proved: of a layout, or of what to add to the index.

    Raises:
        AdviceError: There is something at the copy's path, or Hudi has clustered nothing.
    """
    added = found.index.added_specs
    _copy(spark, table, copy)
    writing = None if found.best is None else _cluster(spark, table, copy, found.best.layout, found.file_size)
    # Not an update: the index then has no records of files that clustering has replaced.
    built = IndexCreator(spark, IndexOptions(added) if added else None, adds=True).build(copy)
    root = Location.parse(copy)
    with open_table(root) as opened:
        slices = opened.known.slices
        statistics = opened.statistics([condition.expression for condition in found.workload.conditions])

        def kept(*left_out: KindKey) -> tuple[Read, ...]:
            return tuple(reads(opened, found.workload, without(statistics, left_out)))

        new = [each.key for each in found.index.kinds if each.pays_off and not each.is_kept]
        return Proof(
            kept(),
            kept(*new),
            {key: kept(key) for key in new},
            len(slices),
            sum(each.size for each in slices),
            kind_sizes(root),
            writing,
            built.seconds,
            _forecast(found, len(slices)),
        )


def _forecast(found: LayoutAdvice, files: int) -> ChosenKinds:
    if found.best is None:
        return found.as_it_is
    mixed = found.sample.shuffled()
    expected = files_of_layout(found.best.layout, mixed, files)
    return forecast_kinds(expected, mixed, found.workload, found.best.index)


def _cluster(spark: SparkSession, table: str, copy: str, layout: Layout, file_size: int) -> Timed | None:
    """Clusters the copy, and returns how long tasks took to write it, if Hudi has recorded that."""
    options = dict(clustering_options(layout, file_size))
    # The procedure separates options by commas, and takes the columns as an argument of their own.
    order = options.pop(_SORT_COLUMNS)
    listed = ",".join(f"{name}={value}" for name, value in options.items())
    arguments = {"path": copy, "order": order, "options": listed}
    # Hudi's parser knows CALL, and takes no parameters.
    named = ", ".join(f"{name} => {_literal(value)}" for name, value in arguments.items())
    clustered = spark.sql(f"CALL run_clustering({named})").collect()
    if not clustered:
        raise AdviceError(f"Hudi found nothing to cluster in {copy}; it is an unchanged copy of {table}")
    return write_time(Timeline.of(Location.parse(copy)), {row["timestamp"] for row in clustered})


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
