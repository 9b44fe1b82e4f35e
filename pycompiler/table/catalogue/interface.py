"""The core's view of a catalogue of partitions: opening one, and publishing to it."""

from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import Final, Protocol

from pycompiler.table.catalogue.errors import CatalogueError

PARTITION_CATALOGUES: Final = "hudi_skip.partition_catalogues"
"""Entry point group for catalogues: callables that take an address, and optionally a table name, and return a
`PartitionCatalogue`."""


@dataclass(frozen=True, slots=True)
class Published:
    """The outcome of a publication.

    Attributes:
        generation: Generation of the index that the partitions are from.
        publication: Number of the publication in the catalogue.
        unkeyed: Number of partitions without a key.
    """

    generation: int
    publication: int
    partitions: int
    unkeyed: int
    seconds: float


class PartitionCatalogue(Protocol):
    """Publishes the partitions of a table beside its index."""

    def publish(self, table_root: str) -> Published:
        """Publishes the partitions of the newest generation of a table's index.

        Raises:
            CatalogueError: The partitions were not published.
        """


def open_catalogue(kind: str, address: str, table: str | None = None) -> PartitionCatalogue:
    """Opens a catalogue of an installed plug-in.

    Args:
        kind: Name of its entry point, such as `hbase`.
        address: In the plug-in's format.
        table: Name of its table; None for the plug-in's default.

    Raises:
        CatalogueError: The plug-in is not installed, or cannot be loaded.
    """
    arguments = (address,) if table is None else (address, table)
    for point in entry_points(group=PARTITION_CATALOGUES, name=kind):
        try:
            opened: PartitionCatalogue = point.load()(*arguments)
        except (ImportError, AttributeError) as error:
            raise CatalogueError(f"the plug-in {point.value} cannot be loaded: {error}") from error
        return opened
    raise CatalogueError(
        f"no partition catalogue {kind!r} is installed; run: pip install 'hudi-skip[{kind}]'"
    )
