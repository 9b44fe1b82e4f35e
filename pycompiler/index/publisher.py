"""Publishing generations of the index, safely beside other publishers and readers, and through crashes.

The order of steps is what makes it safe: data files are written and synced first and nobody sees them; the
manifest of the next number, which only one publisher can create, puts all of them in force at once; only then
is anything removed, and only what neither of the two newest generations lists and what has been there for a
grace period. A crash between any two steps leaves the old or the new generation in force, and at most files
that a later publication removes.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from typing import Final

from pycompiler import __version__
from pycompiler.index.data_file import write_data_file
from pycompiler.index.errors import (
    DamagedBaseError,
    IndexDamagedError,
    IndexMissingError,
    IndexUnavailableError,
    IndexVersionError,
    OvertakenError,
    PublishError,
)
from pycompiler.index.folding import files_to_fold, fold
from pycompiler.index.index import newest_manifest
from pycompiler.index.layout import file_table, narrow
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
from pycompiler.index.records import HoodieMetadataRecord, to_table
from pycompiler.index.storage.interface import TEMPORARY_PREFIX, IndexStorage

GRACE_SECONDS: Final = 24 * 3600.0
"""Files that no generation in force lists are left alone for this long: an older reader may be at them, or
another publisher may be about to list them."""

_GENERATIONS_KEPT: Final = 2
_WRITER: Final = f"hudi-skip {__version__}"
_MAX_ATTEMPTS: Final = 1000
_logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Delta:
    """What a publication adds.

    Attributes:
        data_files: Written, durable and in no manifest yet.
        table: Name of the Hudi table.
        instant: Last completed instant of the table listing that this comes from.
        live: Totals of that listing.
        live_paths: Paths of that listing, relative to the table: folding drops the rows of other files. None
            if the table was not listed.
        base_generation: Generation that was in force before the listing was made, None if none was. What was
            published later may know files that the listing does not, so that nothing is dropped then.
        kinds: What new files get from now on, see `IndexOptions`; None leaves it as it is.
        timeline: After which instants the base generation with this delta is complete; None if that is not
            known.
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
    """Publishes to one index. Any number may work at once, in any number of processes.

    Args:
        storage: The index directory.
        grace_seconds: How long files that nobody lists stay.
    """

    def __init__(self, storage: IndexStorage, grace_seconds: float = GRACE_SECONDS) -> None:
        self._storage = storage
        self._grace_seconds = grace_seconds

    def write(self, records: Iterable[HoodieMetadataRecord]) -> tuple[DataFile, ...]:
        """Writes records into a data file, for a `Delta`. They may come in any order.

        Raises:
            ValueError: Records differ in what they say about the same base file.
        """
        table = to_table(
            sorted(records, key=lambda item: (item.kind, item.column, item.partition, item.file_name))
        )
        files = file_table(table)
        data_file = write_data_file(self._storage, files, narrow([table], files))
        return () if data_file is None else (data_file,)

    def add(self, delta: Delta) -> Manifest:
        """Publishes a delta beside what is in force; where both say something, the delta counts.

        Like the ways below it starts again if another publisher is faster.

        Returns:
            The manifest that is in force now.

        Raises:
            DamagedBaseError: What is to be folded is damaged.
            PublishError: A data file of the delta is not there, the race was lost all the time, or a newer
                version of this program keeps the index.
            OSError: The storage failed; the generation before is in force, unless the manifest was already
                created.
        """
        return self._publish(delta, lambda in_force: (*in_force, *delta.data_files))

    def advance(self, delta: Delta) -> Manifest:
        """Publishes a delta that holds on top of its base generation alone: what commits have changed since.

        Returns:
            The manifest that is in force now.

        Raises:
            OvertakenError: Another generation is in force. Nothing was published.
            DamagedBaseError: As for `add`.
            PublishError: As for `add`.
            OSError: As for `add`.
        """
        return self._publish(delta, lambda in_force: (*in_force, *delta.data_files), on_base_only=True)

    def replace(self, delta: Delta, superfluous: frozenset[str]) -> Manifest:
        """Publishes a delta in the place of data files that it makes superfluous.

        What others have added since stays and counts, for it is newer. If others have folded one of the
        superfluous files meanwhile, all that is in force goes: base files that only it knows have no rows
        then, are not skipped, and get rows by the next update.

        Args:
            delta: What takes their place.
            superfluous: Names of the data files.

        Returns:
            The manifest that is in force now.

        Raises:
            PublishError: As for `add`.
            OSError: As for `add`.
        """

        def replaced(in_force: tuple[DataFile, ...]) -> tuple[DataFile, ...]:
            if not superfluous <= {item.name for item in in_force}:
                # Where one of them was folded with what came meanwhile, what it said must not come back.
                return delta.data_files
            return *delta.data_files, *(item for item in in_force if item.name not in superfluous)

        return self._publish(delta, replaced)

    def start_over(self, delta: Delta) -> Manifest:
        """Publishes a delta in the place of all that is in force, even an index of a newer version.

        Returns:
            The manifest that is in force now.

        Raises:
            PublishError: A data file of the delta is not there, or the race was lost all the time.
            OSError: As for `add`.
        """
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
            if on_base_only and (current is None or current.generation != delta.base_generation):
                raise OvertakenError("another publisher was faster")
            data_files = delta.data_files if current is None else combine(current.data_files)
            if current is None or current.generation == delta.base_generation:
                live_paths: Collection[str] | None = delta.live_paths
            else:
                live_paths = None
            count = files_to_fold(data_files)
            if count:
                tail = data_files[-count:]
                # The rows that an attempt before folded are the same if the files are: not done twice.
                if folded_before is None or folded_before[0] != tail:
                    keep_marks = count < len(data_files)
                    folded_before = tail, self._fold(tail, live_paths, keep_marks)
                folded = () if folded_before[1] is None else (folded_before[1],)
                data_files = (*data_files[:-count], *folded)
            manifest = self._manifest(current, number + 1, data_files, delta)
            self._check(delta)
            try:
                self._storage.publish(manifest_name(manifest.generation), serialize_manifest(manifest))
            except FileExistsError:
                continue
            self._require_successor(number)
            self._clean_quietly()
            return manifest
        raise PublishError(f"other publishers were faster {_MAX_ATTEMPTS} times")

    def publish_folded(self, base: Manifest, folded: DataFile | None) -> Manifest | None:
        """Puts one data file in the place of all that a generation lists, of which it was made.

        Args:
            base: The generation; what was published after it stays.
            folded: Written, durable and in no manifest yet; None if nothing is left of what they said.

        Returns:
            The manifest that is in force now; None if one of these data files is in force no more. Then
            others have folded or built the index anew, and what was there before a build must not come back.

        Raises:
            IndexUnavailableError: What was published after the generation can't be used.
            OSError: The storage failed; what was in force still is, unless the manifest was already created.
        """
        current = base
        while set(base.data_files) <= set(current.data_files):
            # What came meanwhile is newer: it goes after, where it wins.
            later = [item for item in current.data_files if item not in base.data_files]
            manifest = replace(
                current,
                generation=current.generation + 1,
                created_at=_now(),
                writer=_WRITER,
                data_files=(*([] if folded is None else [folded]), *later),
                # The listing for which rows were dropped may be older than what came meanwhile.
                timeline=current.timeline if current is base else None,
            )
            try:
                self._storage.publish(manifest_name(manifest.generation), serialize_manifest(manifest))
            except FileExistsError:
                current = newest_manifest(self._storage, "")
                continue
            self._require_successor(current.generation)
            return manifest
        return None

    def clean(self) -> list[str]:
        """Removes files older than the grace period that neither of the two newest generations lists.

        Returns:
            Names of what was removed.
        """
        kept_generations = generations(self._storage)[-_GENERATIONS_KEPT:]
        listed: set[str] = {manifest_name(number) for number in kept_generations}
        for number in kept_generations:
            try:
                listed.update(data_file.name for data_file in load_manifest(self._storage, number).data_files)
            except IndexMissingError:
                return []  # Two newer ones have appeared meanwhile; their publisher cleans.
            except IndexUnavailableError as error:
                _logger.warning(
                    "nothing of the index is cleaned, because a manifest can't be read: %s", error
                )
                return []
        now = time.time()
        removed = []
        for name in self._storage.names():
            if name in listed or not is_of_index(name):
                continue
            # A manifest that appeared after the listing is newer than all that were kept.
            number_or_none = generation_of(name)
            if number_or_none is not None and kept_generations and number_or_none > kept_generations[-1]:
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
        """The manifest in force, None if there is none that can be used, and the highest number in use."""
        try:
            manifest = newest_manifest(self._storage, "")
        except IndexMissingError:
            return None, 0
        except IndexVersionError as error:
            # A newer program keeps this index: only a build, which replaces all of it, may end that.
            if not any_version:
                raise PublishError(str(error)) from error
            return None, generations(self._storage)[-1]
        except IndexDamagedError as error:
            numbers = generations(self._storage)
            _logger.warning("the statistics index is replaced, because it can't be used: %s", error)
            return None, numbers[-1] if numbers else 0
        return manifest, manifest.generation

    def _fold(
        self, tail: tuple[DataFile, ...], live_paths: Collection[str] | None, keep_marks: bool
    ) -> DataFile | None:
        try:
            return fold(self._storage, tail, live_paths, keep_marks=keep_marks)
        except IndexDamagedError as error:
            # Not made worse by adding to it; `hudi-skip index build` starts afresh.
            raise DamagedBaseError(f"the index is damaged and has to be built again: {error}") from error

    @staticmethod
    def _manifest(
        current: Manifest | None, generation: int, data_files: tuple[DataFile, ...], delta: Delta
    ) -> Manifest:
        # A publisher that listed the table before the winner of a race did must not turn the clock back.
        # Without a race an earlier instant is right: the table was restored.
        in_force = None if current is None else current.generation
        raced = current is not None and in_force != delta.base_generation
        behind = raced and current is not None and current.instant > delta.instant
        return Manifest(
            generation=generation,
            table=delta.table,
            instant=current.instant if current is not None and behind else delta.instant,
            created_at=_now(),
            writer=_WRITER,
            live=current.live if current is not None and behind else delta.live,
            data_files=data_files,
            kinds=(current.kinds if current is not None else {}) if delta.kinds is None else delta.kinds,
            # On top of anything but its base the delta vouches for nothing.
            timeline=delta.timeline if in_force == delta.base_generation else None,
        )

    def _check(self, delta: Delta) -> None:
        for data_file in delta.data_files:
            try:
                size = self._storage.size(data_file.name)
            except FileNotFoundError as error:
                raise PublishError(f"{data_file.name} was removed before it was published") from error
            if size != data_file.size:
                raise PublishError(f"{data_file.name} has {size} bytes instead of {data_file.size}")

    def _require_successor(self, number: int) -> None:
        """Makes sure that what was published on top of a generation is in force.

        Its own number may have been used and cleaned away meanwhile, if the grace period is short. Cleaning
        goes from the oldest manifest to the newest, so that the generation itself would be gone then, too.
        """
        if number and manifest_name(number) not in self._storage.names():
            raise PublishError(
                "others published and cleaned several times meanwhile; only this publication was lost"
            )

    def _clean_quietly(self) -> None:
        try:
            self.clean()
        except OSError as error:
            # The new generation is in force; what is left behind goes with the next publication.
            _logger.warning("could not remove old files of the index: %s", error)


def _now() -> str:
    return datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def is_of_index(name: str) -> bool:
    """Tells whether a file of the index directory was made by a publisher: no other is ever removed."""
    return name.startswith((TEMPORARY_PREFIX, "data-")) or generation_of(name) is not None
