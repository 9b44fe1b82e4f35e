"""Advice on what an index should have, for people and as a part of a JSON document."""

from collections.abc import Iterator, Sequence
from typing import Any

from pycompiler.advise.advice import LayoutAdvice
from pycompiler.advise.chosen_kinds import KindAdvice
from pycompiler.advise.forecast import mean_share
from pycompiler.advise.proof import Proof
from pycompiler.advise.reads import Read
from pycompiler.advise.workload import Workload
from pycompiler.figures import bytes_text
from pycompiler.index.choices import command_that_adds
from pycompiler.predicate.text import shorten

_NAME = 32


def index_command(path: str, found: LayoutAdvice) -> str | None:
    """The command that adds to the index what pays off; None if nothing does."""
    added = found.index.added_specs
    return command_that_adds(path, added) if added else None


def index_text(found: LayoutAdvice, proof: Proof | None) -> Iterator[str]:
    """Writes which records pay off with which layout, and what they cost and save."""
    rows = list(_rows(found, proof))
    if not rows:
        return
    columns = [("records in the index", "<"), ("bytes", ">"), ("files per query that asks", ">")]
    if proof is not None:
        columns += [("bytes proved", ">"), ("files proved", ">")]
    columns.append(("pay off", "<"))
    table = [[name for name, _ in columns], *rows]
    widths = [max(len(row[place]) for row in table) for place in range(len(columns))]
    for row in table:
        cells = [f"{text:{side}{width}}" for text, width, (_, side) in zip(row, widths, columns, strict=True)]
        yield "  ".join(cells).rstrip()


def _rows(found: LayoutAdvice, proof: Proof | None) -> Iterator[list[str]]:
    advised = found.index if proof is None else proof.forecast
    shown = [each for each in advised.kinds if each.pays_off or each.is_kept]
    keys = {each.key for each in shown}
    files = found.files if found.best is None else found.files_then
    for each in shown:
        cells = _figures(each, files if proof is None else proof.files)
        if proof is not None:
            cells += _proved(each, proof, found.workload)
        yield [*cells, _where(each, found)]
    if found.best is not None:
        for each in found.as_it_is.kinds:
            if each.pays_off and each.key not in keys:
                unproved = [] if proof is None else ["", ""]
                yield [*_figures(each, found.files), *unproved, "only as it is"]


def _figures(each: KindAdvice, files: int) -> list[str]:
    return [
        shorten(f"{each.column} {each.kind}", _NAME),
        f"{bytes_text(each.size)} ± {bytes_text(each.error)}",
        _files(each.share_without * files, each.share_with * files, files),
    ]


def _proved(each: KindAdvice, proof: Proof, workload: Workload) -> list[str]:
    if each.key not in proof.reads_without:
        return ["", ""]
    without = _mean_files(each, proof.reads_without[each.key], workload)
    files = _files(without, _mean_files(each, proof.reads, workload), proof.files)
    return [bytes_text(proof.kind_sizes.get(each.key, 0)), files]


def _files(without: float, with_records: float, files: int) -> str:
    return f"{without:,.1f} -> {with_records:,.1f} of {files:,}"


def _mean_files(each: KindAdvice, reads: Sequence[Read], workload: Workload) -> float:
    counts = [workload.conditions[position].count for position in each.answers]
    files = [reads[position].files for position in each.answers]
    return sum(count * number for count, number in zip(counts, files, strict=True)) / max(sum(counts), 1)


def _where(each: KindAdvice, found: LayoutAdvice) -> str:
    had = ", the index has them" if each.is_kept else ""
    if found.best is None:
        return f"{'yes' if each.pays_off else 'no'}{had}"
    as_it_is = any(other.pays_off for other in found.as_it_is.kinds if other.key == each.key)
    match each.pays_off, as_it_is:
        case True, True:
            return f"with both layouts{had}"
        case True, False:
            return f"only with the new layout{had}"
        case False, True:
            return f"only as it is{had}"
        case _:
            return f"with neither layout{had}"


def index_document(path: str, found: LayoutAdvice, proof: Proof | None) -> dict[str, Any]:
    """Builds the part of the JSON document about the index. Shares are of the table's bytes."""
    return {
        "command": index_command(path, found),
        "share_read_forecast": mean_share(found.index.shares, found.workload),
        "records": [_record(each, found, proof) for each in found.index.kinds],
        "records_as_it_is": [_record(each, found, None) for each in found.as_it_is.kinds],
        **({} if proof is None else {"seconds": proof.seconds}),
    }


def _record(each: KindAdvice, found: LayoutAdvice, proof: Proof | None) -> dict[str, Any]:
    document = {
        "column": each.column,
        "kind": str(each.kind),
        "kept": each.is_kept,
        "pays_off": each.pays_off,
        "distinct_values": each.distinct,
        "bytes": each.size,
        "bytes_error": each.error,
        "share_read_without": each.share_without,
        "share_read": each.share_with,
    }
    if proof is None or each.key not in proof.reads_without:
        return document
    (expected,) = (other for other in proof.forecast.kinds if other.key == each.key)
    return {
        **document,
        "proved": {
            "bytes": proof.kind_sizes.get(each.key, 0),
            "bytes_forecast": expected.size,
            "files_read_without": _mean_files(each, proof.reads_without[each.key], found.workload),
            "files_read_without_forecast": expected.share_without * proof.files,
            "files_read": _mean_files(each, proof.reads, found.workload),
            "files_read_forecast": expected.share_with * proof.files,
        },
    }
