"""The base class of errors that users can act on."""


class HudiSkipError(Exception):
    """An error whose message is meant for the user: it says what is wrong, and what to do."""
