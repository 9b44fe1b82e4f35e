"""Explanations in the words of the handler's log (tests/conformance/explain.json covers both)."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pycompiler.one_line import one_line
from pycompiler.tools.explain.verdicts import SliceVerdict


def explanation_text(document: Mapping[str, Any], verdict: SliceVerdict | None = None) -> list[str]:
    """Writes the document of an explanation, and of one file slice if there is a verdict on it.

    Some parts may be missing: the handler's log has neither bytes (another line has them) nor plan, notes,
    obstacles and advice.
    """
    files = document["files_total"]
    width = len(str(files))
    lines = [f"filter  {document['filter']}", f"files   {document['files_kept']} of {files} kept"]
    if "bytes_kept" in document:
        lines.append(f"bytes   {document['bytes_kept']:,} of {document['bytes_total']:,} kept")
    if "plan" in document:
        lines.append(f"plan    {plan_text(document['plan'])}")
    lines.append(f"index   {document['source']}")
    lines += (f"note    {note}" for note in document.get("notes", ()))
    obstacles = document.get("obstacles", {}).items()
    sections: dict[str, Iterable[str]] = {
        "rewritten:": (
            f"{step['rule']}: {step['before']} -> {step['after']}" for step in document["rewrites"]
        ),
        "files kept by each part:": (
            f"{node['kept']:>{width}}  {'  ' * node['depth']}{node['node']}" for node in document["nodes"]
        ),
        "not used:": (f"{term['term']}: {term['reason']}" for term in document["unused"]),
        "Hudi's statistics not used:": (f"{column}: {obstacle}" for column, obstacle in obstacles),
        "why not fewer:": _advice_lines(document.get("advice", ())),
    }
    for heading, entries in sections.items():
        if of_section := [f"  {entry}" for entry in entries]:
            lines += ["", heading, *of_section]
    if verdict is not None:
        lines += ["", *verdict_lines(document["file"], verdict)]
    return [one_line(line) for line in lines]


def plan_text(plan: Mapping[str, Any]) -> str:
    """Writes a plan, and how many partitions it leaves."""
    text = f"{plan['text']} leaves {plan['partitions_kept']} of {plan['partitions_total']} partitions"
    unknown = plan["partitions_without_key"]
    return f"{text}, {unknown} of them because the index has no values for them" if unknown else text


def verdict_lines(of_slice: Mapping[str, Any], verdict: SliceVerdict) -> Iterator[str]:
    """Writes why a file slice is kept or skipped, leaf by leaf."""
    if not verdict.slice.logs:
        yield f"{of_slice['path']} is {_word(verdict.kept)}:"
        yield from _leaf_lines(of_slice)
        return
    yield f"the slice of {of_slice['path']} is {_word(verdict.kept)}; of its files,"
    for file, data in zip(verdict.files, [of_slice, *of_slice.get("logs", ())], strict=True):
        kind = "base file" if file.file is verdict.slice.base else "log"
        yield f"  {kind} {data['path']} would be {_word(file.kept)}:"
        yield from (f"  {line}" for line in _leaf_lines(data))


def _word(is_kept: bool) -> str:
    return "kept" if is_kept else "skipped"


def _leaf_lines(of_file: Mapping[str, Any]) -> Iterator[str]:
    for leaf in of_file["leaves"]:
        statistics = leaf["statistics"]
        known = "; ".join(
            f"{f'{column} ' if len(statistics) > 1 else ''}{statistics_text(of_column)}"
            for column, of_column in statistics.items()
        )
        yield f"  {'keeps' if leaf['keeps'] else 'skips'}  {leaf['leaf']}  ({known})"


def _advice_lines(advice: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    for found in advice:
        yield found["leaf"]
        yield from (f"  {reason}" for reason in found["reasons"])
        yield from (f"  -> {action}" for action in found["actions"])


def statistics_text(known: Mapping[str, Any] | None) -> str:
    """Writes what is known of a column in a file, as the document has it."""
    if known is None:
        return "no statistics"
    lower, upper, nulls = (
        "unknown" if known[name] is None else known[name] for name in ("lower", "upper", "null_count")
    )
    rows = "" if known["value_count"] is None else f" of {known['value_count']}"
    nans = "" if known["nan_count"] is None else f", {known['nan_count']} NaN"
    return f"{known['type']}: {lower} to {upper}, {nulls}{rows} NULL{nans}"
