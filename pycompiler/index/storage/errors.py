"""Why a file system cannot be used. The messages are for people."""

from __future__ import annotations


class UnsupportedStorageError(Exception):
    """The file system has no atomic put-if-absent that we know to work, so that no index is kept on it."""
