"""Why no layout can be advised."""

from pycompiler.errors import HudiSkipError


class AdviceError(HudiSkipError):
    """No layout can be advised; the message says why, and what to do."""
