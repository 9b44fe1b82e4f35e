"""What can keep a filter from being explained."""


class ExplanationError(Exception):
    """There is nothing that could be explained; the message says why."""
