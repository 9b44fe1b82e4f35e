"""Advice on a layout, for people and as a JSON document."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from pycompiler.compile.predicate.text import shorten
from pycompiler.figures import bytes_text, duration_text, percent
from pycompiler.one_line import one_line
from pycompiler.tools.advise.advice import LayoutAdvice
from pycompiler.tools.advise.clustering import clustering_options
from pycompiler.tools.advise.forecast import mean_share
from pycompiler.tools.advise.proof import Proof
from pycompiler.tools.advise.write_times import Timed, TimePerByte

_CONDITIONS: Final = 10
_TEXT: Final = 70
_REASON: Final = 100


def advice_text(found: LayoutAdvice, proof: Proof | None) -> Iterator[str]:
    """Writes the advice, and what a copy has proved of it."""
    yield from _asked(found)
    yield ""
    yield f"{'layout':<48}  {'read per query':>27}"
    yield f"{'as it is':<48}  {_read(found, found.share_now):>18}"
    for each in found.layouts:
        name = shorten(str(each.layout), 48)
        yield f"{name:<48}  {_read(found, each.share):>18} ± {percent(each.error):>6}"
    yield (
        f"forecast from {found.sample.rows:,} rows of {found.sample.files:,} files, for files of"
        f" {bytes_text(found.file_size)}"
    )
    yield ""
    yield from _advised(found)
    if found.best is not None:
        yield from ["", *_conditions(found, found.best.forecast.shares, proof)]
    if proof is not None:
        yield from ["", *_proved(found, proof)]


def _advised(found: LayoutAdvice) -> Iterator[str]:
    best = found.best
    if best is None:
        yield "advice: leave the layout as it is: none of these would read much less"
        return
    yield (
        f"advice: let Hudi cluster the table, so that it is {best.layout};"
        f" that rewrites {bytes_text(found.size)}:"
    )
    yield from (
        f"  {name}={value}" for name, value in clustering_options(best.layout, found.file_size).items()
    )
    if (writing := found.writing) is not None:
        yield (
            f"writing it takes about {_duration(writing, found.size)} of task time, judging by"
            f" {writing.files} of the table's files"
        )


def _duration(each: TimePerByte, size: int) -> str:
    """How long something takes for so many bytes."""
    error = f" ± {duration_text(each.error * size)}" if each.files > 1 else ""
    return f"{duration_text(each.seconds * size)}{error}"


def _proved(found: LayoutAdvice, proof: Proof) -> Iterator[str]:
    yield (
        f"proved on a copy: Hudi wrote {proof.files} files, and a query reads"
        f" {percent(mean_share(proof.shares, found.workload))} of their bytes; the forecast for as many files"
        f" is {percent(mean_share(proof.forecast, found.workload))}"
    )
    if (proved := proof.writing) is not None:
        expected = found.writing
        forecast = "" if expected is None else f"; the forecast is {_duration(expected, proved.size)}"
        yield (
            f"writing {bytes_text(proved.size)} took {duration_text(proved.seconds)} of task time{forecast}"
        )
    yield f"building the index of the copy took {duration_text(proof.seconds)}"


def _asked(found: LayoutAdvice) -> Iterator[str]:
    workload = found.workload
    yield (
        f"{workload.asked} queries with a condition on the table, which has {found.files} files,"
        f" {bytes_text(found.size)}"
    )
    tested = [f"{column} in {count}" for column, count in workload.columns().most_common()]
    yield f"columns: {', '.join(tested)}"
    if workload.whole:
        yield f"{workload.whole} queries read the whole table, whatever its layout"
    if workload.other:
        yield f"{workload.other} statements read other tables only"
    if workload.unreadable:
        yield f"{len(workload.unreadable)} statements could not be read:"
        for statement, reason in workload.unreadable[:_CONDITIONS]:
            yield f"  {one_line(shorten(statement, _TEXT))}: {shorten(reason, _REASON)}"


def _conditions(found: LayoutAdvice, forecast: Sequence[float], proof: Proof | None) -> Iterator[str]:
    """The conditions that read most now."""
    shares = forecast if proof is None else proof.forecast
    rows = [
        (condition, now, then, None if proof is None else proof.shares[position])
        for position, (condition, now, then) in enumerate(
            zip(found.workload.conditions, [each.share for each in found.now], shares, strict=True)
        )
    ]
    rows.sort(key=lambda row: row[0].count * row[1], reverse=True)
    proved = "" if proof is None else f"  {'proved':>7}"
    yield f"{'now':>7}  {'then':>7}{proved}  {'times':>5}  condition"
    for condition, now, then, truth in rows[:_CONDITIONS]:
        of_copy = "" if truth is None else f"  {percent(truth):>7}"
        text = one_line(shorten(condition.text, _TEXT))
        yield f"{percent(now):>7}  {percent(then):>7}{of_copy}  {condition.count:>5}  {text}"
    if len(rows) > _CONDITIONS:
        yield f"and {len(rows) - _CONDITIONS} more conditions, which --json lists"


def _read(found: LayoutAdvice, share: float) -> str:
    return f"{bytes_text(found.size * share)} ({percent(share)})"


def advice_document(path: str, found: LayoutAdvice, proof: Proof | None) -> dict[str, Any]:
    """Builds the JSON document of an advice. Shares are of the table's bytes, from 0 to 1."""
    workload, best = found.workload, found.best
    options: Mapping[str, str] = {} if best is None else clustering_options(best.layout, found.file_size)
    return {
        "path": path,
        "source": found.source,
        "queries": workload.asked,
        "queries_reading_all": workload.whole,
        "statements_about_other_tables": workload.other,
        "unreadable": [{"statement": text, "reason": why} for text, why in workload.unreadable],
        "columns": dict(workload.columns().most_common()),
        "files": found.files,
        "bytes": found.size,
        "file_bytes": found.file_size,
        "sampled_rows": found.sample.rows,
        "sampled_files": found.sample.files,
        "share_read_now": found.share_now,
        "layouts": [
            {
                "columns": list(each.layout.columns),
                "order": each.layout.order.value,
                "share_read": each.share,
                "error": each.error,
            }
            for each in found.layouts
        ],
        "advised": None if best is None else str(best.layout),
        "options": dict(options),
        "write": None if found.writing is None else _time_document(found.writing, found.size),
        "conditions": [
            {
                "condition": condition.text,
                "count": condition.count,
                "share_read_now": found.now[position].share,
                **({} if best is None else {"share_read_forecast": best.forecast.shares[position]}),
                **({} if proof is None else {"share_read_proved": proof.shares[position]}),
            }
            for position, condition in enumerate(workload.conditions)
        ],
        **({} if proof is None else {"proved": _proof_document(found, proof)}),
    }


def _time_document(each: TimePerByte, size: int) -> dict[str, Any]:
    return {
        "seconds": each.seconds * size,
        "seconds_error": each.error * size,
        "measured_files": each.files,
    }


def _proof_document(found: LayoutAdvice, proof: Proof) -> dict[str, Any]:
    return {
        "files": proof.files,
        "bytes": proof.size,
        **_writing_document(found.writing, proof.writing),
        "share_read": mean_share(proof.shares, found.workload),
        "share_read_forecast": mean_share(proof.forecast, found.workload),
        "index_seconds": proof.seconds,
    }


def _writing_document(expected: TimePerByte | None, proved: Timed | None) -> dict[str, Any]:
    if proved is None:
        return {}
    return {
        "bytes_written": proved.size,
        "write_seconds": proved.seconds,
        "write_seconds_forecast": None if expected is None else expected.seconds * proved.size,
    }
