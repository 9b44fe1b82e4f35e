"""`hudi-skip partitions`: the partitions of a table, which the metastore does not know of handler tables."""

from pathlib import PurePosixPath

from pycompiler.cli.arguments.table_path import TableArgument, checked
from pycompiler.cli.console.output import JsonOption, print_json
from pycompiler.cli.console.terminal import QuietOption
from pycompiler.cli.spark import (
    DEFAULT_MASTER,
    BundleOption,
    ConfOption,
    MasterOption,
    PackagesOption,
    SparkOptions,
    spark_for,
)


def partitions(
    path: TableArgument,
    hudi_bundle: BundleOption = None,
    master: MasterOption = DEFAULT_MASTER,
    packages: PackagesOption = None,
    conf: ConfOption = None,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Print the partitions of a table that have files now, as paths below its root."""
    checked(path)
    with spark_for(path, SparkOptions(hudi_bundle, master, packages, conf), quiet) as (spark, _):
        from pycompiler.spark.hudi_table import HudiTable

        files = HudiTable(spark, path).snapshot().files
        folders = {str(PurePosixPath(file.relative_path).parent) for file in files}
    found = sorted(folders - {"."})
    if json:
        print_json({"path": path, "partitions": found})
    else:
        for partition in found:
            print(partition)
