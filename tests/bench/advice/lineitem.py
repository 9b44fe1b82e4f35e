"""Fifty conditions on TPC-H's lineitem, as sales, purchasing, shipping and support might ask.

Keys are within what a scale factor of 0.1 has: orders up to 600,000, parts up to 20,000, suppliers up to
1,000.
"""

from typing import Final

CONDITIONS: Final = (
    # When it was shipped.
    "l_shipdate = DATE '1995-02-14'",
    "l_shipdate = DATE '1997-11-03'",
    "l_shipdate BETWEEN DATE '1996-06-10' AND DATE '1996-06-16'",
    "l_shipdate >= DATE '1998-10-01'",
    "l_shipdate >= DATE '1995-09-01' AND l_shipdate < DATE '1995-10-01'",
    "l_shipdate IN (DATE '1993-12-24', DATE '1994-12-24', DATE '1995-12-24')",
    "CAST(l_shipdate AS STRING) LIKE '1996-02-1%'",
    "year(l_shipdate) = 1994 AND month(l_shipdate) = 5",
    "date_add(l_shipdate, 30) = DATE '1993-08-15'",
    # When it arrived, or was to.
    "l_receiptdate = DATE '1996-01-01'",
    "l_receiptdate BETWEEN DATE '1994-03-01' AND DATE '1994-03-03'",
    "l_receiptdate > DATE '1998-12-20'",
    "l_commitdate = DATE '1997-07-15'",
    "l_commitdate BETWEEN DATE '1993-02-01' AND DATE '1993-02-05'",
    # Which part.
    "l_partkey = 155",
    "l_partkey = 8246",
    "l_partkey = 14001",
    "l_partkey = 19974",
    "l_partkey IN (12, 6913, 15780)",
    "l_partkey IN (3000, 3001, 3002, 3003)",
    "l_partkey BETWEEN 10000 AND 10020",
    "l_partkey BETWEEN 17600 AND 17780",
    "l_partkey > 19990",
    "l_partkey + 1 = 4691",
    # From whom.
    "l_suppkey = 77",
    "l_suppkey = 628",
    "l_suppkey IN (800, 801)",
    "l_suppkey BETWEEN 500 AND 502",
    # Which order.
    "l_orderkey = 7",
    "l_orderkey = 300000",
    "l_orderkey = 599940",
    "l_orderkey IN (1152, 115201, 240033, 467936, 579172)",
    "l_orderkey BETWEEN 140000 AND 141000",
    "l_orderkey >= 598000",
    "CAST(l_orderkey AS STRING) LIKE '12345%'",
    # What it cost.
    "l_extendedprice > 100000",
    "l_extendedprice BETWEEN 20000 AND 20100",
    "l_quantity < 2",
    "l_quantity = 50 AND l_discount = 0.10",
    # How it was shipped.
    "l_shipmode = 'REG AIR'",
    "l_shipmode LIKE '%AIR'",
    "upper(l_shipinstruct) = 'COLLECT COD'",
    "l_returnflag = 'R'",
    # Two columns.
    "l_shipdate BETWEEN DATE '1995-01-01' AND DATE '1995-12-31' AND l_discount BETWEEN 0.05 AND 0.07"
    " AND l_quantity < 24",
    "l_partkey BETWEEN 2000 AND 2400 AND l_shipdate >= DATE '1997-01-01'",
    "l_partkey = 13333 AND l_shipdate BETWEEN DATE '1994-01-01' AND DATE '1994-12-31'",
    "l_suppkey = 247 AND l_shipdate >= DATE '1998-01-01'",
    "l_shipmode = 'MAIL' AND l_receiptdate BETWEEN DATE '1994-01-01' AND DATE '1994-01-31'",
    "l_returnflag = 'R' AND l_shipdate BETWEEN DATE '1993-10-01' AND DATE '1993-10-15'",
    "l_orderkey = 200001 OR l_partkey = 1",
)
