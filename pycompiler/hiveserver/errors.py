"""What can go wrong with an embedded HiveServer2."""


class HiveServerError(Exception):
    """The server cannot be started, found or stopped. The message is for people and says what to do."""
