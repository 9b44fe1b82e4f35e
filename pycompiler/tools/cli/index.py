"""`hudi-skip index …`: builds, updates and checks statistics indexes."""

from __future__ import annotations

import os
from contextlib import nullcontext, suppress
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from pycompiler.tools.cli.arguments.table_path import TableArgument, checked
from pycompiler.tools.cli.catalogue import KIND
from pycompiler.tools.cli.console.output import JsonOption, print_error, print_fields, print_json, print_lines
from pycompiler.tools.cli.console.terminal import QuietOption, status_shown
from pycompiler.tools.cli.errors import remedy_for_damage
from pycompiler.tools.cli.running.here_or_spark import lister, run
from pycompiler.tools.cli.running.spark import (
    DEFAULT_MASTER,
    BundleOption,
    ConfOption,
    MasterOption,
    PackagesOption,
    SparkOption,
    SparkOptions,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager

    from pycompiler.index.compactor import Compaction
    from pycompiler.index.options import IndexOptions
    from pycompiler.indexing.creator import IndexUpdate
    from pycompiler.indexing.help import Cluster
    from pycompiler.indexing.progress import Progress
    from pycompiler.indexing.verification import Verification
    from pycompiler.table.catalogue.interface import PartitionCatalogue
    from pycompiler.table.index_status import IndexStatus

app = typer.Typer(help="Build, update and check the statistics index of a table.", no_args_is_help=True)

BEHIND = 3
"""Exit code of `status --check` if the index lacks files of the table; not an error."""
_SHOWN_FINDINGS = 20
_SHOWN_FILES = 5

KindsOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        metavar="COLUMN=KIND,…",
        help="Statistics to keep for a column: range, bloom, values(max=256) or none; * means every column "
        "not named. May be repeated. Takes the place of what the index keeps; default: just that, or ranges "
        "of all columns if the index is new.",
    ),
]
AddedKindsOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--add-index",
        metavar="COLUMN=KIND,…",
        help="Like --index, but adds to what the index already keeps. May be repeated.",
    ),
]
AfterCommitOption: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--after-commit",
        help="For programs that start an update after each commit and then exit: run in the background, one "
        "update per table at a time. If another update is already waiting, leave the work to it.",
    ),
]
QuorumOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="HOST:PORT,…",
        envvar="HUDI_SKIP_CATALOGUE_QUORUM",
        help="Also publish the table's partitions to the HBase cluster that uses these ZooKeeper servers, "
        "as `hudi-skip catalogue publish` does. If that fails, only a warning is printed.",
    ),
]
CatalogueTableOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        envvar="HUDI_SKIP_CATALOGUE_TABLE",
        help="HBase table. Default: hudi_skip_partitions.",
    ),
]


@app.command()
def build(
    path: TableArgument,
    index: KindsOption = None,
    add_index: AddedKindsOption = None,
    hudi_bundle: BundleOption = None,
    master: MasterOption = DEFAULT_MASTER,
    packages: PackagesOption = None,
    conf: ConfOption = None,
    spark: SparkOption = False,
    json: JsonOption = False,
    quiet: QuietOption = False,
    catalogue_quorum: QuorumOption = None,
    catalogue_table: CatalogueTableOption = None,
) -> None:
    """Build the index from all files of the table."""
    choice = _choice(index, add_index)
    catalogue = _catalogue(catalogue_quorum, catalogue_table)
    spark_options = SparkOptions(hudi_bundle, master, packages, conf)
    _publish(path, choice, spark_options, spark, catalogue, json, quiet, rebuild=True)


@app.command()
def update(
    path: TableArgument,
    index: KindsOption = None,
    add_index: AddedKindsOption = None,
    hudi_bundle: BundleOption = None,
    master: MasterOption = DEFAULT_MASTER,
    packages: PackagesOption = None,
    conf: ConfOption = None,
    spark: SparkOption = False,
    json: JsonOption = False,
    quiet: QuietOption = False,
    after_commit: AfterCommitOption = False,
    catalogue_quorum: QuorumOption = None,
    catalogue_table: CatalogueTableOption = None,
) -> None:
    """Update the index with the files written since the last update."""
    choice = _choice(index, add_index)
    catalogue = _catalogue(catalogue_quorum, catalogue_table)
    spark_options = SparkOptions(hudi_bundle, master, packages, conf)
    with _turn(path, after_commit) as ours:
        if ours:
            _publish(path, choice, spark_options, spark, catalogue, json, quiet, rebuild=False)
        elif not quiet:
            print("another update is already waiting and will cover the same commits")


