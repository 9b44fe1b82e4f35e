"""`hudi-skip partitions`: the partitions of a table, which the metastore does not know of handler tables."""

from __future__ import annotations

from pycompiler.tools.cli.arguments.table_path import TableArgument, checked
from pycompiler.tools.cli.console.output import JsonOption, print_json
from pycompiler.tools.cli.console.terminal import QuietOption
from pycompiler.tools.cli.running.here_or_spark import lister, run
from pycompiler.tools.cli.running.spark import (
    DEFAULT_MASTER,
    BundleOption,
    ConfOption,
    MasterOption,
    PackagesOption,
    SparkOptions,
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

    options = SparkOptions(hudi_bundle, master, packages, conf)
    files = run(path, options, quiet, False, lister(path)).files
    found = sorted({file.partition for file in files} - {""})
    if json:
        print_json({"path": path, "partitions": found})
    else:
        for partition in found:
            print(partition)
