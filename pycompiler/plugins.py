"""What installed packages add, by their entry points."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from importlib.metadata import entry_points
from typing import Any, Final

FUNCTIONS: Final = "hudi_skip.functions"
"""Entry point group under which a package offers a `FunctionRule` class without arguments."""

INDEX_KINDS: Final = "hudi_skip.index_kinds"
"""Entry point group under which a package offers an `IndexKind` class; the point's name is the kind's."""

_LOG: Final = logging.getLogger(__name__)


def installed(group: str, base: type) -> Iterator[tuple[str, Any]]:
    """The classes of a group, by the name of their entry point.

    One that cannot be loaded, or has another base, is left out with a warning: without it files are kept.
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