@app.command()
def status(
    path: TableArgument,
    check: Annotated[
        bool, typer.Option("--check", help=f"Exit with code {BEHIND} if the index is behind the table.")
    ] = False,
    hudi_bundle: BundleOption = None,
    master: MasterOption = DEFAULT_MASTER,
    packages: PackagesOption = None,
    conf: ConfOption = None,
    spark: SparkOption = False,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Compare the index with the table's files."""
    with remedy_for_damage(path):
        found = None if spark else _status_by_timeline(path, quiet)
        if found is None:
            from pycompiler.table.index_status import status_by_listing

            spark_options = SparkOptions(hudi_bundle, master, packages, conf)
            snapshot = run(path, spark_options, quiet, spark, lister(path, spark))
            found = status_by_listing(path, snapshot)
    if json:
        print_json(
            {
                "path": path,
                **asdict(found),
                "not_indexed": found.files_not_indexed,
                "up_to_date": found.up_to_date,
            }
        )
    elif not quiet:
        _print_status(path, found)
    if check and not found.up_to_date:
        raise typer.Exit(BEHIND)


def _status_by_timeline(path: str, quiet: bool) -> IndexStatus | None:
    from pycompiler.index.file_systems.location import Location
    from pycompiler.index.index import StatisticsIndex
    from pycompiler.table.index_status import status_by_timeline

    root = checked(path)
    with status_shown("comparing the index with the timeline", quiet=quiet):
        return status_by_timeline(StatisticsIndex.open(root), Location.parse(root))


def _print_status(path: str, found: IndexStatus) -> None:
    state = "up to date" if found.up_to_date else f"behind; run: hudi-skip index update {path}"
    print_fields(
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
    from pycompiler.index.file_systems.location import Location
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
def verify(
    path: TableArgument,
    hudi_bundle: BundleOption = None,
    master: MasterOption = DEFAULT_MASTER,
    packages: PackagesOption = None,
    conf: ConfOption = None,
    spark: SparkOption = False,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Compare every row of the index with the table's files. Exit with code 1 if a row is wrong."""
    _require_index(path)

    def work(cluster: Cluster, progress: Progress) -> Verification:
        from pycompiler.indexing.verification import verify as verify_index

        return verify_index(path, cluster, progress, os.cpu_count() or 1)

    with remedy_for_damage(path):
        found = run(path, SparkOptions(hudi_bundle, master, packages, conf), quiet, spark, work)
    if json:
        print_json({"path": path, **asdict(found), "sound": found.sound})
    elif not quiet:
        print_fields(
            {
                "rows compared": found.records,
                "rows wrong": found.wrong,
                "files gone": f"{found.files_gone} (harmless)",
                "files resized": f"{found.files_resized} (never skipped)",
                "files not indexed": f"{found.files_missing} (never skipped)",
            }
        )
        for finding in found.findings[:_SHOWN_FINDINGS]:
            print(f"  {finding.path}  {finding.column}: {finding.problem}")
        if len(found.findings) > _SHOWN_FINDINGS:
            print(f"  … {found.wrong - _SHOWN_FINDINGS} more")
    if not found.sound:
        print_error(f"{found.wrong} rows of the index are wrong; run: hudi-skip index build {path}")
        raise typer.Exit(1)


@app.command()
def compact(
    path: TableArgument,
    grace: Annotated[
        float,
        typer.Option(
            metavar="HOURS",
            min=0,
            help="Hours to keep index files that are no longer used. A running update may still need them, "
            "so set this to longer than an update takes.",
        ),
    ] = 24,
    hudi_bundle: BundleOption = None,
    master: MasterOption = DEFAULT_MASTER,
    packages: PackagesOption = None,
    conf: ConfOption = None,
    spark: SparkOption = False,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Merge the index into one data file, drop rows of deleted files, and remove unused index files."""
    _require_index(path)

    def work(cluster: Cluster, progress: Progress) -> Compaction:
        from pycompiler.index.compactor import compact as compact_index
        from pycompiler.index.file_systems.factory import open_storage

        def latest_files() -> frozenset[str]:
            files = lister(path, spark)(cluster, progress).files
            return frozenset(file.relative_path for file in files)

        return compact_index(open_storage(path), latest_files, grace * 3600)

    done = run(path, SparkOptions(hudi_bundle, master, packages, conf), quiet, spark, work)
    if json:
        print_json({"path": path, **asdict(done)})
        return
    if quiet:
        return
    state = (
        f"published generation {done.generation}" if done.published else f"already compact: {done.generation}"
    )
    print_fields(
        {
            "index": state,
            "data files": f"{done.data_files} (before: {done.data_files_before})",
            "files dropped": f"{done.files_dropped} (the table no longer has them)",
            "removed": f"{len(done.removed)} files",
            "kept for readers": f"{len(done.kept_for_readers)} files (previous generation; queries may still "
            "read it; removed by the second publication from now)",
            "kept in grace": f"{len(done.kept_in_grace)} files (unused, but younger than {grace:g} h)",
        }
    )


def _turn(path: str, after_commit: bool) -> AbstractContextManager[bool]:
    if not after_commit:
        return nullcontext(True)
    from pycompiler.tools.cli.after_commit import leave_session, turn

    leave_session()
    return turn(path)


def _catalogue(quorum: str | None, table: str | None) -> PartitionCatalogue | None:
    if quorum is None:
        return None
    from pycompiler.table.catalogue.errors import CatalogueError
    from pycompiler.table.catalogue.interface import open_catalogue

    try:
        return open_catalogue(KIND, quorum, table)
    except CatalogueError as error:  # the index is worth publishing without it
        typer.echo(f"warning: the partitions were not published: {error}", err=True)
        return None


@dataclass(frozen=True, slots=True)
class _Choice:
    """What the index is to keep, and whether that adds to what it keeps already."""

    options: IndexOptions | None
    adds: bool


def _choice(index: list[str] | None, added: list[str] | None) -> _Choice:
    if index and added:
        raise typer.BadParameter(
            "--index takes the place of what the index keeps, and --add-index adds to it; use one of them"
        )
    from pycompiler.index.options import IndexOptions, parse_assignments

    named = index or added
    return _Choice(IndexOptions(parse_assignments(named)) if named else None, adds=bool(added))


def _publish(
    path: str,
    choice: _Choice,
    spark_options: SparkOptions,
    spark: bool,
    catalogue: PartitionCatalogue | None,
    json: bool,
    quiet: bool,
    *,
    rebuild: bool,
) -> None:
    checked(path)

    def work(cluster: Cluster, progress: Progress) -> IndexUpdate:
        from pycompiler.indexing.creator import Indexer

        indexer = Indexer(
            cluster, choice.options, progress, catalogue, adds=choice.adds, processes=os.cpu_count() or 1
        )
        return indexer.build(path) if rebuild else indexer.update(path)

    result = run(path, spark_options, quiet, spark, work)
    if json:
        print_json({"path": path, **asdict(result)})
    elif not quiet:
        print_lines([_sentence(result, rebuild), *_given_up(path, result, rebuild)])


def _sentence(result: IndexUpdate, rebuild: bool) -> str:
    if not result.published:
        return f"up to date: generation {result.generation}, {result.files} base and log files, nothing to do"
    is_plain = rebuild or result.listed_because is None
    listed = "" if is_plain else f"; all files were listed: {result.listed_because}"
    read = f"{result.files_added} of {result.files} base and log files read, {result.records} rows"
    return (
        f"published generation {result.generation}: {read}, instant {result.instant}, "
        f"{result.seconds:.1f} s{listed}"
    )


def _given_up(path: str, result: IndexUpdate, rebuild: bool) -> Iterator[str]:
    """What the options gave up of earlier ones. An update leaves the rows of earlier files as they are."""
    from pycompiler.index.choices import command_that_adds, kinds_text

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
