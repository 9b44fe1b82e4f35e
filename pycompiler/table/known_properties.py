"""The table properties that this release knows.

A newer Hudi may use a new property to control how records are merged or where files are; ignoring it would
silently give wrong rows. The list in `known_properties.txt` is shared with the handler (`KnownProperties`),
and `tests/conformance/properties.json` covers both.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

VERSION: Final = "hoodie.table.version"
NEWEST_VERSION: Final = 9
"""The newest table version that can be read."""

OLD_ORDERING: Final = "hoodie.table.precombine.field"
NEW_ORDERING: Final = "hoodie.table.ordering.fields"
"""Names of the ordering fields, whose greater values win: in Hudi up to 1.0, and from 1.1 on."""

MERGE_PROPERTIES: Final = "hoodie.record.merge.property."
"""How names of properties begin that Hudi merges by from 1.1 on, such as the column that marks deletes."""

_MERGE_MODE: Final = "hoodie.record.merge.mode"
_FIRST_WITH_MERGE_MODE: Final = 8
_LIST: Final = "known_properties.txt"
_ANY: Final = "*"
# Hudi's merging prefers the last one.
_ORDERING: Final = (OLD_ORDERING, NEW_ORDERING, "hoodie.datasource.write.precombine.field")


@dataclass(frozen=True, slots=True)
class _Rule:
    is_of_merging: bool
    values: frozenset[str]

    def knows(self, value: str, is_merge_on_read: bool) -> bool:
        if self.is_of_merging and not is_merge_on_read:
            return True
        return _ANY in self.values or value.lower() in self.values


@cache
def _rules() -> Mapping[str, _Rule]:
    rules = {}
    for line in files(__package__).joinpath(_LIST).read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            tables, name, values, _ = (column.strip() for column in line.split("|", 3))
            known = frozenset(value.strip().lower() for value in values.split(","))
            rules[name] = _Rule(tables == "mor", known)
    return rules


def _rule(name: str) -> _Rule | None:
    rules = _rules()
    beginnings = (name[:end] + _ANY for end in range(len(name), -1, -1))
    return rules.get(name) or next((rules[each] for each in beginnings if each in rules), None)


def objection_to_version(version: str) -> str:
    """Why tables of a version (blank before Hudi 0.6) cannot be read; empty if they can."""
    value = version.strip()
    is_number = value.isascii() and value.isdecimal()
    if not value or (is_number and int(value) <= NEWEST_VERSION):
        return ""
    remedy = (
        f"query the table through Spark, or downgrade it to version {NEWEST_VERSION} with Hudi's procedure"
        " downgrade_table"
        if is_number
        else f"correct {VERSION} in its hoodie.properties"
    )
    return f"has table version {value}; this release reads versions up to {NEWEST_VERSION}: {remedy}"


def objection_to_reading(properties: Mapping[str, str], is_merge_on_read: bool) -> str:
    """Which property prevents the table's rows from being read; empty if none does."""
    for name, given in sorted(properties.items()):
        value, rule = given.strip(), _rule(name)
        if value and rule is not None and not rule.knows(value, is_merge_on_read):
            return (
                f"has the property {name}={value}, which this release of hudi-skip does not know and which"
                " may affect the table's rows: query the table through Spark, or use a release that knows it"
            )
    if not is_merge_on_read:
        return ""
    return _objection_to_ordering(properties) or _objection_to_merging(properties)


def _objection_to_ordering(properties: Mapping[str, str]) -> str:
    fields = {name: value for name in _ORDERING if (value := ",".join(fields_in(properties.get(name, ""))))}
    if len({*fields.values()}) > 1:
        found = ", ".join(f"{name}={value}" for name, value in fields.items())
        return (
            f"has properties that do not agree on the ordering fields: {found}; set {NEW_ORDERING} and"
            f" {OLD_ORDERING} to the same fields in hoodie.properties"
        )
    return ""


def _objection_to_merging(properties: Mapping[str, str]) -> str:
    if properties.get(_MERGE_MODE) or not is_at_least(_FIRST_WITH_MERGE_MODE, properties):
        return ""
    return (
        f"does not say how its records are merged: {_MERGE_MODE} is missing in its hoodie.properties; set it"
        " as the table's writers do"
    )


def is_at_least(version: int, properties: Mapping[str, str]) -> bool:
    """Whether a table has this version or a later one."""
    given = properties.get(VERSION, "").strip()
    return given.isdecimal() and int(given) >= version


def fields_in(value: str) -> tuple[str, ...]:
    """The fields that an ordering property names."""
    return tuple(name for field in value.split(",") if (name := field.strip()))
