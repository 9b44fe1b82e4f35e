"""`hudi-skip index …`: builds, updates and checks statistics indexes."""

from __future__ import annotations

import os
from contextlib import nullcontext, suppress
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from pycompiler.index.file_systems.location import Location
from pycompiler.tools.cli.arguments import TableArgument, checked, with_options
from pycompiler.tools.cli.catalogue import KIND
from pycompiler.tools.cli.console.output import aligned, print_error
from pycompiler.tools.cli.errors import remedy_for_damage
from pycompiler.tools.cli.running.here_or_spark import lister, run
from pycompiler.tools.cli.running.spark import RunOptions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pycompiler.index.compactor import Compaction
    from pycompiler.indexing.cluster import Cluster
    from pycompiler.indexing.indexer import IndexUpdate
    from pycompiler.indexing.progress import Progress
    from pycompiler.indexing.verification import Verification
    from pycompiler.table.catalogue.interface import PartitionCatalogue
    from pycompiler.table.index_status import IndexStatus

app = typer.Typer(help="Build, update and check the statistics index of a table.", no_args_is_help=True)

BEHIND = 3
"""Exit code of `status --check` if the index lacks files of the table; not an error."""
_SHOWN_FINDINGS = 20
_SHOWN_FILES = 5


@dataclass(frozen=True, slots=True)
class PublishOptions:
    """What an index is to keep, and where else its partitions go."""

    index: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COLUMN=KIND,…",
            help="Statistics to keep for a column: range, bloom, values(max=256) or none; * means every "
            "column not named. May be repeated. Takes the place of what the index keeps; default: just that, "
            "or ranges of all columns if the index is new.",
        ),
    ] = None
    add_index: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COLUMN=KIND,…",
            help="Like --index, but adds to what the index already keeps. May be repeated.",
        ),
    ] = None
    catalogue_quorum: Annotated[
        str | None,
        typer.Option(
            metavar="HOST:PORT,…",
            envvar="HUDI_SKIP_CATALOGUE_QUORUM",
            help="Also publish the table's partitions to the HBase cluster that uses these ZooKeeper "
            "servers, as `hudi-skip catalogue publish` does. If that fails, only a warning is printed.",
        ),
    ] = None
    catalogue_table: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            envvar="HUDI_SKIP_CATALOGUE_TABLE",
            help="HBase table. Default: hudi_skip_partitions.",
        ),
    ] = None


@app.command()
@with_options
def build(path: TableArgument, publish: PublishOptions, options: RunOptions) -> None:
    """Build the index from all files of the table."""
    _publish(path, publish, options, rebuild=True)


@app.command()
@with_options
def update(
    path: TableArgument,
    publish: PublishOptions,
    options: RunOptions,
    after_commit: Annotated[
        bool,
        typer.Option(
            "--after-commit",
            help="For programs that start an update after each commit and then exit: run in the background, "
            "one update per table at a time. If another update is already waiting, leave the work to it.",
        ),
    ] = False,
) -> None:
    """Update the index with the files written since the last update."""
    _publish(path, publish, options, after_commit=after_commit)


@app.command()
@with_options
def status(
    path: TableArgument,
    options: RunOptions,
    check: Annotated[
        bool, typer.Option("--check", help=f"Exit with code {BEHIND} if the index is behind the table.")
    ] = False,
) -> None:
    """Compare the index with the table's files."""
    from pycompiler.index.index import StatisticsIndex
    from pycompiler.table.index_status import status_by_listing, status_by_timeline

    with remedy_for_damage(path):
        root = checked(path)
        found = (
            None if options.spark else status_by_timeline(StatisticsIndex.open(root), Location.parse(root))
        )
        if found is None:
            found = status_by_listing(path, run(path, options, lister(path, options.spark)))
    document = {
        "path": path,
        **asdict(found),
        "not_indexed": found.files_not_indexed,
        "up_to_date": found.up_to_date,
    }
    options.show(document, _status_lines(path, found))
    if check and not found.up_to_date:
        raise typer.Exit(BEHIND)


