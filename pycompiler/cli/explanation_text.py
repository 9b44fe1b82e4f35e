"""An explanation in the words of the handler's log: tests/conformance/explain.json holds both to one text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pycompiler.cli.advice import Advice
from pycompiler.compiler.compile import Unused
from pycompiler.compiler.trace import Rewrite
from pycompiler.one_line import one_line


def explanation_lines(
    *,
    understood: str,
    kept: int,
    files: int,
    generation: int,
    instant: str,
    rewrites: Sequence[Rewrite],
    nodes: Sequence[tuple[int, str, int]],
    unused: Sequence[Unused],
    bytes_kept: int | None = None,
    bytes_total: int | None = None,
    notes: Sequence[str] = (),
    advice: Sequence[Advice] = (),
) -> list[str]:
    """Writes an explanation.

    Args:
        understood: The filter as it was understood.
        kept: Files that are kept.
        files: Files that there are.
        generation: Generation of the index.
        instant: Last instant that the index has seen.
        rewrites: The steps of the compilation.
        nodes: Depth, text and number of files kept of each node of the expression, the root first.
        unused: The terms that skip nothing.
        bytes_kept: Bytes of the files that are kept; None in the handler's log, where another line has them.
        bytes_total: Bytes of the files that there are.
        notes: What else has to be known; the command line's alone, as the advice is.
        advice: Why parts of the filter keep many files.
    """
    width = len(str(files))
    lines = [
        f"filter  {understood}",
        f"files   {kept} of {files} kept",
        *([] if bytes_kept is None else [f"bytes   {bytes_kept:,} of {bytes_total:,} kept"]),
        f"index   generation {generation}, instant {instant}",
        *(f"note    {note}" for note in notes),
        *_section("rewritten:", (f"{step.rule}: {step.before} -> {step.after}" for step in rewrites)),
        *_section(
            "files kept by each part:",
            (f"{of_node:>{width}}  {'  ' * depth}{text}" for depth, text, of_node in nodes),
        ),
        *_section("not used:", (f"{term.term}: {term.reason}" for term in unused)),
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
        if found.action:
            yield f"  -> {found.action}"
