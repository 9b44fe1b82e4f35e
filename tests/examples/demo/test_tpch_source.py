import datetime as dt
from pathlib import Path

import pytest
from pyarrow import compute, parquet

from examples.demo.lake import DemoDataError
from examples.demo.tpch_source import generate, generate_days


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("tpch")


def test_lineitem_is_as_tpch_defines_it(directory: Path) -> None:
    made = generate("lineitem", 0.01, directory)
    rows = parquet.read_table(made.file)
    # What TPC-H's own dbgen makes at this scale.
    assert (made.name, made.rows, rows.num_rows) == ("lineitem", 60_175, 60_175)
    days = compute.min_max(rows["l_shipdate"]).as_py()
    assert [str(days["min"]), str(days["max"])] == ["1992-01-04", "1998-11-29"]


def test_days_are_those_of_seven_years(directory: Path) -> None:
    made = generate_days(directory)
    rows = parquet.read_table(made.file).to_pylist()
    assert made.rows == len(rows) == 7 * 365 + 2
    assert rows[-1] == {
        "d_date": dt.date(1998, 12, 31),
        "d_year": 1998,
        "d_month": 12,
        "d_weekday": "Thursday",
    }


def test_a_table_is_generated_once(directory: Path) -> None:
    first = generate("part", 0.01, directory).file.stat().st_mtime_ns
    assert generate("part", 0.01, directory).file.stat().st_mtime_ns == first


def test_nothing_is_left_where_the_generator_fails(tmp_path: Path) -> None:
    with pytest.raises(DemoDataError, match="tpchgen-cli failed"):
        generate("no_such_table", 0.01, tmp_path)
    with pytest.raises(DemoDataError, match="tpchgen-cli failed"):
        generate("no_such_table", 0.01, tmp_path)