def _status_lines(path: str, found: IndexStatus) -> Iterator[str]:
    state = "up to date" if found.up_to_date else f"behind; run: hudi-skip index update {path}"
    yield from aligned(
        {
            "table": f"{found.table} ({path})",
            "index": state,
            "generation": f"{found.generation}, published {found.created_at} by {found.writer}",
            "instant": f"{found.instant} (last of the table: {found.table_instant})",
            "files indexed": f"{found.files_indexed} of {found.files}",
            **({"of their logs": f"{found.logs_indexed} of {found.logs}"} if found.logs else {}),
            **({"no statistics": reasons} if (reasons := _without_statistics(path, found)) else {}),
            "not indexed": f"{found.files_not_indexed} files, {found.bytes_not_indexed} bytes (always read)",
            "files gone": f"{found.files_gone}{_advice_on_gone(path, found)}",
            "columns": found.columns,
            "size": f"{found.records} rows, {found.bytes} bytes in {found.data_files} files",
            "of these": ", ".join(f"{kind} {size} bytes" for kind, size in found.bytes_of_kinds.items()),
        }
    )


def _advice_on_gone(path: str, found: IndexStatus) -> str:
    """How to be rid of the rows of files that are gone; an update must first learn that they are."""
    if not found.files_gone:
        return ""
    if found.instant != found.table_instant:
        return f" (the index has not seen that they went; run: hudi-skip index update {path})"
    return f" (updates drop their rows in time; at once: hudi-skip index compact {path})"


def _without_statistics(path: str, found: IndexStatus) -> str:
    """Why queries always read some indexed base files, of the first few that have no rows in the index."""
    from pycompiler.index.collect.errors import FooterError
    from pycompiler.index.collect.footer import FooterReader
    from pycompiler.index.records import WriteStatus

    reasons: list[str] = []
    reader = FooterReader(
        on_unreadable=lambda file, reason: reasons.append(f"{file}: {reason} (always read)")
    )
    root = Location.parse(checked(path))
    for file in found.without_rows[:_SHOWN_FILES]:
        with suppress(FileNotFoundError, FooterError):
            reader.add(WriteStatus("", "", str(root.child(file)), 0, ""))
    more = len(found.without_rows) - _SHOWN_FILES
    return "; ".join([*reasons, *([f"{more} more files without rows"] if more > 0 else [])])


@app.command()
@with_options
def verify(path: TableArgument, options: RunOptions) -> None:
    """Compare every row of the index with the table's files. Exit with code 1 if a row is wrong."""
    _require_index(path)

    def work(cluster: Cluster, progress: Progress) -> Verification:
        from pycompiler.indexing.verification import verify as verify_index

        return verify_index(path, cluster, progress, os.cpu_count() or 1)

    with remedy_for_damage(path):
        found = run(path, options, work)
    options.show({"path": path, **asdict(found), "sound": found.sound}, _verification_lines(found))
    if not found.sound:
        print_error(f"{found.wrong} rows of the index are wrong; run: hudi-skip index build {path}")
        raise typer.Exit(1)


def _verification_lines(found: Verification) -> Iterator[str]:
    yield from aligned(
        {
            "rows compared": found.records,
            "rows wrong": found.wrong,
            "files gone": f"{found.files_gone} (harmless)",
            "files resized": f"{found.files_resized} (never skipped)",
            "files not indexed": f"{found.files_missing} (never skipped)",
        }
    )
    for finding in found.findings[:_SHOWN_FINDINGS]:
        yield f"  {finding.path}  {finding.column}: {finding.problem}"
    if len(found.findings) > _SHOWN_FINDINGS:
        yield f"  … {found.wrong - _SHOWN_FINDINGS} more"


