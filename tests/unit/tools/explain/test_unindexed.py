"""Tables without an index: what is said if they cannot be explained."""

import re
from pathlib import Path

import boto3
import pytest

from pycompiler.compile.sql.from_sql import Dialect
from pycompiler.errors import HudiSkipError
from pycompiler.index.file_systems.location import Location
from pycompiler.tools.explain.columns import ExplanationError
from pycompiler.tools.explain.explanation import explain_filter

from .tables import NOW, Table


def _refused(table: Location) -> str:
    with pytest.raises(HudiSkipError) as refused:
        explain_filter(table, "n = 5", Dialect.HIVE, NOW)
    assert isinstance(refused.value, ExplanationError)
    return str(refused.value)


def _without_index(table: Location) -> str:
    message = _refused(table)
    assert message.startswith(f"{table} has no index, and ")
    assert message.endswith(f"; or build an index: hudi-skip index build {table}"), message
    return message


@pytest.mark.parametrize(
    ("variable", "message"),
    [
        ("JAVA_HOME", "bin/java is missing; set JAVA_HOME to a JDK 17, or unset it"),
        ("SPARK_HOME", "jars is missing; install PySpark, or set SPARK_HOME to a Spark"),
        ("HUDI_SKIP_HOME", "hive-handler-bundle.jar is missing; run `make setup` in a checkout"),
    ],
)
def test_what_is_missing_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str, message: str
) -> None:
    table = Table(tmp_path / "t")
    table.base("a", 1, range(10))
    monkeypatch.setenv(variable, str(tmp_path / "nothing"))
    assert message in _without_index(Location.parse(str(table.root)))


def test_a_table_that_the_handler_cannot_read_is_refused_in_its_words(tmp_path: Path) -> None:
    table = Table(tmp_path / "t")
    table.base("a", 1, range(10))
    # The table has no name.
    said = _refused(Location.parse(str(table.root)))
    assert re.match(rf"Hive cannot query {table.root}: .*hoodie\.properties has been incomplete", said), said


def test_a_file_system_that_spark_has_no_jar_for_is_named(s3: str) -> None:
    client = boto3.client("s3")
    properties = b"hoodie.table.name=t\nhoodie.table.type=COPY_ON_WRITE\nhoodie.table.version=8\n"
    client.put_object(Bucket="lake", Key="unindexed/.hoodie/hoodie.properties", Body=properties)
    said = _without_index(Location.parse(f"{s3}/unindexed"))
    assert "PySpark's jars do not include those that read s3a: tables" in said
