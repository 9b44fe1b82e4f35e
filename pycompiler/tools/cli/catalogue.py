"""`hudi-skip catalogue …`: publishes a table's partitions to HBase."""

from dataclasses import asdict
from typing import Annotated, Final

import typer

from pycompiler.tools.cli.arguments import JsonOption, TableArgument, checked
from pycompiler.tools.cli.console.output import aligned, show

KIND: Final = "hbase"
"""Entry point of the catalogue that the options refer to."""

app = typer.Typer(help="Publish a table's partitions to HBase.", no_args_is_help=True)


@app.command()
def publish(
    path: TableArgument,
    quorum: Annotated[str, typer.Option(metavar="HOST:PORT,…", help="HBase's ZooKeeper servers.")],
    table: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="HBase table, created if missing. Default: hudi_skip_partitions."),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Publish the partitions in the table's index to HBase.

    Queries read them there if hudi.skipping.catalogue=hbase is set.
    """
    from pycompiler.table.catalogue.interface import open_catalogue

    published = open_catalogue(KIND, quorum, table).publish(checked(path))
    lines = aligned(
        {
            "table": path,
            "partitions": f"{published.partitions}, {published.unkeyed} of them without a key",
            "generation": f"{published.generation} of the index",
            "publication": published.publication,
        }
    )
    show({"path": path, **asdict(published)}, lines, json=json)
