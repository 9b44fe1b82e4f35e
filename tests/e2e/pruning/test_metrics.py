"""What monitoring sees of HiveServer2: the MBeans, as its web interface serves them."""

import json
import time
import urllib.request
from collections.abc import Callable

import pytest

from ..harness.check import Checker
from ..harness.engines import TEZ
from ..tables import CUSTOMERS

CACHE_SECONDS = 10.0
"""How long Metrics2 shows the same values through JMX."""


@pytest.fixture
def metrics(web_address: str) -> Callable[[str], dict[str, int]]:
    def read(name: str) -> dict[str, int]:
        query = f"http://{web_address}/jmx?qry=Hadoop:service=hudi-skip,name={name}"
        with urllib.request.urlopen(query, timeout=30) as answer:
            (bean,) = json.load(answer)["beans"]
        return {key: value for key, value in bean.items() if isinstance(value, int)}

    return read


def test_mbeans_count_scans_and_failures_of_the_compiler(
    check: Checker, metrics: Callable[[str], dict[str, int]]
) -> None:
    query = "select cust from customers where cust = {}"
    check.run(query.format(11))  # there are MBeans from the first query on
    time.sleep(CACHE_SECONDS)  # else what they say may be older than that query
    before = {**metrics("Scans"), **metrics("Compiler")}
    check.run(query.format(11))
    check.run("select count(*) from customers where cust = 11", TEZ)
    with check.session.settings({"hudi.skipping.compiler.command": "/nowhere/hudi-skip"}):
        check.session.rows(query.format(11_000_011))
    deadline = time.monotonic() + 3 * CACHE_SECONDS
    while (after := {**metrics("Scans"), **metrics("Compiler")})["Failures"] == before["Failures"]:
        assert time.monotonic() < deadline, f"nothing changes: {after}"
        time.sleep(0.5)
    grown = {name: value - before[name] for name, value in after.items()}
    files = len(CUSTOMERS.files)
    assert grown["Queries"] == grown["Scans"], grown
    assert (grown["UnfilteredScans"], grown["Failures"] > 0) == (1, True), grown
    assert grown["FilesListed"] == grown["Scans"] * files, grown
    assert grown["FilesSkipped"] == (grown["Scans"] - 1) * (files - 1), grown
    assert grown["FilesKept"] + grown["FilesSkipped"] == grown["FilesListed"], grown
    assert after["IndexCommitsBehind"] >= 0
