"""An explanation as a JSON document, from which its text and its page are written."""

from base64 import b64encode
from collections.abc import Iterator
from dataclasses import asdict
from datetime import datetime
from typing import Any

from pycompiler.compile.expression.evaluator import leaf_keeps
from pycompiler.compile.expression.model import HudiExpression
from pycompiler.compile.expression.render import node_text, value_text
from pycompiler.compile.expression.statistics import ColumnStatistics
from pycompiler.compile.predicate.text import describe_filter
from pycompiler.compile.wire.expression import to_bytes
from pycompiler.tools.explain.explanation import Explanation
from pycompiler.tools.explain.verdicts import FileVerdict, SliceVerdict


def explanation_document(
    path: str, found: Explanation, verdict: SliceVerdict | None, now: datetime
) -> dict[str, Any]:
    """Builds the document of an explanation, and of one file slice if there is a verdict on it.

    `now` is when the query begins, in the time zone of its session.
    """
    known, slices = found.known, found.slices.values()
    data: dict[str, Any] = {
        "path": path,
        "source": known.source,
        "generation": known.generation,
        "instant": known.instant,
        "filter": describe_filter(found.predicate),
        "expression": b64encode(to_bytes(found.expression)).decode("ascii"),
        "files_total": len(slices),
        "files_kept": found.slices_kept,
        "files_covered": found.slices_covered,
        "files_not_indexed": found.slices_not_indexed,
        "files_with_logs": sum(bool(each.slice.logs) for each in slices),
        "files_complete": known.complete,
        "bytes_total": sum(each.slice.size for each in slices),
        "bytes_kept": sum(each.slice.size for each in slices if each.kept),
        "kept": [path for path, each in found.slices.items() if each.kept],
        "nodes": [
            {"depth": node.depth, "node": node_text(node.node), "kept": node.kept} for node in found.nodes
        ],
        "rewrites": [asdict(step) for step in found.rewrites],
        "unused": [asdict(term) for term in found.unused],
        "advice": [asdict(about) for about in found.advice],
        "notes": list(_notes(path, found, now)),
    }
    if known.generation is None:
        data["obstacles"] = dict(found.obstacles)
    if found.partitions is not None:
        data["plan"] = {
            "text": found.partitions.plan,
            "partitions_total": found.partitions.total,
            "partitions_kept": found.partitions.kept,
            "partitions_without_key": found.partitions.without_key,
        }
    if found.mixing:
        data["mixing"] = found.mixing
    if verdict is not None:
        first, *logs = (_file_data(found.expression, file) for file in verdict.files)
        data["file"] = {**first, "kept": verdict.kept, **({"logs": logs} if logs else {})}
    return data


def _file_data(expression: HudiExpression, verdict: FileVerdict) -> dict[str, Any]:
    return {
        "path": verdict.file.path,
        "kept": verdict.kept,
        "leaves": [
            {
                "leaf": node_text(leaf),
                "keeps": leaf_keeps(leaf, verdict.statistics),
                "statistics": {
                    column: statistics_data(verdict.statistics.get(column)) for column, _ in leaf.columns
                },
            }
            for leaf in expression.leaves()
        ],
    }


def statistics_data(statistics: ColumnStatistics | None) -> dict[str, Any] | None:
    """What is known of a column in a file."""
    if statistics is None:
        return None
    ends = {"lower": statistics.lower, "upper": statistics.upper}
    return {
        "type": str(statistics.type),
        **{name: None if end is None else value_text(statistics.type, end) for name, end in ends.items()},
        "null_count": statistics.null_count,
        "value_count": statistics.value_count,
        "nan_count": statistics.nan_count,
    }


def _notes(path: str, found: Explanation, now: datetime) -> Iterator[str]:
    """What a reader of the counts must know."""
    files, update = len(found.slices), f"run: hudi-skip index update {path}"
    if not files:
        yield "the table has no files, so a query reads nothing"
    if not found.known.has_statistics:
        yield f"the table has no index; build one with: hudi-skip index build {path}"
    if behind := found.slices_not_indexed:
        yield (
            f"the index is behind the table: {behind} of {files} files are not in it, and are always read;"
            f" {update}"
        )
    if found.slices_covered:
        yield (
            f"in {found.slices_covered} of the files kept, every row matches: with"
            " hudi.skipping.counts=on, SELECT count(*) does not open them"
        )
    if not found.known.complete:
        yield (
            "the table may have more files, because commits that the index does not cover have been"
            f" archived; {update}"
        )
    yield from _notes_on_logs(found)
    if found.reads_clock:
        yield (
            f"the condition is evaluated as of {now:%Y-%m-%d %H:%M} in the time zone {now.tzinfo}; set Hive's"
            " with --time-zone"
        )


def _notes_on_logs(found: Explanation) -> Iterator[str]:
    with_logs = [verdict for verdict in found.slices.values() if verdict.slice.logs]
    if not with_logs:
        return
    merged = f"{len(with_logs)} of {len(found.slices)} files have logs to merge, and"
    if found.mixing:
        yield f"{merged} are kept, because a row may combine several records ({found.mixing})"
        return
    yield f"{merged} are skipped only if all of their logs are skipped too"
    silent = sum(
        any(
            of_file.file.indexed and not of_file.statistics
            for of_file in verdict.files
            if of_file.file in verdict.slice.logs
        )
        for verdict in with_logs
    )
    if silent:
        yield (
            f"{silent} of them have a log without statistics of these columns (such as one with partial"
            " updates), and are kept"
        )
