"""Compacts an index to one data file, dropping rows of files that are gone and removing unlisted files.

Publishing folds only the newest data files, to be quick; compaction folds all of them, whatever their size.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Final

from pycompiler.index.errors import PublishError
from pycompiler.index.file_systems.interface import IndexStorage
from pycompiler.index.folding import fold
from pycompiler.index.index import StatisticsIndex, newest_manifest
from pycompiler.index.manifest import Manifest, generations, load_manifest, manifest_name
from pycompiler.index.publisher import GRACE_SECONDS, IndexPublisher, is_of_index

_MAX_ATTEMPTS: Final = 100


@dataclass(frozen=True, slots=True)
class Compaction:
    """The result of a compaction.

    Attributes:
        generation: The generation in force now.
        published: Whether it is new; False if there already was a single data file without rows of files that
            are gone.
        data_files_before: Data files in force before.
        data_files: Data files in force now; more than one only if others published meanwhile.
        files_dropped: Files whose rows were dropped because the table no longer has them.
        removed: Files removed from the index directory.
        kept_for_readers: Files that only the previous generation lists, kept for queries that may read them.
        kept_in_grace: Unlisted files younger than the grace period, kept because another publisher may be
            about to list them.
    """

    generation: int
    published: bool
    data_files_before: int
    data_files: int
    files_dropped: int
    removed: tuple[str, ...]
    kept_for_readers: tuple[str, ...]
    kept_in_grace: tuple[str, ...]


def compact(
    storage: IndexStorage,
    list_table: Callable[[], Collection[str]],
    grace_seconds: float = GRACE_SECONDS,
) -> Compaction:
    """Folds all data files of an index into one, and removes files that are no longer needed.

    A crash or failure at any step leaves the old or the new generation in force.

    Args:
        storage: The index directory.
        list_table: Lists the table's latest files, as paths relative to it.
        grace_seconds: Minimum age of unlisted files before they are removed. If it is shorter than an update
            takes, a concurrent update may fail; the next one catches up.

    Raises:
        IndexUnavailableError: The index is missing or unusable.
        PublishError: Lost every race to publish.
        OSError: The storage failed.
    """
    publisher = IndexPublisher(storage, grace_seconds)
    for _ in range(_MAX_ATTEMPTS):
        # Read the index before listing the table: a file in the index but not in the listing is then gone,
        # not new.
        base = newest_manifest(storage, "")
        live = list_table()
        gone = StatisticsIndex(storage, base).files().keys() - live
        if len(base.data_files) <= 1 and not gone:
            return _left(storage, base, base, 0, publisher.clean())
        folded = fold(storage, base.data_files, live)
        manifest = publisher.publish_folded(base, folded)
        if manifest is not None:
            return _left(storage, base, manifest, len(gone), publisher.clean())
        if folded is not None:
            storage.delete(folded.name)
    raise PublishError(
        f"other jobs published first in {_MAX_ATTEMPTS} attempts; compact again when fewer jobs are writing"
    )


def _left(
    storage: IndexStorage, base: Manifest, manifest: Manifest, files_dropped: int, removed: Collection[str]
) -> Compaction:
    """Sums up what was done, and what exists beside the generation in force."""
    before = [number for number in generations(storage) if number < manifest.generation][-1:]
    in_force = _listed(manifest)
    listed_before = {name for number in before for name in _listed(load_manifest(storage, number))}
    kept = {name for name in storage.names() if is_of_index(name)} - in_force
    return Compaction(
        generation=manifest.generation,
        published=manifest is not base,
        data_files_before=len(base.data_files),
        data_files=len(manifest.data_files),
        files_dropped=files_dropped,
        removed=tuple(sorted(removed)),
        kept_for_readers=tuple(sorted(kept & listed_before)),
        kept_in_grace=tuple(sorted(kept - listed_before)),
    )


def _listed(manifest: Manifest) -> set[str]:
    return {manifest_name(manifest.generation), *(item.name for item in manifest.data_files)}
