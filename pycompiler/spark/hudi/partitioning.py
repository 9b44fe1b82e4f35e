"""Which partition columns a Hudi table keeps out of its files, from its properties."""

from typing import Any

from pycompiler.collect.partition_values import IN_FILES, PartitionColumns


def path_columns(config: Any) -> PartitionColumns:
    """The columns whose values are only in the paths, if the paths hold them as written.

    In other tables, which the handler rejects, the index does not cover such columns.
    """
    if not config.shouldDropPartitionColumns():
        return IN_FILES
    properties = config.getProps()
    return PartitionColumns.written_by(
        {str(name): properties.getProperty(name) for name in properties.stringPropertyNames().toArray()}
    )
