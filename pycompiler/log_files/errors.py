"""Why nothing can be said of the records of a log file."""


class LogUnreadableError(Exception):
    """A log file is not whole, or holds what is not understood; the message says what, for people.

    It names no file, so that files with the same trouble can be counted together.
    """
