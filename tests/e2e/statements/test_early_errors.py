"""What is known when Hive compiles a statement fails there, in one line."""

import pytest

from ..harness.check import Checker
from ..harness.engines import TEZ
from ..harness.lake import Lake
from ..harness.session import QueryFailed


@pytest.mark.parametrize("engine", [TEZ, {}], ids=["tez", "fetch task"])
@pytest.mark.parametrize("columns", ["count(*)", "cust"])
@pytest.mark.parametrize("cbo", ["true", "false"])
def test_a_version_that_is_not_a_commit_fails_in_one_line(
    check: Checker, engine: dict[str, str], columns: str, cbo: str
) -> None:
    query = f"select {columns} from customers for system_version as of 20200101000000000 where cust = 11"
    with check.session.settings({**engine, "hive.cbo.enable": cbo}), pytest.raises(QueryFailed) as failure:
        check.session.rows(query)
    _assert_early(str(failure.value), "20200101000000000 is not a completed commit of ")


def test_a_range_that_is_not_there_fails_in_one_line(check: Checker) -> None:
    settings = {
        "hoodie.customers.consume.mode": "INCREMENTAL",
        "hoodie.customers.consume.start.timestamp": "yesterday",
    }
    with check.session.settings({**TEZ, **settings}), pytest.raises(QueryFailed) as failure:
        check.session.rows("select count(*) from customers where cust = 11")
    _assert_early(str(failure.value), "the start of an incremental query is yesterday")


def test_a_table_that_is_gone_fails_in_one_line(check: Checker, lake: Lake) -> None:
    path = lake.copy("customers")
    with check.session.table(path) as name:
        path.rename(path.with_name("elsewhere"))
        with check.session.settings(TEZ), pytest.raises(QueryFailed) as failure:
            check.session.rows(f"select count(*) from {name} where cust = 11")
        check.session.rows(f"describe formatted {name}")
    _assert_early(str(failure.value), "is not a Hudi table")


def test_a_table_of_a_version_that_is_not_known_fails_in_one_line(check: Checker, lake: Lake) -> None:
    path = lake.copy("customers")
    with check.session.table(path) as name:
        file = path / ".hoodie" / "hoodie.properties"
        file.with_name(f".{file.name}.crc").unlink(missing_ok=True)
        file.write_text(file.read_text("utf-8") + "hoodie.table.version=10\n", "utf-8")
        with check.session.settings(TEZ), pytest.raises(QueryFailed) as failure:
            check.session.rows(f"select count(*) from {name} where cust = 11")
    _assert_early(str(failure.value), "has table version 10; this release reads versions up to 9")


def _assert_early(message: str, sentence: str) -> None:
    assert sentence in message
    assert "Error while compiling statement" in message, message
    assert "\n" not in message.strip(), message
    assert len(message) < 400, message
