"""Errors in using or writing an index."""

from pycompiler.errors import HudiSkipError


class IndexUnavailableError(HudiSkipError):
    """There is no index that can be trusted, so every file must be kept. The message says why."""


class IndexMissingError(IndexUnavailableError):
    """The table has no index."""


class IndexDamagedError(IndexUnavailableError):
    """A manifest or data file is missing, truncated, of another size, or fails its checksum."""


class IndexVersionError(IndexUnavailableError):
    """The index has a format that this version does not read."""


class PublishError(HudiSkipError):
    """A generation could not be published; the previous one is still in force."""


class OvertakenError(PublishError):
    """Another publisher won, and the publication is valid only on top of the previous generation."""


class DamagedBaseError(PublishError):
    """The publication needs a part of the index that is damaged."""
