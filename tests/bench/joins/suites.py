"""TPC-DS and TPC-H: their tables and queries, from DuckDB's generators."""

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pyarrow import parquet

from examples.demo.lake import Layout, SourceTable

DUCKDB: Final = Path("build/duckdb").absolute()
"""Where `make build/stamps/duckdb` installs it, apart from our packages: it is an old release."""

_RUN: Final = "import duckdb, sys; duckdb.connect(sys.argv[1]).execute(sys.stdin.read())"
_SETTINGS: Final = "SET memory_limit = '6GB'; SET threads = 2; SET preserve_insertion_order = false;"
_ROWS_PER_FILE: Final = 100_000
"""Of tables other than the fact table."""


@dataclass(frozen=True)
class Suite:
    """A benchmark of the Transaction Processing Performance Council.

    Attributes:
        generator: DuckDB's function that makes its tables.
        texts: DuckDB's function that returns its queries.
        keys: The record keys of tables whose first column is none.
        sorted_by: The columns that a table's files are sorted by, if not by its first one.
        fact: The table that queries join with others.
        numbers: The queries that are run.
        scale: The scale factor of which the fact table has more than ten million rows.
        is_sorted_by_key: Whether each query joins by the column that the fact table's files are sorted by.
        without_gain: A query with a join by that column whose values are in all files, if there is one.
    """

    name: str
    generator: str
    texts: str
    tables: Sequence[str]
    keys: Mapping[str, str]
    sorted_by: Mapping[str, str]
    fact: str
    numbers: Sequence[int]
    scale: float
    is_sorted_by_key: bool
    without_gain: str | None = None

    @property
    def partition(self) -> str:
        """What the fact table's files are sorted by, and its native peer is partitioned by."""
        return self.sorted_by[self.fact]

    def generate(self, scale: float, folder: Path) -> Sequence[SourceTable]:
        """Writes each table as a Parquet file.

        Args:
            scale: The scale factor; 1 is about a gigabyte.
            folder: Where to, not there yet.
        """
        folder.mkdir(parents=True)
        copies = (f"COPY {name} TO '{folder}/{name}.parquet';" for name in self.tables)
        _duckdb(f"{_SETTINGS} CALL {self.generator}(sf = {scale:g}); {' '.join(copies)}", folder / "database")
        files = {name: folder / f"{name}.parquet" for name in self.tables}
        return [SourceTable(name, file, parquet.read_metadata(file).num_rows) for name, file in files.items()]

    def queries(self, folder: Path) -> dict[int, str]:
        """The texts of the queries by number, with the parameters that validate an implementation."""
        found = folder / f"{self.texts}.json"
        _duckdb(f"COPY (SELECT query_nr, query FROM {self.texts}()) TO '{found}' (FORMAT json)", ":memory:")
        texts = dict(_numbered(found))
        return {number: texts[number].strip().rstrip("; \n") for number in self.numbers}

    def layout(self, source: SourceTable, files: int) -> Layout:
        """How a table is divided.

        Args:
            files: The least number of the fact table's files.
        """
        first = parquet.read_schema(source.file).names[0]
        return Layout(
            key=self.keys.get(source.name, first),
            order=(self.sorted_by.get(source.name, first),),
            files=files if source.name == self.fact else 1 + source.rows // _ROWS_PER_FILE,
        )


def _duckdb(statements: str, database: Path | str) -> None:
    # In a process of its own: its Python package must not be on the path of ours.
    subprocess.run(
        [sys.executable, "-c", _RUN, str(database)],
        input=statements,
        env={"PYTHONPATH": str(DUCKDB)},
        text=True,
        check=True,
    )


def _numbered(file: Path) -> Iterator[tuple[int, str]]:
    for line in file.read_text("utf-8").splitlines():
        row = json.loads(line)
        yield row["query_nr"], row["query"]


TPC_DS: Final = Suite(
    name="TPC-DS",
    generator="dsdgen",
    texts="tpcds_queries",
    tables=(
        "store_sales",
        "date_dim",
        "time_dim",
        "item",
        "store",
        "promotion",
        "customer",
        "customer_address",
        "customer_demographics",
        "household_demographics",
    ),
    keys={"store_sales": "ss_item_sk,ss_ticket_number"},
    sorted_by={"store_sales": "ss_sold_date_sk"},
    fact="store_sales",
    numbers=(3, 7, 19, 42, 43, 52, 55, 73, 79, 98),
    scale=4,
    is_sorted_by_key=True,
    without_gain=(
        "SELECT d_dow, sum(ss_net_profit) AS profit, count(*) AS sales FROM store_sales, date_dim "
        "WHERE ss_sold_date_sk = d_date_sk AND d_year BETWEEN 1990 AND 2010 GROUP BY d_dow ORDER BY d_dow"
    ),
)
"""Ten stars around the sales of stores, whose date comes from a filtered dimension."""

TPC_H: Final = Suite(
    name="TPC-H",
    generator="dbgen",
    texts="tpch_queries",
    tables=("lineitem", "orders", "customer", "part", "partsupp", "supplier", "nation", "region"),
    keys={"lineitem": "l_orderkey,l_linenumber", "partsupp": "ps_partkey,ps_suppkey"},
    sorted_by={"lineitem": "l_shipdate", "orders": "o_orderdate"},
    fact="lineitem",
    numbers=(3, 5, 7, 8, 10, 12, 14, 17, 19, 20),
    scale=2,
    is_sorted_by_key=False,
)
"""Joins by keys that are spread over all files: no join's values can skip any."""
