"""`hudi-skip index …`: building and looking at statistics indexes."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from pycompiler.cli.catalogue import hbase_catalogue
from pycompiler.cli.errors import expecting
from pycompiler.cli.output import JsonOption, print_fields, print_json
from pycompiler.cli.spark import (
    DEFAULT_MASTER,
    BundleOption,
    ConfOption,
    MasterOption,
    PackagesOption,
    SparkOptions,
    spark_for,
)
from pycompiler.cli.table_path import TableArgument, checked
from pycompiler.cli.terminal import QuietOption

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from pycompiler.catalogue.hbase import HBaseCatalogue
    from pycompiler.spark.index_creator import IndexUpdate
    from pycompiler.spark.inspection import IndexStatus

app = typer.Typer(help="Build, update and check the statistics index of a table.", no_args_is_help=True)

BEHIND = 3
"""Exit code of `status --check` if files of the table are not in the index, which is no error."""
_SHOWN_FINDINGS = 20

KindsOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--index",
        metavar="COLUMN=KIND,…",
        help="What is kept of a column: range, bloom, values(max=256) or none; * stands for the "
        "columns that are not named. May be repeated; without it, what the index had last: a range of every "
        "column at first.",
    ),
]
AfterCommitOption: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--after-commit",
        help="For programs that start an update after each commit and end: go on without them, one update "
        "of a table at a time, and leave the work to an update that waits already.",
    ),
]
QuorumOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--catalogue-quorum",
        metavar="HOST:PORT,…",
        envvar="HUDI_SKIP_CATALOGUE_QUORUM",
        help="Publish the table's partitions in this HBase afterwards, as `hudi-skip catalogue publish`. "
        "If that fails, it is a warning.",
    ),
]
CatalogueTableOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--catalogue-table",
        metavar="NAME",
        envvar="HUDI_SKIP_CATALOGUE_TABLE",
        help="The HBase table. Default: hudi_skip_partitions.",
        show_default=False,
    ),
]


@app.command()
def build(
    path: TableArgument,
    index: KindsOption = None,
    hudi_bundle: BundleOption = None,
    master: MasterOption = DEFAULT_MASTER,
    packages: PackagesOption = None,
    conf: ConfOption = None,
    json: JsonOption = False,
    quiet: QuietOption = False,
    catalogue_quorum: QuorumOption = None,
    catalogue_table: CatalogueTableOption = None,
) -> None:
    """Build the index anew from the footers of all base files."""
    catalogue = _catalogue(catalogue_quorum, catalogue_table)
    spark_options = SparkOptions(hudi_bundle, master, packages, conf)
    _publish(path, index, spark_options, catalogue, json, quiet, rebuild=True)


@app.command()
def update(
    path: TableArgument,
    index: KindsOption = None,
    hudi_bundle: BundleOption = None,
    master: MasterOption = DEFAULT_MASTER,
    packages: PackagesOption = None,
    conf: ConfOption = None,
    json: JsonOption = False,
    quiet: QuietOption = False,
    after_commit: AfterCommitOption = False,
    catalogue_quorum: QuorumOption = None,
    catalogue_table: CatalogueTableOption = None,
) -> None:
    """Bring the index up to date: only the footers of new base files are read."""
    catalogue = _catalogue(catalogue_quorum, catalogue_table)
    spark_options = SparkOptions(hudi_bundle, master, packages, conf)
    with _turn(path, after_commit) as ours:
        if ours:
            _publish(path, index, spark_options, catalogue, json, quiet, rebuild=False)
        elif not quiet:
            print("up to date soon: another update waits for its turn and will see the same commits")


@app.command()
def status(
    path: TableArgument,
    check: Annotated[
        bool, typer.Option("--check", help=f"End with exit code {BEHIND} if the index is behind the table.")
    ] = False,
    hudi_bundle: BundleOption = None,
    master: MasterOption = DEFAULT_MASTER,
    packages: PackagesOption = None,
    conf: ConfOption = None,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Compare the index with the table's files: how far it has come."""
    _require_index(path)
    with (
        _expected_errors(),
        spark_for(SparkOptions(hudi_bundle, master, packages, conf), quiet) as (spark, _),
    ):
        from pycompiler.spark.inspection import status as index_status

        found = index_status(spark, path)
    if json:
        print_json({"path": path, **asdict(found), "up_to_date": found.up_to_date})
    elif not quiet:
        _print_status(path, found)
    if check and not found.up_to_date:
        raise typer.Exit(BEHIND)


def _print_status(path: str, found: IndexStatus) -> None:
    state = "up to date" if found.up_to_date else f"behind; run: hudi-skip index update {path}"
    print_fields(
        {
            "table": f"{found.table} ({path})",
            "index": state,
            "generation": f"{found.generation}, published {found.created_at} by {found.writer}",
            "instant": f"{found.instant} (the table's last: {found.table_instant})",
            "files indexed": f"{found.files_indexed} of {found.files}",
            "files gone": f"{found.files_gone} (their rows go with: hudi-skip index compact {path})",
            "columns": found.columns,
            "size": f"{found.records} rows, {found.bytes} bytes in {found.data_files} files",
            "of these": ", ".join(f"{kind} {size} bytes" for kind, size in found.bytes_of_kinds.items()),
        }
    )


