"""Which partition columns a Hudi table keeps out of its files, from its properties."""

from typing import Any, Final

from pycompiler.collect.partition_values import IN_FILES, PartitionColumns

_HIVE_STYLE: Final = "hoodie.datasource.write.hive_style_partitioning"
_URL_ENCODED: Final = "hoodie.datasource.write.partitionpath.urlencode"
_SLASHED_DATES: Final = "hoodie.datasource.write.slash.separated.date.partitioning"
"""From Hudi 1.2 on: the day 2026-01-02 is in the folder 2026/01/02."""
_KEY_GENERATORS: Final = frozenset(
    f"org.apache.hudi.keygen.{name}KeyGenerator"
    for name in ("Simple", "SimpleAvro", "Complex", "ComplexAvro")
)
"""Key generators that write the columns' values unchanged."""


def path_columns(config: Any) -> PartitionColumns:
    """The columns whose values are only in the paths, if the paths hold them as written.

    In other tables, which the handler rejects, the index does not cover such columns.
    """
    fields = config.getPartitionFields()
    names = tuple(fields.get()) if fields.isPresent() else ()
    properties = config.getProps()
    hive_style, url_encoded = (properties.getProperty(key) for key in (_HIVE_STYLE, _URL_ENCODED))
    if (
        not config.shouldDropPartitionColumns()
        or config.getKeyGeneratorClassName() not in _KEY_GENERATORS
        or any("." in name for name in names)
        or hive_style is None
        or url_encoded is None
        or (properties.getProperty(_SLASHED_DATES) or "").lower() == "true"
    ):
        return IN_FILES
    return PartitionColumns(names, hive_style.lower() == "true", url_encoded.lower() == "true")
