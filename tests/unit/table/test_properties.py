import threading
from collections.abc import Mapping
from pathlib import Path

import pytest

from pycompiler.index.file_systems.location import Location
from pycompiler.table.errors import TableUnreadableError
from pycompiler.table.properties import TableProperties

PAYLOADS = "org.apache.hudi.common.model."
EVENT_TIME = "eeb8d96f-b1e4-49fd-bbf8-28ac514178e5"
PAYLOAD_BASED = "00000000-0000-0000-0000-000000000000"


def properties(folder: Path, given: Mapping[str, str]) -> TableProperties:
    (folder / ".hoodie").mkdir()
    # As Hudi writes them: Java escapes colons and equals signs.
    named = {"hoodie.table.name": "t", **given}
    lines = [f"{name}={value.replace(':', chr(92) + ':')}\n" for name, value in named.items()]
    (folder / ".hoodie" / "hoodie.properties").write_text("".join(lines))
    return TableProperties.read(Location.parse(str(folder)))


@pytest.mark.parametrize(
    ("given", "mixing"),
    [
        ({}, ""),
        ({"hoodie.record.merge.mode": "EVENT_TIME_ORDERING"}, ""),
        (
            {
                "hoodie.record.merge.mode": "COMMIT_TIME_ORDERING",
                "hoodie.compaction.payload.class": f"{PAYLOADS}OverwriteWithLatestAvroPayload",
            },
            "",
        ),
        (
            {
                "hoodie.compaction.payload.class": f"{PAYLOADS}DefaultHoodieRecordPayload",
                "hoodie.record.merge.strategy.id": EVENT_TIME,
            },
            "",
        ),
        ({"hoodie.record.merge.mode": "CUSTOM"}, "hoodie.record.merge.mode=CUSTOM"),
        (
            {
                "hoodie.record.merge.mode": "COMMIT_TIME_ORDERING",
                "hoodie.table.partial.update.mode": "IGNORE_DEFAULTS",
            },
            "hoodie.table.partial.update.mode=IGNORE_DEFAULTS",
        ),
        # What is left of a payload class that takes whole records, and only removes rows.
        (
            {
                "hoodie.record.merge.mode": "COMMIT_TIME_ORDERING",
                "hoodie.table.legacy.payload.class": f"{PAYLOADS}AWSDmsAvroPayload",
                "hoodie.record.merge.property.hoodie.payload.delete.field": "Op",
                "hoodie.record.merge.property.hoodie.payload.delete.marker": "D",
            },
            "",
        ),
        # A table of version 6 has no mode.
        (
            {"hoodie.compaction.payload.class": f"{PAYLOADS}PartialUpdateAvroPayload"},
            f"hoodie.compaction.payload.class={PAYLOADS}PartialUpdateAvroPayload",
        ),
        (
            {"hoodie.record.merge.strategy.id": PAYLOAD_BASED},
            f"hoodie.record.merge.strategy.id={PAYLOAD_BASED}",
        ),
    ],
)
def test_the_property_that_combines_records_is_found(
    tmp_path: Path, given: Mapping[str, str], mixing: str
) -> None:
    assert properties(tmp_path, given).mixing == mixing


def test_partition_columns_are_named_without_their_key_generators(tmp_path: Path) -> None:
    given = {"hoodie.table.partition.fields": "Region, day:timestamp"}
    assert properties(tmp_path, given).partition_columns == ("region", "day")


class Replaced:
    """The properties of a table that Hudi begins to replace, and is done with a little later."""

    def __init__(self, folder: Path, meanwhile: str | None) -> None:
        self.table = Location.parse(str(folder))
        self._file = folder / ".hoodie" / "hoodie.properties"
        self._copy = folder / ".hoodie" / "hoodie.properties.backup"
        self._file.parent.mkdir()
        self._copy.write_text(WHOLE)
        if meanwhile is not None:
            self._file.write_text(meanwhile)

    def finish(self) -> None:
        self._file.write_text(WHOLE)
        self._copy.unlink()


WHOLE = "hoodie.table.name=t\nhoodie.table.version=8\nhoodie.table.type=MERGE_ON_READ\n"


@pytest.mark.parametrize(
    "meanwhile", [None, "", WHOLE.partition("hoodie.table.type")[0]], ids=["gone", "empty", "cut off"]
)
def test_properties_being_replaced_are_read_again(tmp_path: Path, meanwhile: str | None) -> None:
    replaced = Replaced(tmp_path, meanwhile)
    end = threading.Timer(0.3, replaced.finish)
    end.start()
    try:
        assert TableProperties.read(replaced.table).type == "MERGE_ON_READ"
    finally:
        end.join()


def test_properties_are_read_despite_a_dead_writers_copy(tmp_path: Path) -> None:
    assert TableProperties.read(Replaced(tmp_path, WHOLE).table).type == "MERGE_ON_READ"


def test_properties_that_stay_empty_are_reported(tmp_path: Path) -> None:
    with pytest.raises(TableUnreadableError, match=r"hoodie\.properties has been incomplete"):
        TableProperties.read(Replaced(tmp_path, "").table)


def test_a_folder_without_properties_is_not_a_table(tmp_path: Path) -> None:
    with pytest.raises(TableUnreadableError, match=r"it has no \.hoodie/hoodie\.properties"):
        TableProperties.read(Location.parse(str(tmp_path)))
