"""Extensions from installed packages, found by entry points."""

import logging
from collections.abc import Iterator
from importlib.metadata import entry_points
from typing import Any, Final

FUNCTIONS: Final = "hudi_skip.functions"
"""Entry point group for `FunctionRule` classes without constructor arguments."""

INDEX_KINDS: Final = "hudi_skip.index_kinds"
"""Entry point group for `IndexKind` classes; the entry point's name is the kind's."""

_LOG: Final = logging.getLogger(__name__)


def installed(group: str, base: type) -> Iterator[tuple[str, Any]]:
    """The classes of a group, by entry point name.

    Classes that cannot be loaded, or have another base, are skipped with a warning: files are kept without
    them.
    """
    for point in entry_points(group=group):
        try:
            found = point.load()
        except Exception:
            _LOG.warning("%s (%s) of %s cannot be loaded", point.name, point.value, group, exc_info=True)
            continue
        if isinstance(found, type) and issubclass(found, base):
            yield point.name, found
        else:
            _LOG.warning("%s (%s) of %s is not a class of %s", point.name, point.value, group, base.__name__)
