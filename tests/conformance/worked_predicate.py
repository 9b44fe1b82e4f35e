"""Generates the worked predicate in docs/inside/architecture.md: a filter with each step's data.

    python -m tests.conformance.worked_predicate

rewrites the page's blocks.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import pyarrow as pa
import pyarrow.parquet as pq

from pycompiler.compile.compiler.compile import Compilation, compile_predicate
from pycompiler.compile.expression.evaluator import evaluate, evaluate_nodes
from pycompiler.compile.expression.model import HudiExpression
from pycompiler.compile.expression.render import node_text, to_text
from pycompiler.compile.expression.statistics import ColumnStatistics
from pycompiler.compile.predicate.text import describe_filter
from pycompiler.compile.values.types import HiveType
from pycompiler.compile.wire.expression import to_bytes
from pycompiler.compile.wire.filter_tree import from_filter_tree
from pycompiler.index.records import WriteStatus
from pycompiler.thrift_gen.ttypes import FilterNode, FilterNodeKind, FilterTree, Literal
from tests.records import read_records

PAGE: Final = Path(__file__).parents[2] / "docs" / "inside" / "architecture.md"
SCHEMA: Final = {"day": HiveType("date"), "city": HiveType("string")}
FILES: Final = {
    "2026/a.parquet": ([date(2026, 7, 1), date(2026, 7, 2)], ["Lima", "Oslo"]),
    "2026/b.parquet": ([date(2026, 7, 3), date(2026, 7, 4)], ["Bonn", "Lima"]),
    "2026/c.parquet": ([date(2026, 7, 3), date(2026, 7, 5)], ["Paris", "Quito"]),
}
"""Contents of the example's base files: days and cities."""

_BLOCK: Final = re.compile(r"(<!-- step: (\S+) -->\n+```text\n)(.*?)(\n```)", re.DOTALL)
_EPOCH: Final = date(1970, 1, 1)


@dataclass(frozen=True, slots=True)
class Worked:
    """The example's results.

    Attributes:
        compiled: The compiler's answer.
        files: Statistics of each file by column, by the file's path.
    """

    compiled: Compilation
    files: Mapping[str, Mapping[str, ColumnStatistics]]

    @property
    def expression(self) -> HudiExpression:
        return self.compiled.expression


def filter_tree() -> FilterTree:
    """The request for Hive's `ExprNodeDesc` of `day >= DATE '2026-07-03' AND upper(city) = 'LIMA'`."""
    day = Literal(type="date", dateValue=(date(2026, 7, 3) - _EPOCH).days)
    lima = Literal(type="string", stringValue=b"LIMA")
    kind = FilterNodeKind
    return FilterTree(
        nodes=[
            FilterNode(kind=kind.COLUMN, name="day", type="date"),
            FilterNode(kind=kind.LITERAL, type="date", literal=day),
            FilterNode(kind=kind.FUNCTION, name=">=", type="boolean", arity=2),
            FilterNode(kind=kind.COLUMN, name="city", type="string"),
            FilterNode(kind=kind.FUNCTION, name="upper", type="string", arity=1),
            FilterNode(kind=kind.LITERAL, type="string", literal=lima),
            FilterNode(kind=kind.FUNCTION, name="=", type="boolean", arity=2),
            FilterNode(kind=kind.FUNCTION, name="and", type="boolean", arity=2),
        ]
    )


def work() -> Worked:
    """Compiles the filter, writes the files, and collects their statistics."""
    compiled = compile_predicate(from_filter_tree(filter_tree(), SCHEMA), trace=True)
    with TemporaryDirectory() as folder:
        files = {path: _collected(Path(folder), path) for path in FILES}
    return Worked(compiled, files)


def _collected(folder: Path, path: str) -> Mapping[str, ColumnStatistics]:
    days, cities = FILES[path]
    file = folder / path
    file.parent.mkdir(exist_ok=True)
    pq.write_table(pa.table({"day": pa.array(days, pa.date32()), "city": cities}), file)
    status = WriteStatus("2026", file.stem, str(file), file.stat().st_size, "1")
    return {record.column: record.statistics() for record in read_records(status)}


def blocks(worked: Worked) -> Mapping[str, str]:
    """Returns the page's blocks by the names of their steps."""
    steps = {
        "tree": _tree(),
        "predicate": [describe_filter(from_filter_tree(filter_tree(), SCHEMA))],
        "rewrites": [f"{r.rule}: {r.before} -> {r.after}" for r in worked.compiled.rewrites],
        "expression": _nodes(worked.expression),
        "bytes": _hex_lines(to_bytes(worked.expression)),
        "statistics": list(_statistics(worked.files)),
        "votes": list(_votes(worked)),
    }
    return {name: "\n".join(lines) for name, lines in steps.items()}


def _tree() -> list[str]:
    lines = []
    for node in filter_tree().nodes:
        value = node.literal and (node.literal.dateValue or node.literal.stringValue.decode())
        fields = [FilterNodeKind._VALUES_TO_NAMES[node.kind], node.name, node.type, value]
        arity = f"arity={node.arity}" if node.arity else ""
        lines.append(" ".join(filter(None, [*(str(one) for one in fields if one is not None), arity])))
    return lines


def _nodes(expression: HudiExpression) -> list[str]:
    return [*(node_text(node) for node in expression.nodes), "", to_text(expression)]


def _hex_lines(data: bytes) -> list[str]:
    width = 32
    return [data[at : at + width].hex(" ", 4) for at in range(0, len(data), width)]


def _statistics(files: Mapping[str, Mapping[str, ColumnStatistics]]) -> Iterator[str]:
    yield f"{'file':<16}{'column':<8}{'lower':<18}{'upper':<18}nulls rows"
    for path, columns in files.items():
        for name in SCHEMA:
            one = columns[name]
            lower, upper = ("" if end is None else end.hex() for end in (one.lower, one.upper))
            yield f"{path:<16}{name:<8}{lower:<18}{upper:<18}{one.null_count:>5} {one.value_count:>4}"


def _votes(worked: Worked) -> Iterator[str]:
    files: Sequence[Mapping[str, ColumnStatistics]] = list(worked.files.values())
    names = [path.partition("/")[2] for path in worked.files]
    yield f"{'':<62}{'  '.join(names)}"
    for node, votes in zip(worked.expression.nodes, evaluate_nodes(worked.expression, files), strict=True):
        marks = "".join(f"{'keep' if keeps else 'skip':<{len(names[0]) + 2}}" for keeps in votes)
        yield f"{node_text(node):<62}{marks}".rstrip()
    opened = [
        path for path, keeps in zip(worked.files, evaluate(worked.expression, files), strict=True) if keeps
    ]
    yield ""
    yield f"opened: {', '.join(opened)}"


def page_blocks(page: str) -> dict[str, str]:
    """Returns the blocks of a page by their steps."""
    return {match[2]: match[3] for match in _BLOCK.finditer(page)}


def with_blocks(page: str, of: Mapping[str, str]) -> str:
    """Returns the page with new blocks."""
    return _BLOCK.sub(lambda match: f"{match[1]}{of[match[2]]}{match[4]}", page)


if __name__ == "__main__":
    PAGE.write_text(with_blocks(PAGE.read_text(encoding="utf-8"), blocks(work())), encoding="utf-8")
