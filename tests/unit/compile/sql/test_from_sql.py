import pytest

from pycompiler.compile.predicate.errors import FilterTooLargeError, SqlPredicateError
from pycompiler.compile.predicate.model import And, In
from pycompiler.compile.sql.from_sql import Dialect, from_sql
from pycompiler.compile.values.types import HiveType

INT = HiveType.parse("int")
SCHEMA = {"a": INT, "s": HiveType.parse("string")}


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("(a = 1", 1, 6),
        ("a = = 1", 1, 5),
        ("a = 1 AND", 1, 7),
        ("a = 1 AND\n  a b c", 2, 7),
        ("zzz = 1", 1, 1),
        ("a = 1 AND\n   zzz = 3", 2, 4),
        ("upper(zzz) = 'X'", 1, 7),
    ],
)
def test_an_error_says_where_it_is(text: str, line: int, column: int) -> None:
    with pytest.raises(SqlPredicateError) as caught:
        from_sql(text, SCHEMA)
    assert (caught.value.line, caught.value.column) == (line, column), str(caught.value)
    assert f"line {line}, column {column}" in str(caught.value)


def test_an_unknown_column_is_named_with_those_that_there_are() -> None:
    with pytest.raises(SqlPredicateError, match="no column zzz; the columns are: a, s"):
        from_sql("zzz = 1", SCHEMA)


@pytest.mark.parametrize(
    ("named", "meant"),
    [("flight_day", "flights_day"), ("f.tailnr", "tailnum"), ("FLIGHTS_DYA", "flights_day"), ("dst", "dest")],
)
def test_columns_with_a_name_like_it_are_suggested(named: str, meant: str) -> None:
    schema = dict.fromkeys(["flights_day", "tailnum", "dest", "_hoodie_commit_time"], INT)
    with pytest.raises(SqlPredicateError, match=rf"did you mean {meant}\?$"):
        from_sql(f"{named} = 1", schema)


def test_the_tables_own_columns_are_named_before_hudis_which_hive_reads_in_backticks() -> None:
    schema = {"_hoodie_commit_time": INT, "_hoodie_file_name": INT, **SCHEMA}
    with pytest.raises(
        SqlPredicateError, match="the columns are: a, s, `_hoodie_commit_time`, `_hoodie_file_name`$"
    ):
        from_sql("zzz = 1", schema)


@pytest.mark.parametrize("qualifier", ["orders.", "o.", "lake.orders.", "`lake`.`orders`.", "O."])
def test_columns_may_be_qualified_by_the_table_or_its_alias(qualifier: str) -> None:
    schema = {**SCHEMA, "_hoodie_commit_time": INT, "place": HiveType("struct<lat:double>")}
    for name in ("a", "s", "`_hoodie_commit_time`", "place.lat"):
        assert from_sql(f"{qualifier}{name} IS NULL", schema) == from_sql(f"{name} IS NULL", schema)


def test_a_struct_is_a_column_and_no_qualifier() -> None:
    schema = {"a": INT, "place": HiveType("struct<a:int,b:int>")}
    assert from_sql("place.a = 1", schema) != from_sql("a = 1", schema)
    assert from_sql("a.a = 1", schema) == from_sql("a = 1", schema), "only a struct has fields"


def test_columns_of_two_tables_are_refused() -> None:
    with pytest.raises(SqlPredicateError, match="columns of one table, not of left and right"):
        from_sql("`left`.a = `right`.a", SCHEMA)
    with pytest.raises(SqlPredicateError, match=r"no column t\.zzz"):
        from_sql("t.zzz = 1", SCHEMA)


ARROW = "struct<geo: struct<City: string, d: decimal128(10, 2) not null, a: struct<b: struct<c: int32>>>>"


