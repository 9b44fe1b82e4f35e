"""Errors in publishing to a catalogue."""

from pycompiler.errors import HudiSkipError


class CatalogueError(HudiSkipError):
    """The partitions were not published; the previous publication is still in force."""
