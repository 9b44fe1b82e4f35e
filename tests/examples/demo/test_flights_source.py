import datetime as dt
from pathlib import Path

import pyarrow.parquet as pq

from examples.demo import flights_source


def test_the_flights_are_all_there_with_a_number_and_a_date(tmp_path: Path) -> None:
    table = flights_source.flights(tmp_path)
    read = pq.read_table(table.file)
    assert table.rows == read.num_rows == 336_776
    first = read.slice(0, 1).to_pylist()[0]
    assert (first["flights_id"], first["carrier"], first["flights_date"]) == (1, "UA", dt.date(2013, 1, 1))
    assert read["dep_time"].null_count == 8_255, "NA in the data set is a missing value"


def test_a_prepared_file_is_used_again(tmp_path: Path) -> None:
    made = flights_source.weather(tmp_path).file
    before = made.stat().st_mtime_ns
    assert flights_source.weather(tmp_path).file.stat().st_mtime_ns == before
