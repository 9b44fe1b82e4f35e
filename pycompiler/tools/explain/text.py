"""Explanations in the words of the handler's log (tests/conformance/explain.json covers both)."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from pycompiler.compile.compiler.compile import Unused
from pycompiler.compile.compiler.trace import Rewrite
from pycompiler.compile.expression.render import node_text, value_text
from pycompiler.compile.expression.statistics import ColumnStatistics
from pycompiler.compile.predicate.text import describe_filter
from pycompiler.one_line import one_line
from pycompiler.tools.explain.advice import Advice
from pycompiler.tools.explain.explanation import Explanation, FileVerdict, SliceVerdict
from pycompiler.tools.explain.partitions import PartitionVerdict


def explanation_text(path: str, found: Explanation, verdict: SliceVerdict | None, now: datetime) -> list[str]:
    """Writes the explanation of a filter on a table, and of one file slice if there is a verdict on it."""
    lines = explanation_lines(
        understood=describe_filter(found.predicate),
        kept=found.slices_kept,
        files=len(found.slices),
        index=found.source,
        rewrites=found.rewrites,
        nodes=[(node.depth, node_text(node.node), node.kept) for node in found.nodes],
        unused=found.unused,
        bytes_kept=found.bytes_kept,
        bytes_total=found.bytes_total,
        plan="" if found.partitions is None else plan_text(found.partitions),
        notes=notes_on(path, found, now),
        obstacles=found.obstacles,
        advice=found.advice,
    )
    return lines if verdict is None else [*lines, "", *verdict_lines(verdict)]


def plan_text(partitions: PartitionVerdict) -> str:
    """Writes a plan, and how many partitions it leaves."""
    text = f"{partitions.plan} leaves {partitions.kept} of {partitions.total} partitions"
    unknown = partitions.without_key
    return f"{text}, {unknown} of them because the index has no values for them" if unknown else text


def verdict_lines(verdict: SliceVerdict) -> Iterable[str]:
    """Writes why a file slice is kept or skipped, leaf by leaf."""
    if not verdict.slice.logs:
        yield f"{verdict.path} is {_word(verdict.kept)}:"
        yield from _leaf_lines(verdict.files[0])
        return
    yield f"the slice of {verdict.path} is {_word(verdict.kept)}; of its files,"
    for file in verdict.files:
        kind = "base file" if file.file is verdict.slice.base else "log"
        yield f"  {kind} {file.path} would be {_word(file.kept)}:"
        yield from (f"  {line}" for line in _leaf_lines(file))


def _word(is_kept: bool) -> str:
    return "kept" if is_kept else "skipped"


def _leaf_lines(verdict: FileVerdict) -> Iterable[str]:
    for leaf in verdict.leaves():
        word = "keeps" if leaf.keeps else "skips"
        known = "; ".join(
            statistics_text(column if len(leaf.statistics) > 1 else "", of_column)
            for column, of_column in leaf.statistics.items()
        )
        yield one_line(f"  {word}  {node_text(leaf.leaf)}  ({known})")


def explanation_lines(
    *,
    understood: str,
    kept: int,
    files: int,
    index: str,
    rewrites: Sequence[Rewrite],
    nodes: Sequence[tuple[int, str, int]],
    unused: Sequence[Unused],
    bytes_kept: int | None = None,
    bytes_total: int | None = None,
    plan: str = "",
    notes: Sequence[str] = (),
    obstacles: Mapping[str, str] | None = None,
    advice: Sequence[Advice] = (),
) -> list[str]:
    """Writes the parts of an `Explanation`.

    Each node has its depth, its text and the number of files that it keeps, root first. The handler's log has
    neither bytes (another line has them) nor plan, notes, obstacles and advice.
    """
    width = len(str(files))
    lines = [
        f"filter  {understood}",
        f"files   {kept} of {files} kept",
        *([] if bytes_kept is None else [f"bytes   {bytes_kept:,} of {bytes_total:,} kept"]),
        *([f"plan    {plan}"] if plan else []),
        f"index   {index}",
        *(f"note    {note}" for note in notes),
        *_section("rewritten:", (f"{step.rule}: {step.before} -> {step.after}" for step in rewrites)),
        *_section(
            "files kept by each part:",
            (f"{of_node:>{width}}  {'  ' * depth}{text}" for depth, text, of_node in nodes),
        ),
        *_section("not used:", (f"{term.term}: {term.reason}" for term in unused)),
        *_section(
            "Hudi's statistics not used:",
            (f"{column}: {obstacle}" for column, obstacle in (obstacles or {}).items()),
        ),
        *_section("why not fewer:", _advice_lines(advice)),
    ]
    return [one_line(line) for line in lines]


def _section(heading: str, entries: Iterable[str]) -> list[str]:
    lines = [f"  {entry}" for entry in entries]
    return ["", heading, *lines] if lines else []


def _advice_lines(advice: Iterable[Advice]) -> Iterable[str]:
    for found in advice:
        yield found.leaf
        yield from (f"  {reason}" for reason in found.reasons)
        yield from (f"  -> {action}" for action in found.actions)


def notes_on(path: str, found: Explanation, now: datetime) -> list[str]:
    """Writes what a reader of the counts must know."""
    notes = []
    update = f"run: hudi-skip index update {path}"
    if not found.slices:
        notes.append("the table has no files, so a query reads nothing")
    if not found.has_statistics:
        notes.append(f"the table has no index; build one with: hudi-skip index build {path}")
    if found.slices_not_indexed:
        notes.append(
            f"the index is behind the table: {found.slices_not_indexed} of {len(found.slices)} files are "
            f"not in it, and are always read; {update}"
        )
    if found.slices_covered:
        notes.append(
            f"in {found.slices_covered} of the files kept, every row matches: with"
            " hudi.skipping.counts=on, SELECT count(*) does not open them"
        )
    if not found.complete:
        notes.append(
            "the table may have more files, because commits that the index does not cover have been"
            f" archived; {update}"
        )
    notes += _notes_on_logs(found)
    notes += (
        f"'{text}' is no day of the calendar: Hive reads it as NULL, so that no comparison with it is true"
        " (but <=> for NULL), and refuses it in a DATE or TIMESTAMP literal"
        for text in found.impossible_days
    )
    if found.reads_clock:
        notes.append(
            f"the condition is evaluated as of {now:%Y-%m-%d %H:%M} in the time zone {now.tzinfo}; set Hive's"
            " with --time-zone"
        )
    return notes


def _notes_on_logs(found: Explanation) -> Iterable[str]:
    with_logs = found.slices_with_logs
    if not with_logs:
        return
    yield (
        f"{with_logs} of {len(found.slices)} files have logs to merge, and "
        + (
            f"are kept, because a row may combine several records ({found.mixing})"
            if found.mixing
            else "are skipped only if all of their logs are skipped too"
        )
    )
    silent = found.slices_with_logs_without_statistics
    if silent and not found.mixing:
        yield (
            f"{silent} of them have a log without statistics of these columns (such as one with partial"
            " updates), and are kept"
        )


def statistics_text(column: str, statistics: ColumnStatistics | None) -> str:
    """Writes what is known of a column in a file, after its name if there is one."""
    of_column = f"{column} " if column else ""
    if statistics is None:
        return f"{of_column}no statistics"
    ends = [statistics.lower, statistics.upper]
    lower, upper = ("unknown" if end is None else value_text(statistics.type, end) for end in ends)
    nulls = "unknown" if statistics.null_count is None else statistics.null_count
    rows = "" if statistics.value_count is None else f" of {statistics.value_count}"
    text = f"{of_column}{statistics.type}: {lower} to {upper}, {nulls}{rows} NULL"
    return text if statistics.nan_count is None else f"{text}, {statistics.nan_count} NaN"
