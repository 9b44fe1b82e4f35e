"""Choices of index kinds that follow each other: what is added, and what is given up."""

from collections.abc import Mapping, Sequence

import pytest

from pycompiler.index.choices import added_to, command_that_adds, given_up, kinds_text
from pycompiler.index.options import IndexOptions, IndexOptionsError

Kinds = Mapping[str, str | Sequence[str]]


@pytest.mark.parametrize(
    ("earlier", "added", "expected"),
    [
        ({}, {"sku": "bloom"}, {"sku": ["range", "bloom"]}),
        ({"day": ["none"]}, {"sku": "bloom"}, {"day": ["none"], "sku": ["range", "bloom"]}),
        ({"SKU": ["range,values"]}, {"sku": "bloom"}, {"SKU": ["range", "values", "bloom"]}),
        ({"sku": ["bloom(fpp=0.5)", "values"]}, {"sku": "bloom"}, {"sku": ["range", "bloom", "values"]}),
        ({"sku": ["none"]}, {"sku": "bloom"}, {"sku": ["range", "bloom"]}),
        ({"sku": ["bloom"]}, {"sku": "none"}, {"sku": ["none"]}),
        ({"*": ["bloom"]}, {"sku": "values"}, {"*": ["bloom"], "sku": ["range", "bloom", "values"]}),
        ({"*": ["none"]}, {"sku": "range"}, {"*": ["none"], "sku": ["range"]}),
        ({"a": ["bloom"]}, {"a.b": "values"}, {"a": ["bloom"], "a.b": ["range", "bloom", "values"]}),
        ({"a.b": ["none"]}, {"a": "bloom"}, {"a.b": ["none"], "a": ["range", "bloom"]}),
        ({"sku": ["none"]}, {"*": "bloom"}, {"sku": ["none"], "*": ["range", "bloom"]}),
        ({"sku": [" range, bloom"]}, {"SKU": "bloom"}, {"sku": [" range, bloom"]}),
    ],
)
def test_a_choice_adds_to_the_one_before(earlier: Kinds, added: Kinds, expected: Kinds) -> None:
    assert added_to(earlier, IndexOptions(added)).document() == expected


def test_earlier_kinds_that_are_not_installed_cannot_be_kept() -> None:
    with pytest.raises(IndexOptionsError, match="nosuch"):
        added_to({"sku": ["nosuch"]}, IndexOptions({"day": "bloom"}))


@pytest.mark.parametrize(
    ("earlier", "choice", "lost", "replaced"),
    [
        ({"sku": ["range,bloom"]}, {"day": "bloom"}, {"sku": ["bloom"]}, {}),
        ({"SKU": ["bloom"]}, {"sku": "bloom"}, {}, {}),
        ({"sku": ["bloom(fpp=0.5)"]}, {"sku": "bloom"}, {}, {"sku": ["bloom(fpp=0.5)"]}),
        ({"sku": ["bloom(fpp=0.5),values(max=9)"]}, {}, {"sku": ["bloom(fpp=0.5)", "values(max=9)"]}, {}),
        ({"sku": ["bloom"]}, {"sku": "none"}, {"sku": ["range", "bloom"]}, {}),
        ({"sku": ["bloom"]}, {"*": "bloom"}, {}, {}),
        ({"*": ["bloom"]}, {"sku": "bloom"}, {"*": ["bloom"]}, {}),
        ({}, {"*": "none", "id": "range"}, {"*": ["range"]}, {}),
        ({"a": ["bloom"]}, {"a.b": "none"}, {"a": ["bloom"], "a.b": ["range", "bloom"]}, {}),
        ({"sku": ["nosuch(x=1)"]}, {}, {"sku": ["nosuch(x=1)"]}, {}),
    ],
)
def test_what_a_choice_gives_up_of_the_one_before_is_told(
    earlier: Kinds, choice: Kinds, lost: Kinds, replaced: Kinds
) -> None:
    found = given_up(earlier, IndexOptions(choice))
    assert (found.no_longer_kept, found.replaced) == (lost, replaced)


def test_what_was_given_up_can_be_added_by_a_command() -> None:
    lost = given_up({"sku": ["bloom,values(max=9)"], "id": "bloom"}, IndexOptions()).no_longer_kept
    assert kinds_text(lost) == "sku bloom, values(max=9); id bloom"
    assert command_that_adds("/lake/my table", lost) == (
        "hudi-skip index build '/lake/my table' --add-index 'sku=bloom,values(max=9)' --add-index id=bloom"
    )
