from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from pycompiler.index.storage.location import Location
from pycompiler.table.properties import TableProperties

PAYLOADS = "org.apache.hudi.common.model."
EVENT_TIME = "eeb8d96f-b1e4-49fd-bbf8-28ac514178e5"
PAYLOAD_BASED = "00000000-0000-0000-0000-000000000000"


def properties(folder: Path, given: Mapping[str, str]) -> TableProperties:
    (folder / ".hoodie").mkdir()
    # As Hudi writes them: Java escapes colons and equals signs.
    lines = [f"{name}={value.replace(':', chr(92) + ':')}\n" for name, value in given.items()]
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
def test_the_property_by_which_rows_are_made_of_several_records_is_found(
    tmp_path: Path, given: Mapping[str, str], mixing: str
) -> None:
    assert properties(tmp_path, given).mixing == mixing


def test_partition_columns_are_named_without_their_key_generators(tmp_path: Path) -> None:
    given = {"hoodie.table.partition.fields": "Region, day:timestamp"}
    assert properties(tmp_path, given).partition_columns == ("region", "day")
