"""Publishes generations of the index, safely alongside other publishers and readers, and across crashes.

Safety comes from the order of steps. Data files are written and synced first, while nobody sees them. The
manifest with the next number, which only one publisher can create, puts them all in force at once. Only then
are files removed, and only those that neither of the two newest generations lists and that are older than the
grace period. A crash between any two steps leaves the old or the new generation in force, and at most some
files that a later publication removes.
"""

import logging
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from typing import Final

from pycompiler.index.errors import (
    DamagedBaseError,
    IndexDamagedError,
    IndexMissingError,
    IndexUnavailableError,
    IndexVersionError,
    OvertakenError,
    PublishError,
)
from pycompiler.index.file_systems.interface import TEMPORARY_PREFIX, IndexStorage
from pycompiler.index.folding import files_to_fold, fold
from pycompiler.index.index import newest_manifest
from pycompiler.index.manifest import (
    DataFile,
    LiveTotals,
    Manifest,
    SeenTimeline,
    generation_of,
    generations,
    load_manifest,
    manifest_name,
    serialize_manifest,
)
from pycompiler.version import VERSION

GRACE_SECONDS: Final = 24 * 3600.0
"""Files that no generation in force lists are kept this long: an older reader may use them, or another
publisher may be about to list them."""

_GENERATIONS_KEPT: Final = 2
_WRITER: Final = f"hudi-skip {VERSION}"
_MAX_ATTEMPTS: Final = 1000
_logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Delta:
    """What a publication adds.

    Attributes:
        data_files: Written and durable, but not yet in a manifest.
        table: Name of the Hudi table.
        instant: Last completed instant of the table listing behind this delta.
        live: Totals of that listing.
        live_paths: Paths in that listing, relative to the table; folding drops the rows of other files. None
            if the table was not listed.
        base_generation: Generation in force before the listing; None if there was none. Nothing is dropped if
            others published since, because they may know files that the listing lacks.
        kinds: Kinds for files indexed from now on, see `IndexOptions`; None leaves them unchanged.
        timeline: The instants after which the base generation plus this delta is complete; None if unknown.
    """

    data_files: tuple[DataFile, ...]
    table: str
    instant: str
    live: LiveTotals
    live_paths: frozenset[str] | None
    base_generation: int | None
    kinds: Mapping[str, Sequence[str]] | None = None
    timeline: SeenTimeline | None = None


