"""Advice on a layout, for people and as a JSON document."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from pycompiler.advise.advice import LayoutAdvice
from pycompiler.advise.clustering import clustering_options
from pycompiler.advise.costs import Timed, TimePerByte
from pycompiler.advise.forecast import mean_share
from pycompiler.advise.proof import Proof
from pycompiler.advise.report.index_text import index_command, index_document, index_text
from pycompiler.figures import bytes_text, duration_text, percent
from pycompiler.one_line import one_line
from pycompiler.predicate.text import shorten

_CONDITIONS: Final = 10
_TEXT: Final = 70
_REASON: Final = 100


def advice_text(path: str, found: LayoutAdvice, proof: Proof | None) -> Iterator[str]:
    """Writes the advice, and what a copy has proved of it."""
    yield from _asked(found)
    yield ""
    yield f"{'layout':<48}  {'read per query':>27}  {'with its index':>18}"
    now, indexed = _read(found, found.share_now), _read(found, found.share_as_it_is)
    yield f"{'as it is':<48}  {now:>18}           {indexed:>18}"
    for each in found.proposals:
        name = shorten(str(each.layout), 48)
        before = _read(found, mean_share(each.index.shares_before, found.workload))
        error = percent(each.candidate.error)
        yield f"{name:<48}  {before:>18} ± {error:>6}  {_read(found, each.share(found.workload)):>18}"
    yield (
        f"forecast from {found.sample.random.rows:,} rows of {len(found.sample.files):,} files, for files of"
        f" {bytes_text(found.file_size)}"
    )
    yield ""
    yield from _advised(path, found)
    if index := list(index_text(found, proof)):
        yield from ["", *index]
    if found.best is not None or proof is not None:
        yield from ["", *_conditions(found, proof)]
    if proof is not None:
        yield from ["", *_proved(found, proof)]


def _advised(path: str, found: LayoutAdvice) -> Iterator[str]:
    best, command = found.best, index_command(path, found)
    if best is None:
        yield "advice: leave the layout as it is: none of these would read much less"
    else:
        yield (
            f"advice: let Hudi cluster the table, so that it is {best.layout};"
            f" that rewrites {bytes_text(found.size)}:"
        )
        yield from (
            f"  {name}={value}" for name, value in clustering_options(best.layout, found.file_size).items()
        )
        if (writing := found.costs.writing) is not None:
            yield (
                f"writing it takes about {_duration(writing, found.size)} of task time, judging by"
                f" {writing.files} of the table's files"
            )
    if command is not None:
        yield f"advice: {'add to its index' if best is None else 'then add to its index'}:"
        yield f"  {command}"
        if (collecting := found.costs.collecting) is not None:
            yield (
                f"collecting these records for the whole table takes about"
                f" {_duration(collecting, found.size)} in one thread, judging by {collecting.files} files"
            )


def _duration(each: TimePerByte, size: int) -> str:
    """How long something takes for so many bytes."""
    error = f" ± {duration_text(each.error * size)}" if each.files > 1 else ""
    return f"{duration_text(each.seconds * size)}{error}"


def _proved(found: LayoutAdvice, proof: Proof) -> Iterator[str]:
    def mean(shares: Iterable[float]) -> str:
        return percent(mean_share(tuple(shares), found.workload))

    did = "the copy has" if found.best is None else "Hudi wrote"
    yield (
        f"proved on a copy: {did} {proof.files} files, of which a query reads"
        f" {mean(each.share for each in proof.reads)}; the forecast for as many files is"
        f" {mean(proof.forecast.shares)}"
    )
    if proof.reads_without:
        yield (
            f"without the added records, it reads {mean(each.share for each in proof.reads_before)}; the"
            f" forecast is {mean(proof.forecast.shares_before)}"
        )
    if (proved := proof.writing) is not None:
        expected = found.costs.writing
        forecast = "" if expected is None else f"; the forecast is {_duration(expected, proved.size)}"
        yield (
            f"writing {bytes_text(proved.size)} took {duration_text(proved.seconds)} of task time{forecast}"
        )
    yield f"building the index of the copy took {duration_text(proof.seconds)}"


def unchanged_text(found: LayoutAdvice) -> str:
    """Says on one line that the advice of before still holds, for changed queries or data."""
    asked = f"{found.workload.asked} queries read {_read(found, found.share_now)} each"
    share = mean_share(found.index.shares, found.workload)
    would = f"{asked}, and would read {_read(found, share)}"
    match found.best, found.index.added:
        case None, added if not added:
            return f"still no layout is worth the effort; {asked}"
        case None, _:
            return f"still no layout is worth the effort, but a larger index; {would}"
        case best, _:
            return f"still advised: {best.layout}; {would}"


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


def _conditions(found: LayoutAdvice, proof: Proof | None) -> Iterator[str]:
    """The conditions that read most now."""
    index = found.index if proof is None else proof.forecast
    rows = [
        (condition, now, then, None if proof is None else proof.reads[position].share)
        for position, (condition, now, then) in enumerate(
            zip(found.workload.conditions, found.shares_now, index.shares, strict=True)
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
    is_forecast = best is not None or bool(found.index.added)
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
        "sampled_rows": found.sample.random.rows,
        "sampled_files": len(found.sample.files),
        "share_read_now": found.share_now,
        "share_read_with_index": found.share_as_it_is,
        "layouts": [
            {
                "columns": list(each.layout.columns),
                "order": each.layout.order.value,
                "share_read": mean_share(each.index.shares_before, workload),
                "share_read_with_index": each.share(workload),
                "error": each.candidate.error,
            }
            for each in found.proposals
        ],
        "advised": None if best is None else str(best.layout),
        "options": dict(options),
        "costs": {
            "write": _cost_document(found.costs.writing, found.size),
            "collect": _cost_document(found.costs.collecting, found.size),
        },
        "index": index_document(path, found, proof),
        "conditions": [
            {
                "condition": condition.text,
                "count": condition.count,
                "share_read_now": found.shares_now[position],
                **({"share_read_forecast": found.index.shares[position]} if is_forecast else {}),
                **({} if proof is None else {"share_read_proved": proof.reads[position].share}),
            }
            for position, condition in enumerate(workload.conditions)
        ],
        **(
            {}
            if proof is None
            else {
                "proved": {
                    "files": proof.files,
                    "bytes": proof.size,
                    **_writing_document(found.costs.writing, proof.writing),
                    "share_read": mean_share([each.share for each in proof.reads], workload),
                    "share_read_forecast": mean_share(proof.forecast.shares, workload),
                    "share_read_before": mean_share([each.share for each in proof.reads_before], workload),
                    "share_read_before_forecast": mean_share(proof.forecast.shares_before, workload),
                }
            }
        ),
    }


def _cost_document(each: TimePerByte | None, size: int) -> dict[str, Any] | None:
    if each is None:
        return None
    return {
        "seconds": each.seconds * size,
        "seconds_error": each.error * size,
        "measured_files": each.files,
    }


def _writing_document(expected: TimePerByte | None, proved: Timed | None) -> dict[str, Any]:
    if proved is None:
        return {}
    return {
        "bytes_written": proved.size,
        "write_seconds": proved.seconds,
        "write_seconds_forecast": None if expected is None else expected.seconds * proved.size,
    }
