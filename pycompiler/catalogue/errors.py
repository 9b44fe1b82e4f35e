"""Why a catalogue can't be published. The messages are for people."""

from __future__ import annotations


class CatalogueError(Exception):
    """The partitions were not published; what was published before is still in force."""
