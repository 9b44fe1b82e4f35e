"""What differs between the Hudi releases that a Spark session may have: 0.15, 1.0, 1.1 and 1.2."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

_REQUESTED_TIME: Final = 8
_LISTS_BY_CLIENT: Final = 9
_SCHEMA_OF_HUDI: Final = "getTableSchemaIfPresent"
_FIRST_RELEASES: Final[Mapping[int, str]] = {7: "1.0", 8: "1.0", 9: "1.1"}
"""The first release that knows a table version."""


@dataclass(frozen=True, slots=True)
class HudiRelease:
    """The Hudi of a session, by the newest table version that it knows."""

    newest_version: int

    @staticmethod
    def of(hudi: Any) -> HudiRelease:
        """The release of the classes in this package, `org.apache.hudi`."""
        return HudiRelease(int(hudi.common.table.HoodieTableVersion.current().versionCode()))

    @property
    def knows_ordering_fields(self) -> bool:
        """Whether it knows the ordering field's new name, several of these, and columns that mark deletes."""
        return self.newest_version >= 9

    def objection_to(self, version: int) -> str:
        """Why it cannot open tables of a version that this package supports; empty if it can."""
        if version <= self.newest_version:
            return ""
        return (
            f"has table version {version}, which the Hudi of this Spark session does not know: start the"
            f" session with the bundle of Hudi {_FIRST_RELEASES[version]} or later"
        )

    def request_time(self, instant: Any) -> str:
        """The time that identifies an instant."""
        knows = self.newest_version >= _REQUESTED_TIME
        return str(instant.requestedTime() if knows else instant.getTimestamp())

    def partition_paths(self, hudi: Any, context: Any, client: Any, metadata: Any) -> list[str]:
        """The paths of all partitions, relative to the table."""
        where = (
            (client, metadata)
            if self.newest_version >= _LISTS_BY_CLIENT
            else (client.getStorage(), metadata, client.getBasePath())
        )
        return list(hudi.common.fs.FSUtils.getAllPartitionPaths(context, *where))

    def avro_schema(self, resolver: Any) -> str | None:
        """The table's Avro schema as JSON, with Hudi's columns; None if no commit has one."""
        # From 1.2 on, Hudi wraps the schema; both are written as the same JSON.
        name = _SCHEMA_OF_HUDI if _SCHEMA_OF_HUDI in dir(resolver) else "getTableAvroSchemaIfPresent"
        schema = getattr(resolver, name)(True)
        return str(schema.get().toString()) if schema.isPresent() else None
