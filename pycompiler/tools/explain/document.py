"""An explanation as a JSON document."""

from base64 import b64encode
from dataclasses import asdict
from typing import Any

from pycompiler.compile.expression.render import node_text, value_text
from pycompiler.compile.expression.statistics import ColumnStatistics
from pycompiler.compile.predicate.text import describe_filter
from pycompiler.compile.wire.expression import to_bytes
from pycompiler.tools.explain.explanation import Explanation, FileVerdict, SliceVerdict


def explanation_document(path: str, found: Explanation, verdict: SliceVerdict | None) -> dict[str, Any]:
    """Builds the JSON document of an explanation."""
    data: dict[str, Any] = {
        "path": path,
        "source": found.source,
        "generation": found.generation,
        "instant": found.instant,
        "filter": describe_filter(found.predicate),
        "expression": b64encode(to_bytes(found.expression)).decode("ascii"),
        "files_total": len(found.slices),
        "files_kept": found.slices_kept,
        "files_covered": found.slices_covered,
        "files_live": found.files_live,
        "files_not_indexed": found.slices_not_indexed,
        "files_with_logs": found.slices_with_logs,
        "files_complete": found.complete,
        "bytes_total": found.bytes_total,
        "bytes_kept": found.bytes_kept,
        "kept": [verdict.path for verdict in found.slices.values() if verdict.kept],
        "nodes": [
            {"depth": node.depth, "node": node_text(node.node), "kept": node.kept} for node in found.nodes
        ],
        "rewrites": [asdict(step) for step in found.rewrites],
        "impossible_days": list(found.impossible_days),
        "unused": [asdict(term) for term in found.unused],
        "advice": [asdict(about) for about in found.advice],
    }
    if found.generation is None:
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
        first, *logs = map(_file_data, verdict.files)
        data["file"] = {**first, "kept": verdict.kept, **({"logs": logs} if logs else {})}
    return data


def _file_data(verdict: FileVerdict) -> dict[str, Any]:
    return {
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
