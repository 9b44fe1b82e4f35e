"""Errors in collecting a file's statistics."""

from pycompiler.errors import HudiSkipError


class FooterError(HudiSkipError):
    """A base file's Parquet footer could not be read."""