class IndexPublisher:
    """Publishes to one index. Any number of publishers may work concurrently, in any number of processes.

    `add`, `advance`, `replace` and `start_over` publish a delta and return the manifest then in force. They
    raise `PublishError` if a data file of the delta is missing, every race was lost, or a newer version of
    this program maintains the index; `DamagedBaseError` if a data file to fold is damaged; and `OSError` if
    the storage failed: then the previous generation is in force, unless the manifest was already created.

    Args:
        storage: The index directory.
        grace_seconds: Minimum age of unlisted files before they are removed.
    """

    def __init__(self, storage: IndexStorage, grace_seconds: float = GRACE_SECONDS) -> None:
        self._storage = storage
        self._grace_seconds = grace_seconds

    def add(self, delta: Delta) -> Manifest:
        """Publishes a delta on top of what is in force; the delta's rows win."""
        return self._publish(delta, lambda in_force: (*in_force, *delta.data_files))

    def advance(self, delta: Delta) -> Manifest:
        """Publishes a delta that is valid only on top of its base generation, such as changes since it.

        Raises:
            OvertakenError: Another generation is in force. Nothing was published.
        """
        return self._publish(delta, lambda in_force: (*in_force, *delta.data_files), on_base_only=True)

    def replace(self, delta: Delta, superfluous: frozenset[str]) -> Manifest:
        """Publishes a delta that replaces some data files.

        What others have added since is newer, and stays. If others have folded one of the replaced files
        meanwhile, everything in force goes: files known only there lose their rows, are not skipped, and get
        rows again with the next update.
        """

        def replaced(in_force: tuple[DataFile, ...]) -> tuple[DataFile, ...]:
            if not superfluous <= {item.name for item in in_force}:
                # A replaced file was folded with newer ones; its rows must not come back.
                return delta.data_files
            return *delta.data_files, *(item for item in in_force if item.name not in superfluous)

        return self._publish(delta, replaced)

    def start_over(self, delta: Delta) -> Manifest:
        """Publishes a delta that replaces everything in force, even an index of a newer version."""
        return self._publish(delta, lambda _: delta.data_files, any_version=True)

    def _publish(
        self,
        delta: Delta,
        combine: Callable[[tuple[DataFile, ...]], tuple[DataFile, ...]],
        *,
        any_version: bool = False,
        on_base_only: bool = False,
    ) -> Manifest:
        folded_before: tuple[tuple[DataFile, ...], DataFile | None] | None = None
        for _ in range(_MAX_ATTEMPTS):
            current, number = self._current(any_version)
            is_on_base = current is not None and current.generation == delta.base_generation
            if on_base_only and not is_on_base:
                raise OvertakenError("another publisher won the race")
            data_files = delta.data_files if current is None else combine(current.data_files)
            live_paths = delta.live_paths if current is None or is_on_base else None
            count = files_to_fold(data_files)
            if count:
                tail = data_files[-count:]
                # Reuse the fold of an earlier attempt if its input is unchanged.
                if folded_before is None or folded_before[0] != tail:
                    folded_before = tail, self._fold(tail, live_paths, count < len(data_files))
                folded = () if folded_before[1] is None else (folded_before[1],)
                data_files = (*data_files[:-count], *folded)
            manifest = self._manifest(current, number + 1, data_files, delta)
            self._require_data_files(delta)
            if not self._is_first(manifest):
                continue
            try:
                self.clean()
            except OSError as error:
                # The new generation is in force; the next publication removes what is left.
                _logger.warning("could not remove old index files: %s", error)
            return manifest
        raise PublishError(
            f"other jobs published first in {_MAX_ATTEMPTS} attempts; try again when fewer jobs are writing"
        )

    def publish_folded(self, base: Manifest, folded: DataFile | None) -> Manifest | None:
        """Replaces all data files of a generation by the one they were folded into.

        Args:
            base: The generation; later publications stay.
            folded: Written and durable, but not yet in a manifest; None if nothing is left.

        Returns:
            The manifest now in force; None if one of the data files no longer is, because others have folded
            or rebuilt the index: rows from before a build must not come back.

        Raises:
            IndexUnavailableError: A later generation is unusable.
        """
        current = base
        while set(base.data_files) <= set(current.data_files):
            # Later data files are newer: they go last and win.
            later = [item for item in current.data_files if item not in base.data_files]
            manifest = replace(
                current,
                generation=current.generation + 1,
                created_at=_now(),
                writer=_WRITER,
                data_files=(*([] if folded is None else [folded]), *later),
                # Rows were dropped by a listing that may be older than later publications.
                timeline=current.timeline if current is base else None,
            )
            if self._is_first(manifest):
                return manifest
            current = newest_manifest(self._storage, "")
        return None

    def clean(self) -> list[str]:
        """Removes files older than the grace period that neither of the two newest generations lists."""
        kept_generations = generations(self._storage)[-_GENERATIONS_KEPT:]
        listed: set[str] = {manifest_name(number) for number in kept_generations}
        for number in kept_generations:
            try:
                listed.update(data_file.name for data_file in load_manifest(self._storage, number).data_files)
            except IndexMissingError:
                return []  # Two newer generations have appeared; their publisher cleans.
            except IndexUnavailableError as error:
                _logger.warning("no old index files are removed, because a manifest is unreadable: %s", error)
                return []
        now = time.time()
        removed = []
        for name in self._storage.names():
            if name in listed or not is_of_index(name):
                continue
            # A manifest created after the listing is newer than all kept ones.
            generation = generation_of(name)
            if generation is not None and kept_generations and generation > kept_generations[-1]:
                continue
            try:
                age = now - self._storage.modified(name)
            except FileNotFoundError:
                continue
            if age >= self._grace_seconds:
                self._storage.delete(name)
                removed.append(name)
        return removed

    def _current(self, any_version: bool) -> tuple[Manifest | None, int]:
        """The manifest in force (None if there is no usable one), and the highest number in use."""
        try:
            manifest = newest_manifest(self._storage, "")
        except IndexMissingError:
            return None, 0
        except IndexVersionError as error:
            # A newer program maintains this index: only a build, which replaces everything, may take over.
            if not any_version:
                raise PublishError(str(error)) from error
            return None, generations(self._storage)[-1]
        except IndexDamagedError as error:
            numbers = generations(self._storage)
            _logger.warning("replacing the unusable statistics index: %s", error)
            return None, numbers[-1] if numbers else 0
        return manifest, manifest.generation

    def _fold(
        self, tail: tuple[DataFile, ...], live_paths: Collection[str] | None, keep_marks: bool
    ) -> DataFile | None:
        try:
            return fold(self._storage, tail, live_paths, keep_marks=keep_marks)
        except IndexDamagedError as error:
            # Adding to a damaged index would make it worse.
            raise DamagedBaseError(
                f"the index is damaged ({error}); rebuild it with hudi-skip index build"
            ) from error

    @staticmethod
    def _manifest(
        current: Manifest | None, generation: int, data_files: tuple[DataFile, ...], delta: Delta
    ) -> Manifest:
        is_on_base = delta.base_generation == (None if current is None else current.generation)
        # After a race, the instant must not go back if this publisher listed the table before the winner.
        # Without a race, an earlier instant is right: the table was restored.
        is_behind = current is not None and not is_on_base and current.instant > delta.instant
        listed = current if current is not None and is_behind else delta
        return Manifest(
            generation=generation,
            table=delta.table,
            instant=listed.instant,
            created_at=_now(),
            writer=_WRITER,
            live=listed.live,
            data_files=data_files,
            kinds=(current.kinds if current is not None else {}) if delta.kinds is None else delta.kinds,
            # The delta guarantees completeness only on top of its base.
            timeline=delta.timeline if is_on_base else None,
        )

    def _require_data_files(self, delta: Delta) -> None:
        for data_file in delta.data_files:
            try:
                size = self._storage.size(data_file.name)
            except FileNotFoundError as error:
                raise PublishError(f"{data_file.name} was removed before it was published") from error
            if size != data_file.size:
                raise PublishError(f"{data_file.name} has {size} bytes instead of {data_file.size}")

    def _is_first(self, manifest: Manifest) -> bool:
        """Publishes a manifest; False if its number is taken.

        With a short grace period, the number may have been used and cleaned meanwhile. Manifests are cleaned
        from the oldest on, so the generation before would be gone too.
        """
        try:
            self._storage.publish(manifest_name(manifest.generation), serialize_manifest(manifest))
        except FileExistsError:
            return False
        before = manifest.generation - 1
        if before and manifest_name(before) not in self._storage.names():
            raise PublishError("later publications have already replaced and removed this one; try again")
        return True


def _now() -> str:
    return datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def is_of_index(name: str) -> bool:
    """Whether a publisher made this file of the index directory; no other file is ever removed."""
    return name.startswith((TEMPORARY_PREFIX, "data-")) or generation_of(name) is not None
