"""Why an index can't be used or written. The messages are for people."""

from __future__ import annotations


class IndexUnavailableError(Exception):
    """There is no index that can be trusted, so every file has to be kept. The message says why."""


class IndexMissingError(IndexUnavailableError):
    """The table has no index."""


class IndexDamagedError(IndexUnavailableError):
    """A manifest or data file is missing, truncated, of another size or fails its checksum."""


class IndexVersionError(IndexUnavailableError):
    """The index was written in a format that this version does not read."""


class PublishError(Exception):
    """A generation could not be published; the one before it is still in force."""


class OvertakenError(PublishError):
    """Another publisher was faster, and the publication holds only on top of what was in force."""


class DamagedBaseError(PublishError):
    """What was to be published needs a part of the index that is damaged."""
