"""Clients with different filters at the same time in one server: each gets its own files."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from ..harness.check import Checker
from ..tables import EVERY_TYPE, ORDERS

CLIENTS = 8
ROUNDS = 5


@pytest.mark.full
@pytest.mark.parametrize("conversion", ["none", "more"], ids=["tez", "fetch task"])
def test_eight_clients_with_different_filters_get_their_own_answers(
    new_check: Callable[[], Checker], conversion: str
) -> None:
    def client(number: int) -> list[str]:
        problems = []
        check = new_check()
        with check.session, check.session.settings({"hive.fetch.task.conversion": conversion}):
            for round_number in range(ROUNDS):
                file = (number + 3 * round_number) % 12
                table, query, expected = _query(number, file)
                checked = check.run(query)
                if sorted(checked.column()) != expected:
                    problems.append(
                        f"{query}: {sorted(checked.column())} instead of {expected}; {checked.scans}"
                    )
                elif [scan.kept for scan in checked.scans] != [1]:
                    problems.append(f"{query} on {table} should have opened 1 file: {checked.scans}")
        return problems

    with ThreadPoolExecutor(CLIENTS) as pool:
        found = [problem for problems in pool.map(client, range(CLIENTS)) for problem in problems]
    assert not found, "\n".join(found)


def _query(client: int, file: int) -> tuple[str, str, list[int]]:
    """A client's query for the rows of one file, over one of two tables and one of three columns."""
    if client % 4 == 3:
        return (
            "orders",
            f"select ord from orders where qty = {file}",
            [row["ord"] for row in ORDERS.files[file]],
        )
    rows = EVERY_TYPE.files[file]
    value = rows[4]["i"]
    of_value = [row["id"] for row in rows if row["i"] == value]
    condition, expected = (
        (f"i = {value}", of_value),
        (f"z = '{rows[4]['z']}'", [row["id"] for row in rows]),
        (f"i = {value} and d < 5000.0D", of_value),
    )[client % 3]
    return "every_type", f"select id from every_type where {condition}", expected