@pytest.mark.parametrize(
    "device", [ARROW, "struct<geo:struct<city:string,d:decimal(10,2),a:struct<b:struct<c:int>>>>"]
)
@pytest.mark.parametrize("qualifier", ["", "o.", "lake.o."])
def test_a_field_that_a_struct_lacks_is_refused_as_a_column_is(device: str, qualifier: str) -> None:
    schema = {"device": HiveType(device), "device.geo.city": HiveType("string"), "id": INT}
    for name in ("device.geo.CITY", "device.geo.d", "device.geo.a.b.c", "device.geo"):
        from_sql(f"{qualifier}{name} IS NULL", schema)
    for name, message in (
        ("device.geo.ctiy", r"device\.geo has no field ctiy; did you mean device\.geo\.city\?$"),
        ("device.geo.zzz", r"device\.geo has no field zzz; its fields are: city, d, a$"),
        ("device.geo.a.b.x", r"device\.geo\.a\.b has no field x; its fields are: c$"),
        ("device.geo.city.x", r"device\.geo\.city has no field x; it is no struct$"),
        ("device.id", r"device has no field id; its fields are: geo$"),
    ):
        with pytest.raises(SqlPredicateError, match=message):
            from_sql(f"id = 1 OR {qualifier}{name} = 'x'", schema)


def test_a_comma_in_arrows_text_of_a_type_ends_no_field() -> None:
    schema = {"device": HiveType("struct<at: timestamp[us, tz=UTC], n: int32>")}
    from_sql("device.n IS NULL", schema)
    with pytest.raises(SqlPredicateError, match=r"its fields are: at, n$"):
        from_sql("device.x IS NULL", schema)


def test_fields_of_the_structs_in_an_array_are_not_looked_for() -> None:
    schema = {"device": HiveType("struct<parts: list<element: struct<n: int32>>>")}
    from_sql("device.parts.n IS NULL", schema)


@pytest.mark.parametrize("schema", [SCHEMA, None])
@pytest.mark.parametrize("dialect", Dialect)
@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("count(*) > 3", "an aggregate"),
        ("a = 1 AND abs(MAX(a)) = 1", "an aggregate"),
        ("count(DISTINCT a) = 1", "an aggregate"),
        ("row_number() OVER (PARTITION BY s ORDER BY a) = 1", "a window function"),
    ],
)
def test_what_is_about_several_rows_is_refused(
    text: str, kind: str, dialect: Dialect, schema: dict[str, HiveType] | None
) -> None:
    with pytest.raises(SqlPredicateError, match=f"is {kind}, not a value of one row"):
        from_sql(text, schema, dialect=dialect)


def test_a_subquery_may_have_aggregates() -> None:
    from_sql("a = 1 AND a IN (SELECT max(a) FROM t)", SCHEMA)


def test_of_a_table_whose_columns_are_not_known_a_condition_is_read_all_the_same() -> None:
    assert isinstance(from_sql("a = 1 AND b > 2", None), And)
    with pytest.raises(SqlPredicateError, match="line 1, column 5"):
        from_sql("a = = 1", None)


@pytest.mark.parametrize(
    "text", ["", "  ", "-- a", "SELECT 1", "a = 1; a = 2", "a = 1 b", "DROP TABLE t", "a = 'x", "SHOW TABLES"]
)
def test_what_is_not_one_condition_is_refused(text: str) -> None:
    with pytest.raises(SqlPredicateError):
        from_sql(text, SCHEMA)


@pytest.mark.parametrize("text", ["(" * 500 + "a = 1" + ")" * 500, "NOT " * 1000 + "a = 1"])
def test_deep_nesting_is_refused_and_no_crash(text: str) -> None:
    with pytest.raises(SqlPredicateError, match="nested too deeply"):
        from_sql(text, SCHEMA)


def test_long_chains_are_not_deep() -> None:
    predicate = from_sql(" AND ".join(f"a != {number}" for number in range(3000)), SCHEMA)
    assert isinstance(predicate, And)
    assert len(predicate.terms) == 3000


def test_lists_beyond_the_limit_are_refused() -> None:
    members = ", ".join(["1"] * 10_000)
    assert isinstance(from_sql(f"a IN ({members})", SCHEMA), In)
    with pytest.raises(FilterTooLargeError, match="10001 values"):
        from_sql(f"a IN ({members}, 1)", SCHEMA)
