"""`hudi-skip catalogue …`: a table's partitions in HBase."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from pycompiler.cli.errors import expecting
from pycompiler.cli.output import JsonOption, print_fields, print_json
from pycompiler.cli.table_path import TableArgument, checked

if TYPE_CHECKING:
    from pycompiler.catalogue.hbase import HBaseCatalogue

app = typer.Typer(help="Keep the partitions of a table in HBase.", no_args_is_help=True)


@app.callback()
def group() -> None:
    """Keep the partitions of a table in HBase."""


def hbase_catalogue(quorum: str, table: str | None) -> HBaseCatalogue:
    """The catalogue that options name; None for the table stands for the one that Hive asks by default."""
    from pycompiler.catalogue.hbase import DEFAULT_TABLE, HBaseCatalogue

    return HBaseCatalogue(quorum, table or DEFAULT_TABLE)


@app.command()
def publish(
    path: TableArgument,
    quorum: Annotated[
        str,
        typer.Option("--quorum", metavar="HOST:PORT,…", help="HBase's ZooKeepers.", show_default=False),
    ],
    table: Annotated[
        str | None,
        typer.Option(
            "--table",
            metavar="NAME",
            help="The HBase table, created if it is not there. Default: hudi_skip_partitions.",
            show_default=False,
        ),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Publish the partitions that the table's index has, for hudi.skipping.catalogue=hbase in Hive."""
    from pycompiler.catalogue.errors import CatalogueError

    with expecting(CatalogueError):
        published = hbase_catalogue(quorum, table).publish(checked(path))
    if json:
        print_json({"path": path, **asdict(published)})
    else:
        print_fields(
            {
                "table": path,
                "partitions": f"{published.partitions}, {published.unkeyed} of them without a key",
                "generation": f"{published.generation} of the index",
                "publication": published.publication,
            }
        )
