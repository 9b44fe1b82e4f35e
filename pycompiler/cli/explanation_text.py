"""An explanation in the words of the handler's log: tests/conformance/explain.json holds both to one text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

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
    """
    width = len(str(files))
    lines = [
        f"filter  {understood}",
        f"files   {kept} of {files} kept",
        f"index   generation {generation}, instant {instant}",
        *_section("rewritten:", (f"{step.rule}: {step.before} -> {step.after}" for step in rewrites)),
        *_section(
            "files kept by each part:",
            (f"{of_node:>{width}}  {'  ' * depth}{text}" for depth, text, of_node in nodes),
        ),
        *_section("not used:", (f"{term.term}: {term.reason}" for term in unused)),
    ]
    return [one_line(line) for line in lines]


def _section(heading: str, entries: Iterable[str]) -> list[str]:
    lines = [f"  {entry}" for entry in entries]
    return ["", heading, *lines] if lines else []
