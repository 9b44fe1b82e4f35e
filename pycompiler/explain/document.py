"""An explanation as one document for programs."""

from __future__ import annotations

from typing import Any

from pycompiler.explain.explanation import Explanation, FileVerdict
from pycompiler.expression.render import node_text, value_text
from pycompiler.expression.statistics import ColumnStatistics
from pycompiler.predicate.text import describe_filter


def explanation_document(path: str, found: Explanation, verdict: FileVerdict | None) -> dict[str, Any]:
    """What there is to say about a filter over a table, as JSON has it.

    Args:
        path: The table, as it was named.
        found: The explanation.
        verdict: Of one file, if that was asked for.
    """
    data: dict[str, Any] = {
        "path": path,
        "generation": found.generation,
        "instant": found.instant,
        "filter": describe_filter(found.predicate),
        "files_total": len(found.files),
        "files_kept": found.files_kept,
        "files_live": found.files_live,
        "files_not_indexed": found.files_not_indexed,
        "files_complete": found.complete,
        "bytes_total": found.bytes_total,
        "bytes_kept": found.bytes_kept,
        "kept": [file.path for file in found.files.values() if file.kept],
        "nodes": [
            {"depth": node.depth, "node": node_text(node.node), "kept": node.kept} for node in found.nodes
        ],
        "rewrites": [
            {"rule": step.rule, "before": step.before, "after": step.after} for step in found.rewrites
        ],
        "unused": [{"term": unused.term, "reason": unused.reason} for unused in found.unused],
        "advice": [
            {"leaf": about.leaf, "reasons": list(about.reasons), "action": about.action}
            for about in found.advice
        ],
    }
    if verdict is not None:
        data["file"] = {
            "path": verdict.path,
            "kept": verdict.kept,
            "leaves": [
                {
                    "leaf": node_text(leaf.leaf),
                    "keeps": leaf.keeps,
                    "statistics": {
                        column: _statistics_data(of_column) for column, of_column in leaf.statistics.items()
                    },
                }
                for leaf in verdict.leaves()
            ],
        }
    return data


def _statistics_data(statistics: ColumnStatistics | None) -> dict[str, Any] | None:
    if statistics is None:
        return None
    return {
        "type": str(statistics.type),
        "lower": None if statistics.lower is None else value_text(statistics.type, statistics.lower),
        "upper": None if statistics.upper is None else value_text(statistics.type, statistics.upper),
        "null_count": statistics.null_count,
        "value_count": statistics.value_count,
        "nan_count": statistics.nan_count,
    }
