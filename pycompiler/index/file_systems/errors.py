"""Errors of file systems."""

from pycompiler.errors import HudiSkipError


class UnsupportedStorageError(HudiSkipError):
    """The file system has no put-if-absent known to be atomic, so no index is kept on it."""
