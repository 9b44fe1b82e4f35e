"""The rule of incremental queries that the property tests use, against ranges.json."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

import pytest

from tests.properties.ranges.rule import BROKEN, Found, answer

from .vectors import load, vector_id

VECTORS = load("ranges.json", "ranges")

COLUMNS = ("id", "n", "i", "s")
_SLICE = ("", "")


@dataclass(frozen=True)
class FileGroup:
    """The files of a vector, oldest first, merged in the vector's merge mode."""

    files: list[dict[str, Any]]
    by_event_time: bool

    def as_of(self, commit: str) -> list[Found]:
        return self._merged(file for file in self.files if file["commit"] <= commit)

    def latest(self) -> list[Found]:
        return self._merged(self.files)

    def of_files(self, commits: Collection[str]) -> list[Found]:
        return self._merged(file for file in self.files if file["commit"] in commits)

    def _merged(self, files: Iterable[dict[str, Any]]) -> list[Found]:
        rows: dict[int, Found] = {}
        for file in files:
            if file.get("base"):
                rows.clear()  # It has all that was before it.
            for record in file["records"]:
                values = dict(record)
                commit = values.pop("commit", file["commit"])
                before = rows.get(values["id"])
                if before is None:
                    before = Found("", _SLICE, dict.fromkeys(COLUMNS))
                elif self.by_event_time and values["n"] < before.values["n"]:
                    continue
                rows[values["id"]] = Found(commit, _SLICE, {**before.values, **values})
        return [row for row in rows.values() if not row.values.get("deleted")]


def group_of(vector: dict[str, Any]) -> FileGroup:
    return FileGroup(vector["files"], vector["merging"] == "event time")


@pytest.mark.parametrize("vector", VECTORS, ids=vector_id)
def test_a_range_has_the_rows_that_the_vector_says(vector: dict[str, Any]) -> None:
    assert [row.values for row in answer(group_of(vector), vector["range"])] == vector["rows"]


@pytest.mark.parametrize("rule", BROKEN)
def test_each_broken_rule_has_other_rows_than_a_vector(rule: str) -> None:
    broken = BROKEN[rule]
    assert [
        vector["name"]
        for vector in VECTORS
        if vector["range"]
        and [row.values for row in broken(group_of(vector), vector["range"])] != vector["rows"]
    ]
