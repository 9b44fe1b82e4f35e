"""Measures the compiler service over its socket: time per request, and size of the answers."""

import contextlib
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import psutil
from thrift.transport.TTransport import TTransportException

from pycompiler.thrift_gen.ttypes import CompileError, CompileRequest

from ..unit.compile.service.harness import Service
from .data import filters
from .results import Result, at_most, limited
from .timing import in_turns, median_ratio, seconds

_ROUND_TRIP = "describe() over the same socket, p50"
_DEADLINE_MS = 2000


def run(small: bool) -> list[Result]:
    """Measures a warm service, and an empty call in the same run. `small` has no effect."""
    with _service() as service, service.client() as client:
        floor = statistics.median(_timed(client.describe) for _ in range(300))
        results = [Result("compiler: empty call", "p50", floor, "ms")]
        for name, request, calls, limits in (
            ("5 terms", filters.terms(5, "and"), 1000, {"p50": 3.0, "p99": 15.0}),
            ("5 terms with functions", filters.functions(), 500, {"p50": 3.0, "p99": 15.0}),
            ("200 terms, AND", filters.terms(200, "and"), 100, {}),
            ("200 terms, OR", filters.terms(200, "or"), 100, {}),
            ("IN of 10,000 integers", filters.listed("c0", 10_000), 30, {"p50": 50.0}),
            ("IN of 10,000 strings", filters.listed("s", 10_000), 30, {"p50": 50.0}),
            ("IN of 10,000 strings, varchar column", filters.listed("v", 10_000), 30, {}),
            ("40 alternating ANDs and ORs", filters.alternating(40), 100, {"p50": 50.0}),
            ("6 trees of ORs, 5 levels", filters.nested_ors(5, 6), 20, {"p50": 200.0}),
            ("nvl, 60 levels", filters.nested_choices(60), 20, {"p50": 500.0}),
        ):
            results += _latency(client, name, request, calls, limits, floor)
        for name, column in (("integers", "c0"), ("strings", "s")):
            results.append(_as_a_list(client, f"compiler: IN of 10,000 {name}", column))
        results += _hostile(service)
    return results


def _latency(
    client: Any, name: str, request: CompileRequest, calls: int, limits: dict[str, float], floor: float
) -> Iterator[Result]:
    size = len(client.compile(request).expression)
    times = sorted(_timed(lambda: client.compile(request)) for _ in range(calls))
    for metric, value in (("p50", statistics.median(times)), ("p99", times[int(len(times) * 0.99)])):
        goal = at_most(limits.get(metric), value, "ms")
        yield Result(f"compiler: {name}", metric, value, "ms", _ROUND_TRIP, value / floor, *goal)
    yield Result(f"compiler: {name}", "expression size", size, "bytes")


def _as_a_list(client: Any, name: str, column: str) -> Result:
    """Returns how much faster the short form of a list is."""
    requests = filters.listed(column, 10_000), filters.one_by_one(column, 10_000)
    works = [partial(_timed, partial(client.compile, request)) for request in requests]
    short, long = in_turns(works, 20)
    value, ratio = statistics.median(short), median_ratio(short, long)
    return Result(name, "p50 as a list", value, "ms", "the same as literals, by turns", ratio)


def _hostile(service: Service) -> Iterator[Result]:
    """Sends filters that are too large, which must be refused within the handler's deadline."""
    process = psutil.Process(service.process.pid)
    before = process.memory_info().rss
    for name, request in (
        ("depth 5,000", filters.nested(5_000)),
        ("literal of 1 MB", filters.long_literal(1024 * 1024 + 1)),
        ("100,000 values", filters.listed("c0", 100_000)),
        ("100,000 literals", filters.one_by_one("c0", 100_000)),
        ("1,000,000 values", filters.listed("c0", 1_000_000)),
    ):
        elapsed = _timed(partial(_refuse, service, request))
        yield limited(
            f"compiler: hostile, {name}", "time to refuse", elapsed, "ms", _DEADLINE_MS, "ms, refused"
        )
    grown = (process.memory_info().rss - before) / (1 << 20)
    yield limited("compiler: hostile filters", "memory grown", grown, "MB", 300)


def _refuse(service: Service, request: CompileRequest) -> None:
    """Expects an error, or a closed connection if the message is too long."""
    with service.client() as client, contextlib.suppress(CompileError, TTransportException):
        client.compile(request)
        raise AssertionError("a hostile filter was compiled")


def _timed(call: Callable[[], object]) -> float:
    return seconds(call) * 1000


@contextlib.contextmanager
def _service() -> Iterator[Service]:
    with tempfile.TemporaryDirectory() as directory:
        path, log = f"{directory}/compiler.sock", Path(directory, "compiler.log")
        command = [sys.executable, "-m", "pycompiler", "compiler", "serve", "--socket", path]
        with (
            log.open("w") as errors,
            subprocess.Popen(
                [*command, "--exit-on-stdin-close"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
            ) as process,
        ):
            assert process.stdout is not None
            process.stdout.readline()
            yield Service(process, f"unix:{path}", log)