@app.command()
@with_options
def compact(
    path: TableArgument,
    options: RunOptions,
    grace: Annotated[
        float,
        typer.Option(
            metavar="HOURS",
            min=0,
            help="Hours to keep index files that are no longer used. A running update may still need them, "
            "so set this to longer than an update takes.",
        ),
    ] = 24,
) -> None:
    """Merge the index into one data file, drop rows of deleted files, and remove unused index files."""
    _require_index(path)

    def work(cluster: Cluster, progress: Progress) -> Compaction:
        from pycompiler.index.compactor import compact as compact_index
        from pycompiler.index.file_systems.factory import open_storage

        def latest_files() -> frozenset[str]:
            files = lister(path, options.spark)(cluster, progress).files
            return frozenset(file.relative_path for file in files)

        return compact_index(open_storage(path), latest_files, grace * 3600)

    done = run(path, options, work)
    state = "published generation" if done.published else "already compact:"
    lines = aligned(
        {
            "index": f"{state} {done.generation}",
            "data files": f"{done.data_files} (before: {done.data_files_before})",
            "files dropped": f"{done.files_dropped} (the table no longer has them)",
            "removed": f"{len(done.removed)} files",
            "kept for readers": f"{len(done.kept_for_readers)} files (previous generation; queries may still "
            "read it; removed by the second publication from now)",
            "kept in grace": f"{len(done.kept_in_grace)} files (unused, but younger than {grace:g} h)",
        }
    )
    options.show({"path": path, **asdict(done)}, lines)


def _publish(
    path: str,
    publish: PublishOptions,
    options: RunOptions,
    *,
    rebuild: bool = False,
    after_commit: bool = False,
) -> None:
    if publish.index and publish.add_index:
        raise typer.BadParameter(
            "--index takes the place of what the index keeps, and --add-index adds to it; use one of them"
        )
    from pycompiler.index.options import IndexOptions, parse_assignments
    from pycompiler.tools.cli.after_commit import leave_session, turn

    named = publish.index or publish.add_index
    choice = IndexOptions(parse_assignments(named)) if named else None
    catalogue = _catalogue(publish)

    def work(cluster: Cluster, progress: Progress) -> IndexUpdate:
        from pycompiler.indexing.indexer import Indexer

        indexer = Indexer(
            cluster,
            choice,
            progress,
            catalogue,
            adds=bool(publish.add_index),
            processes=os.cpu_count() or 1,
        )
        return indexer.build(path) if rebuild else indexer.update(path)

    if after_commit:
        leave_session()
    with turn(path) if after_commit else nullcontext(True) as ours:
        if ours:
            checked(path)
            result = run(path, options, work)
            lines = _update_lines(path, result, rebuild)
            options.show({"path": path, **asdict(result)}, lines)
        elif not options.quiet:
            print("another update is already waiting and will cover the same commits")


def _catalogue(publish: PublishOptions) -> PartitionCatalogue | None:
    if publish.catalogue_quorum is None:
        return None
    from pycompiler.table.catalogue.errors import CatalogueError
    from pycompiler.table.catalogue.interface import open_catalogue

    try:
        return open_catalogue(KIND, publish.catalogue_quorum, publish.catalogue_table)
    except CatalogueError as error:  # the index is worth publishing without it
        typer.echo(f"warning: the partitions were not published: {error}", err=True)
        return None


def _update_lines(path: str, result: IndexUpdate, rebuild: bool) -> Iterator[str]:
    """What was published, and what the options gave up of earlier ones.

    An update leaves the rows of earlier files as they are.
    """
    from pycompiler.index.choices import command_that_adds, kinds_text

    if result.published:
        is_plain = rebuild or result.listed_because is None
        listed = "" if is_plain else f"; all files were listed: {result.listed_because}"
        read = f"{result.files_added} of {result.files} base and log files read, {result.records} rows"
        yield (
            f"published generation {result.generation}: {read}, instant {result.instant}, "
            f"{result.seconds:.1f} s{listed}"
        )
    else:
        yield (
            f"up to date: generation {result.generation}, {result.files} base and log files, nothing to do"
        )
    of_files = "" if rebuild else " of new files"
    if result.no_longer_kept:
        command = command_that_adds(path, result.no_longer_kept)
        yield f"no longer kept{of_files}: {kinds_text(result.no_longer_kept)} (to add it again: {command})"
    if result.replaced:
        yield f"replaced{of_files}: {kinds_text(result.replaced)}, by the new parameters"


def _require_index(path: str) -> None:
    """Fails before Spark is started if the index is missing."""
    from pycompiler.index.index import StatisticsIndex

    with remedy_for_damage(path):
        StatisticsIndex.open(checked(path))
