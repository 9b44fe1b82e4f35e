import pytest

from pycompiler.compile.values.types import HiveType, UnknownTypeError, ValueKind

CANONICAL = [
    ("INT", "int"),
    (" Decimal ( 10 , 2 ) ", "decimal(10,2)"),
    ("decimal", "decimal(10,0)"),
    ("decimal(7)", "decimal(7,0)"),
    ("varchar( 5 )", "varchar(5)"),
    ("timestamp  with local time zone", "timestamp with local time zone"),
    ("timestamp with local time zone('UTC')", "timestamp with local time zone"),
    ("struct<a: int, b : array<string>>", "struct<a:int,b:array<string>>"),
]
NO_TYPES = [
    "",
    "integer",
    "decimal(0,0)",
    "decimal(39,0)",
    "decimal(5,6)",
    "varchar",
    "varchar(0)",
    "varchar(65536)",
    "varchar(5,2)",
    "char(256)",
    "int(4)",
    "array<>",
    "list<int>",
]


@pytest.mark.parametrize(("text", "canonical"), CANONICAL)
def test_case_and_blanks_of_a_type_name_are_ignored(text: str, canonical: str) -> None:
    hive_type = HiveType.parse(text)
    assert str(hive_type) == canonical
    assert HiveType.parse(str(hive_type)) == hive_type


@pytest.mark.parametrize("text", NO_TYPES)
def test_other_names_are_refused(text: str) -> None:
    with pytest.raises(UnknownTypeError):
        HiveType.parse(text)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("tinyint", ValueKind.INTEGER),
        ("bigint", ValueKind.INTEGER),
        ("float", ValueKind.FLOAT),
        ("decimal(3,1)", ValueKind.DECIMAL),
        ("char(3)", ValueKind.STRING),
        ("binary", None),
        ("timestamp with local time zone", None),
        ("map<string,int>", None),
    ],
)
def test_types_of_one_kind_share_an_encoding(text: str, kind: ValueKind | None) -> None:
    assert HiveType.parse(text).kind is kind
