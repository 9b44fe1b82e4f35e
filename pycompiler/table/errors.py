"""What can be wrong with a table's own files."""


class TableUnreadableError(Exception):
    """The table's properties or timeline cannot be read; the message is one line, for people."""


class UnknownChangesError(Exception):
    """The timeline does not say what has changed since an index was updated; the message says why."""
