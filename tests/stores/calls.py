"""Counts this process's calls to a file system."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, Final
from unittest import mock

from pycompiler.index.collect import footer
from pycompiler.index.file_systems import factory
from pycompiler.table import timeline

_OPERATIONS: Final = ("names", "size", "modified", "read", "create", "_appear", "delete")


@contextmanager
def counted_calls(storage: type) -> Iterator[Counter[str]]:
    """Counts the operations on the index, and the files and folders of the table that are opened and listed.

    Args:
        storage: Class of the index's storage.

    Yields:
        The calls of each operation so far.
    """
    counts: Counter[str] = Counter()

    def counted(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **named: Any) -> Any:
            counts[name] += 1
            return function(*arguments, **named)

        return call

    with ExitStack() as patches:
        for name in _OPERATIONS:
            patches.enter_context(
                mock.patch.object(storage, name, counted(f"index: {name}", getattr(storage, name)))
            )
        for module in (footer, factory):
            opened = counted("table: open", factory.open_source)
            patches.enter_context(mock.patch.object(module, "open_source", opened))
        listed = counted("table: list", factory.list_folder)
        patches.enter_context(mock.patch.object(timeline, "list_folder", listed))
        yield counts