@app.command()
def verify(
    path: TableArgument,
    hudi_bundle: BundleOption = None,
    master: MasterOption = DEFAULT_MASTER,
    packages: PackagesOption = None,
    conf: ConfOption = None,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Read all footers again and compare every row of the index; exit code 1 if a row is wrong."""
    _require_index(path)
    with (
        _expected_errors(),
        spark_for(SparkOptions(hudi_bundle, master, packages, conf), quiet) as (spark, progress),
    ):
        from pycompiler.spark.inspection import verify as verify_index

        found = verify_index(spark, path, progress)
    if json:
        print_json({"path": path, **asdict(found), "sound": found.sound})
    elif not quiet:
        print_fields(
            {
                "rows compared": found.records,
                "rows wrong": found.wrong,
                "files gone": f"{found.files_gone} (harmless)",
                "files of another size": f"{found.files_resized} (never skipped)",
                "files without rows": f"{found.files_missing} (never skipped)",
            }
        )
        for finding in found.findings[:_SHOWN_FINDINGS]:
            print(f"  {finding.path}  {finding.column}: {finding.problem}")
        if len(found.findings) > _SHOWN_FINDINGS:
            print(f"  … {found.wrong - _SHOWN_FINDINGS} more")
    if not found.sound:
        typer.echo(
            f"error: {found.wrong} rows of the index are wrong; run: hudi-skip index build {path}", err=True
        )
        raise typer.Exit(1)


@app.command()
def compact(
    path: TableArgument,
    grace: Annotated[
        float,
        typer.Option(
            metavar="HOURS",
            min=0,
            help="Leave files alone that no generation lists until they are this old: a publisher that is at "
            "work may list them yet. With less than an update takes, one that runs now may fail.",
        ),
    ] = 24,
    hudi_bundle: BundleOption = None,
    master: MasterOption = DEFAULT_MASTER,
    packages: PackagesOption = None,
    conf: ConfOption = None,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Fold the index into one data file, drop rows of files that are gone, and remove what nobody lists."""
    _require_index(path)
    with (
        _expected_errors(),
        spark_for(SparkOptions(hudi_bundle, master, packages, conf), quiet) as (spark, _),
    ):
        from pycompiler.spark.compacting import compact_index

        done = compact_index(spark, path, grace * 3600)
    if json:
        print_json({"path": path, **asdict(done)})
        return
    if quiet:
        return
    state = (
        f"published generation {done.generation}" if done.published else f"compact already: {done.generation}"
    )
    print_fields(
        {
            "index": state,
            "data files": f"{done.data_files} (before: {done.data_files_before})",
            "files dropped": f"{done.files_dropped} (the table no longer has them)",
            "removed": f"{len(done.removed)} files",
            "kept for readers": f"{len(done.kept_for_readers)} files (the generation before: queries may be "
            "at it; they go with the publications after the next)",
            "kept in grace": f"{len(done.kept_in_grace)} files (nobody lists them; younger than {grace:g} h)",
        }
    )


def _turn(path: str, after_commit: bool) -> AbstractContextManager[bool]:
    if not after_commit:
        return nullcontext(True)
    from pycompiler.cli.after_commit import leave_session, turn

    leave_session()
    return turn(path)


def _catalogue(quorum: str | None, table: str | None) -> HBaseCatalogue | None:
    return None if quorum is None else hbase_catalogue(quorum, table)


def _publish(
    path: str,
    index: list[str] | None,
    spark_options: SparkOptions,
    catalogue: HBaseCatalogue | None,
    json: bool,
    quiet: bool,
    *,
    rebuild: bool,
) -> None:
    checked(path)
    from pycompiler.index.options import IndexOptions, parse_assignments

    with _expected_errors():
        options = IndexOptions(parse_assignments(index)) if index else None
    with _expected_errors(), spark_for(spark_options, quiet) as (spark, progress):
        from pycompiler.spark.index_creator import IndexCreator

        creator = IndexCreator(spark, options, progress, catalogue)
        result = creator.build(path) if rebuild else creator.update(path)
    if json:
        print_json({"path": path, **asdict(result)})
    elif not quiet:
        print(_sentence(result, rebuild))


def _sentence(result: IndexUpdate, rebuild: bool) -> str:
    if not result.published:
        return f"up to date: generation {result.generation}, {result.files} files, nothing to do"
    is_plain = rebuild or result.listed_because is None
    listed = "" if is_plain else f"; all files were listed: {result.listed_because}"
    return (
        f"published generation {result.generation}: {result.files_added} of {result.files} files read, "
        f"{result.records} rows, instant {result.instant}, {result.seconds:.1f} s{listed}"
    )


def _require_index(path: str) -> None:
    """Fails before Spark is started if there is no index to look at."""
    from pycompiler.index.index import StatisticsIndex

    with _expected_errors():
        StatisticsIndex.open(checked(path))


def _expected_errors() -> AbstractContextManager[None]:
    from pycompiler.index.errors import IndexUnavailableError, PublishError
    from pycompiler.index.options import IndexOptionsError
    from pycompiler.index.storage.errors import UnsupportedStorageError
    from pycompiler.spark.errors import NotAHudiTableError, UnsupportedTableError
    from pycompiler.statistics.errors import FooterError

    return expecting(
        FooterError,
        IndexOptionsError,
        IndexUnavailableError,
        NotAHudiTableError,
        PublishError,
        UnsupportedStorageError,
        UnsupportedTableError,
        OSError,
    )
