"""Queries on TPC-H's lineitem, in SQL with the same meaning in Hive and Spark."""

from typing import Final

from pycompiler.demo.common.part import DemoQuery

WARM_UP: Final = DemoQuery(
    "warm-up",
    "SELECT l_returnflag, count(*) FROM lineitem WHERE l_shipdate < DATE '1992-03-01' GROUP BY l_returnflag",
)
"""A query with a condition and a shuffle, for warming up."""

QUERIES: Final = (
    DemoQuery(
        "revenue of a day",
        # TPC-H's Q6, which covers a year.
        "SELECT count(*) AS items, sum(l_extendedprice * l_discount) AS revenue FROM lineitem "
        "WHERE l_shipdate = DATE '1995-02-14' AND l_discount BETWEEN 0.05 AND 0.07 AND l_quantity < 24",
    ),
    DemoQuery(
        "8 orders by key, Bloom filter",
        "SELECT l_orderkey, count(*) AS items, sum(l_extendedprice) AS price FROM lineitem "
        "WHERE l_orderkey IN (7, 1152, 5765, 12001, 23396, 31107, 44290, 58950) GROUP BY l_orderkey",
        # A Bloom filter has false positives, and each order may have been shipped in up to seven parts.
        most=0.99,
    ),
    DemoQuery(
        "a function of a column",
        "SELECT count(*) AS items, sum(l_quantity) AS quantity FROM lineitem "
        "WHERE CAST(l_shipdate AS STRING) LIKE '1996-02-1%'",
    ),
    DemoQuery(
        "a month joined with parts",
        # TPC-H's Q14 without its last division, for which engines keep different numbers of digits.
        "SELECT sum(CASE WHEN p_type LIKE 'PROMO%' THEN l_extendedprice * (1 - l_discount) ELSE 0 END) "
        "AS promo, sum(l_extendedprice * (1 - l_discount)) AS revenue "
        "FROM lineitem JOIN part ON l_partkey = p_partkey "
        "WHERE l_shipdate >= DATE '1995-09-01' AND l_shipdate < DATE '1995-10-01'",
    ),
    DemoQuery(
        "a month of a table of days",
        # No condition on lineitem: the days that the join finds choose its files.
        "SELECT d_weekday, count(*) AS items, sum(l_quantity) AS quantity "
        "FROM lineitem JOIN days ON l_shipdate = d_date "
        "WHERE d_year = 1996 AND d_month = 2 GROUP BY d_weekday",
    ),
)
