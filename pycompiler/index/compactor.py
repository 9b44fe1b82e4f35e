"""Compacting a whole index: one data file, no rows of base files that are gone, nothing that nobody lists.

Publishing folds only the newest data files, to be quick. Here all become one, whatever their size.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Final

from pycompiler.index.errors import PublishError
from pycompiler.index.folding import fold
from pycompiler.index.index import StatisticsIndex, newest_manifest
from pycompiler.index.manifest import Manifest, generations, load_manifest, manifest_name
from pycompiler.index.publisher import GRACE_SECONDS, IndexPublisher, is_of_index
from pycompiler.index.storage.interface import IndexStorage

_MAX_ATTEMPTS: Final = 100


@dataclass(frozen=True, slots=True)
class Compaction:
    """What a compaction did, and what it left.

    Attributes:
        generation: The generation in force now.
        published: Whether it is a new one; False if there was one data file already, without rows of files
            that are gone.
        data_files_before: Data files that were in force before.
        data_files: Data files in force now; more than one only if others published meanwhile.
        files_dropped: Base files whose rows were dropped, because the table no longer has them.
        removed: Files of the index directory that were removed.
        kept_for_readers: Files that only the generation before lists: queries may be reading them.
        kept_in_grace: Files that nobody lists and that are younger than the grace period: another publisher
            may be about to list them.
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
    """Folds all data files of an index into one, and removes what is no longer needed.

    A crash or failure at any step leaves the old or the new generation in force.

    Args:
        storage: The index directory.
        list_table: Lists the latest base files of the table, as paths relative to it.
        grace_seconds: Files that nobody lists stay until they are this old. With less than the time that an
            update takes, an update that runs meanwhile may fail; the next one catches up.

    Raises:
        IndexUnavailableError: There is no index, or it can't be used.
        PublishError: Others published all the time.
        OSError: The storage failed.
    """
    publisher = IndexPublisher(storage, grace_seconds)
    for _ in range(_MAX_ATTEMPTS):
        # The index before the listing: what it knows and the listing does not is gone, not new.
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
    raise PublishError(f"others published {_MAX_ATTEMPTS} times while the index was compacted")


def _left(
    storage: IndexStorage, base: Manifest, manifest: Manifest, files_dropped: int, removed: Collection[str]
) -> Compaction:
    """Says what was done, and what there is beside the generation in force."""
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
    """Names of the files that a generation consists of."""
    return {manifest_name(manifest.generation), *(item.name for item in manifest.data_files)}
