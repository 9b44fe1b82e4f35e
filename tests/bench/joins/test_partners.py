"""Queries that count the files from which star queries join rows."""

import pytest

from .partners import counting_query

STAR = "FROM sales CROSS JOIN days WHERE sales.day = days.day AND days.year = 2000"


@pytest.mark.parametrize(
    "query",
    [
        f"SELECT days.year, sum(n) s {STAR} GROUP BY days.year HAVING sum(n) > 3 ORDER BY s LIMIT 100",
        f"SELECT name FROM (SELECT customer, count(*) {STAR} GROUP BY customer) s, customers ORDER BY name",
    ],
)
def test_joins_and_conditions_are_kept_and_the_rest_is_not(query: str) -> None:
    assert counting_query(query, "sales") == f"SELECT COUNT(DISTINCT sales._hoodie_file_name) {STAR}"


def test_a_query_that_reads_the_table_twice_has_no_such_number() -> None:
    with pytest.raises(ValueError, match="sales is read 2 times"):
        counting_query("SELECT * FROM sales JOIN (SELECT max(day) day FROM sales) last USING (day)", "sales")
