"""Index options: how they are built, and columns that do not exist."""

from typing import Any

import pytest

from pycompiler.index.options import IndexOptions, IndexOptionsError

COLUMNS = ["_hoodie_record_key", "id", "Tail_Num", "address", "address.city"]


@pytest.mark.parametrize("kinds", [{}, {"id": "bloom(fpp=0.1)", "note": ["range", "values"]}])
def test_options_are_taken_as_they_are_or_as_their_kinds(kinds: dict[str, Any]) -> None:
    options = IndexOptions(kinds)
    assert IndexOptions.of(options) is options
    assert IndexOptions.of(kinds) == options
    assert IndexOptions.of(None) is None


@pytest.mark.parametrize("choice", ["id=bloom", ["id"], 1])
def test_another_choice_is_refused_with_an_example(choice: Any) -> None:
    with pytest.raises(IndexOptionsError, match='{"name": "bloom'):
        IndexOptions.of(choice)


@pytest.mark.parametrize(
    "column", ["*", "id", "ID", "tail_num", "ADDRESS", "address.City", "_hoodie_record_key"]
)
def test_existing_columns_are_found_in_any_case(column: str) -> None:
    IndexOptions({column: "bloom"}).require_columns(COLUMNS, "the table")


@pytest.mark.parametrize(
    ("column", "hint"),
    [
        ("tailnum", "did you mean Tail_Num?"),
        ("address.cty", "did you mean address.city or address?"),
        ("nosuch", "it has Tail_Num, address, address.city, id, _hoodie_record_key"),
    ],
)
def test_a_missing_column_is_refused_with_the_nearest_names(column: str, hint: str) -> None:
    with pytest.raises(IndexOptionsError) as refused:
        IndexOptions({"id": "range", column: "none"}).require_columns(COLUMNS, "the table /lake/t")
    assert str(refused.value) == f"the table /lake/t has no column {column} to index; {hint}"


def test_only_the_first_of_many_columns_are_named() -> None:
    with pytest.raises(IndexOptionsError, match=r"it has a00, .*a09, …$"):
        IndexOptions({"zzz": "range"}).require_columns((f"a{n:02}" for n in range(20)), "the table")
