"""`hudi-skip partitions`: the partitions of a table, which the metastore does not know of handler tables."""

from __future__ import annotations

from pycompiler.tools.cli.arguments import TableArgument, checked, with_options
from pycompiler.tools.cli.running.here_or_spark import lister, run
from pycompiler.tools.cli.running.spark import RunOptions


@with_options
def partitions(path: TableArgument, options: RunOptions) -> None:
    """Print the partitions of a table that have files now, as paths below its root."""
    files = run(checked(path), options, lister(path, options.spark)).files
    found = sorted({file.partition for file in files} - {""})
    options.show({"path": path, "partitions": found}, found)
