"""Forms of queries that sort and limit `readings`, and how many of its files they may open."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from .tables import EMPTY_FILES, FILES


@dataclass(frozen=True, slots=True)
class Form:
    """A query that Spark understands too, and the files that its scans open, all together."""

    text: str
    kept: int


_A: Final = "select id, k, n, big, amount, pair from readings "

_GROUPS_OF_A_SORT: Final = (
    "(select pair, count(*) from (select pair from readings order by pair nulls last) t group by pair "
    "order by pair nulls last limit 5) g"
)
"""Hive removes such a sort from subqueries in FROM alone."""

SKIPPING: Final[Mapping[str, Form]] = {
    "ascending": Form(_A + "order by k limit 5", 1),
    "descending": Form(_A + "order by k desc nulls last limit 5", 1),
    "all_columns": Form("select * from readings order by id desc nulls last limit 3", 1),
    "bigint": Form(_A + "order by big nulls last limit 30", 2),
    "date": Form("select day from readings order by day desc nulls last limit 41", 3),
    "decimal": Form(_A + "order by amount desc nulls last limit 5", 1),
    "string_with_cut_bounds": Form("select s from readings order by s desc nulls last limit 5", 1),
    "timestamp": Form("select id, at from readings order by at desc nulls last limit 5", 2),
    "a_whole_file": Form(_A + "order by k nulls last limit 20", 1),
    "a_row_more": Form(_A + "order by k nulls last limit 21", 2),
    "offset": Form(_A + "order by k desc nulls last limit 5 offset 30", 2),
    "equal_values": Form("select pair from readings order by pair nulls last limit 3", 2),
    "several_columns": Form(_A + "order by pair desc nulls last, n, id limit 7", 2),
    "nulls_last": Form("select sparse from readings order by sparse nulls last limit 5", 1),
    "nulls_last_descending": Form("select sparse from readings order by sparse desc nulls last limit 17", 2),
    "files_of_nulls": Form("select gaps from readings order by gaps nulls last limit 5", 1),
    "files_of_nulls_first": Form(
        "select gaps from readings order by gaps nulls first limit 5", EMPTY_FILES + 1
    ),
    "nulls_first_without_nulls": Form(_A + "order by k desc nulls first limit 5", 1),
    "expressions_beside": Form("select upper(s), k * 2, k from readings order by k nulls last limit 4", 1),
    "view": Form("select number, height from late_readings order by height desc nulls last limit 4", 1),
    "subquery": Form(
        "select k, n + 1 from (select k, n from readings where true) t order by k nulls last limit 4", 1
    ),
    "union_all": Form(
        "select k from (select k from readings union all select id as k from readings) u "
        "order by k desc nulls last limit 4",
        2,
    ),
    "limit_under_an_aggregate": Form(
        "select count(*), sum(k) from (select k from readings order by k desc nulls last limit 25) t", 2
    ),
    "cte": Form(
        "with t as (select id, k from readings order by k nulls last limit 6) select max(id) from t", 1
    ),
    "range_of_the_order": Form(_A + "where k >= 105 order by k desc nulls last limit 5", 1),
    "range_that_begins_in_a_file": Form(_A + "where k >= 105 order by k nulls last limit 5", 2),
    "range_of_a_string": Form("select s from readings where s >= 'c10' order by s nulls last limit 5", 1),
    "range_of_a_timestamp": Form(
        "select id, at from readings where at >= timestamp '2024-01-05 00:00:00' "
        "order by at desc nulls last limit 5",
        2,
    ),
    "filter_of_another_column": Form(
        _A + "where day between date '2024-01-10' and date '2024-01-20' order by k nulls last limit 25", 2
    ),
    "filter_of_values": Form(_A + "where k is not null order by k desc nulls last limit 5", 1),
    "filter_in_a_view": Form(
        "select number from late_readings where height > 0 order by height nulls last limit 4", 2
    ),
    "filtered_union": Form(
        "select k from (select k from readings where k < 100 union all select id as k from readings) u "
        "order by k nulls last limit 4",
        2,
    ),
    "greatest": Form("select max(k) from readings", 1),
    "least_and_greatest": Form("select min(k), max(k), max(id) from readings", 2),
    "extremes_of_columns_in_other_orders": Form("select max(big), max(amount) from readings", 2),
    "greatest_of_a_string": Form("select max(s) from readings", 1),
    "least_timestamp": Form("select min(at) from readings", 2),
    "greatest_date": Form("select date_add(max(day), 1) from readings", 1),
    "least_beside_nulls": Form("select min(sparse), min(gaps) from readings", 2),
    "greatest_under_a_filter": Form("select max(k) from readings where k < 100", 1),
    "least_under_a_filter_of_two_columns": Form(
        "select min(k) from readings where k is not null or n > 3", 1
    ),
    "greatest_of_a_view": Form("select max(height) from late_readings having max(height) > 0", 1),
    "less_than_nothing": Form(_A + "order by k nulls last limit 10000", FILES),
}
"""Queries whose scan skips files by the order, as far as bounds allow."""

KEEPING: Final[Mapping[str, Form]] = {
    "unclustered": Form("select scattered from readings order by scattered nulls last limit 3", FILES),
    "limit_under_a_join": Form(
        "select count(*), sum(b.n) from (select k from readings order by k nulls last limit 5) a "
        "join readings b on a.k = b.k",
        FILES,
    ),
    "filter_of_rows": Form(_A + "where n > 3 order by k nulls last limit 3", FILES),
    "filter_above_a_projection": Form(
        "select * from (select k, n * 2 as m from readings) t where m > 4 order by k nulls last limit 3",
        FILES,
    ),
    "double": Form("select ratio from readings order by ratio nulls last limit 3", FILES),
    "computed_key": Form("select k + 1 as c from readings order by c desc nulls last limit 3", FILES),
    "nulls_in_every_file_first": Form(
        "select sparse from readings order by sparse nulls first limit 3", FILES
    ),
    "no_limit": Form("select k from readings order by k", FILES),
    "grouped": Form("select k, count(*) from readings group by k order by k nulls last limit 3", FILES),
    "grouped_by_another": Form(
        "select pair, max(k) from readings group by pair order by pair desc nulls last limit 3", FILES
    ),
    "grouped_over_a_sort": Form(
        "select pair, count(*) from (select pair from readings order by pair nulls last) t group by pair "
        "order by pair nulls last limit 3",
        FILES,
    ),
    "grouped_over_a_sort_in_a_scalar": Form(
        f"select one, (select max(pair) from {_GROUPS_OF_A_SORT}) from (select 1 as one) o", FILES
    ),
    "grouped_over_a_sort_in_a_condition": Form(
        f"select id from readings where pair in (select pair from {_GROUPS_OF_A_SORT})", 2 * FILES
    ),
    "distinct": Form("select distinct pair from readings order by pair nulls last limit 3", FILES),
    "having": Form(
        "select pair, count(*) c from readings group by pair having count(*) > 1 "
        "order by pair nulls last limit 3",
        FILES,
    ),
    "window": Form(
        "select k, r from (select k, row_number() over (order by k desc) r from readings) t "
        "order by k nulls last limit 3",
        FILES,
    ),
    "rank_in_a_partition": Form(
        "select pair, k from (select pair, k, rank() over (partition by pair order by k) r from readings) t "
        "where r <= 2 order by k desc nulls last limit 3",
        FILES,
    ),
    "joined": Form(
        "select a.k from readings a join readings b on a.id = b.id order by a.k nulls last limit 3",
        2 * FILES,
    ),
    "left_joined": Form(
        "select a.k, b.n from readings a left join (select k, n from readings where n > 5) b on a.k = b.k "
        "order by a.k nulls last limit 3",
        2 * FILES,
    ),
    "filtered_after_the_limit_of_another_order": Form(
        "select max(k) from (select k, scattered from readings order by scattered nulls last limit 480) t",
        FILES,
    ),
    "aggregates": Form("select max(k), count(*) from readings", FILES),
    "greatest_double": Form("select max(ratio) from readings", FILES),
    "greatest_of_a_computed_value": Form("select max(k + 1) from readings", FILES),
    "greatest_of_each_group": Form("select pair, max(k) from readings group by pair", FILES),
    "least_that_matches_anywhere": Form("select min(k) from readings where n > 3", FILES),
    "rows_needed_twice": Form(
        "with t as (select k, n from readings) "
        "select sum(k) from (select k from t order by k nulls last limit 3) a "
        "union all select sum(n) from t",
        FILES,
    ),
}
"""Queries that need every file, or for which nothing is proved.

Hive makes one scan of the two of `limit_under_a_join` and of `rows_needed_twice`.
"""

FORMS: Final[Mapping[str, Form]] = {**SKIPPING, **KEEPING}
