"""Advice on a layout as a JSON document, and for people in lines that are made of it."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from pycompiler.compile.predicate.text import shorten
from pycompiler.figures import bytes_text, percent
from pycompiler.one_line import one_line
from pycompiler.tools.advise.advice import LayoutAdvice

_CONDITIONS: Final = 10
_TEXT: Final = 70
_REASON: Final = 100


def advice_document(path: str, found: LayoutAdvice) -> dict[str, Any]:
    """Builds the JSON document of an advice. Shares are of the table's bytes, from 0 to 1."""
    workload, best = found.workload, found.best
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
                "layout": str(each.layout),
                "columns": list(each.layout.columns),
                "order": each.layout.order.value,
                "share_read": each.share,
                "error": each.error,
            }
            for each in found.layouts
        ],
        "advised": None if best is None else str(best.layout),
        "options": {} if best is None else dict(best.layout.clustering_options(found.file_size)),
        "conditions": [
            {
                "condition": condition.text,
                "count": condition.count,
                "share_read_now": found.now[position].share,
                **({} if best is None else {"share_read_forecast": best.shares[position]}),
            }
            for position, condition in enumerate(workload.conditions)
        ],
    }


def advice_text(document: Mapping[str, Any]) -> Iterator[str]:
    """Writes the document of an advice."""
    yield from _asked(document)
    yield ""
    yield f"{'layout':<48}  {'read per query':>27}"
    yield f"{'as it is':<48}  {_read(document, document['share_read_now']):>18}"
    for each in document["layouts"]:
        read = _read(document, each["share_read"])
        yield f"{shorten(each['layout'], 48):<48}  {read:>18} ± {percent(each['error']):>6}"
    yield (
        f"forecast from {document['sampled_rows']:,} rows of {document['sampled_files']:,} files, for files"
        f" of {bytes_text(document['file_bytes'])}"
    )
    yield ""
    if document["advised"] is None:
        yield "advice: leave the layout as it is: none of these would read much less"
        return
    yield (
        f"advice: let Hudi cluster the table, so that it is {document['advised']};"
        f" that rewrites {bytes_text(document['bytes'])}:"
    )
    yield from (f"  {name}={value}" for name, value in document["options"].items())
    yield ""
    yield from _conditions(document)


def _asked(document: Mapping[str, Any]) -> Iterator[str]:
    yield (
        f"{document['queries']} queries with a condition on the table, which has {document['files']} files,"
        f" {bytes_text(document['bytes'])}"
    )
    yield f"columns: {', '.join(f'{column} in {count}' for column, count in document['columns'].items())}"
    if whole := document["queries_reading_all"]:
        yield f"{whole} queries read the whole table, whatever its layout"
    if other := document["statements_about_other_tables"]:
        yield f"{other} statements read other tables only"
    if unreadable := document["unreadable"]:
        yield f"{len(unreadable)} statements could not be read:"
        for each in unreadable[:_CONDITIONS]:
            yield f"  {one_line(shorten(each['statement'], _TEXT))}: {shorten(each['reason'], _REASON)}"


def _conditions(document: Mapping[str, Any]) -> Iterator[str]:
    """The conditions that read most now."""
    conditions = document["conditions"]
    yield f"{'now':>7}  {'then':>7}  {'times':>5}  condition"
    by_bytes = sorted(conditions, key=lambda each: each["count"] * each["share_read_now"], reverse=True)
    for each in by_bytes[:_CONDITIONS]:
        now, then = percent(each["share_read_now"]), percent(each["share_read_forecast"])
        yield f"{now:>7}  {then:>7}  {each['count']:>5}  {one_line(shorten(each['condition'], _TEXT))}"
    if len(conditions) > _CONDITIONS:
        yield f"and {len(conditions) - _CONDITIONS} more conditions, which --json lists"


def _read(document: Mapping[str, Any], share: float) -> str:
    return f"{bytes_text(document['bytes'] * share)} ({percent(share)})"
