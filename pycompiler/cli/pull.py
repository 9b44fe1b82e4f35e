"""`hudi-skip pull`: what came into a Hudi table, into a table of Hive's own."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pycompiler.cli.errors import CommandError, expecting
from pycompiler.cli.output import JsonOption, print_json


def pull(
    hive: Annotated[
        str, typer.Option("--hive", metavar="HOST:PORT", help="HiveServer2.", show_default=False)
    ],
    source: Annotated[
        str, typer.Option("--source", metavar="DB.TABLE", help="The Hudi table in Hive.", show_default=False)
    ],
    target: Annotated[
        str,
        typer.Option(
            "--target", metavar="DB.TABLE", help="Written; created if it is not there.", show_default=False
        ),
    ],
    sql: Annotated[
        Path,
        typer.Option(
            "--sql", metavar="FILE", help="A SELECT that reads the source as DB.TABLE.", show_default=False
        ),
    ],
    start: Annotated[
        str,
        typer.Option("--from", metavar="INSTANT", help="Where to begin: an instant, 0, or last."),
    ] = "last",
    max_commits: Annotated[
        int, typer.Option("--max-commits", metavar="N", help="Commits of one pull; -1 for all.")
    ] = -1,
    user: Annotated[
        str | None, typer.Option("--user", help="User of the session.", show_default=False)
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be done.")] = False,
    json: JsonOption = False,
) -> None:
    """Pull the rows that commits have written since the last pull, through HiveServer2."""
    from pycompiler.index.storage.errors import UnsupportedStorageError
    from pycompiler.pull.errors import PullError
    from pycompiler.pull.puller import Pull
    from pycompiler.pull.puller import pull as pull_commits
    from pycompiler.pull.query import checked_query
    from pycompiler.pull.session import HiveSession
    from pycompiler.table.errors import TableUnreadableError

    if max_commits == 0 or max_commits < -1:
        raise CommandError("--max-commits: give a number of commits, or -1 for all")
    with expecting(PullError, TableUnreadableError, UnsupportedStorageError, OSError):
        query = checked_query(sql.read_text(encoding="utf-8"), source, target)
        with HiveSession.connect(hive, user) as session:
            done = pull_commits(session, Pull(source, target, query, start, max_commits), dry_run=dry_run)
    found = done.commits
    if json:
        print_json(
            {
                "commits": 0 if found is None else found.commits,
                "after": None if found is None else found.after,
                "until": None if found is None else found.until,
                "by": None if found is None else ("completion" if found.by_completion else "requested"),
                "stopped_before": done.pending or None,
                "statement": done.statement or None,
                "dry_run": dry_run,
            }
        )
        return
    if found is None:
        print("nothing to pull")
    else:
        what = f"{found.commits} commit{'s' * (found.commits != 1)} after {found.after} until {found.until}"
        print(f"would pull {what}:\n{done.statement}" if dry_run else f"pulled {what}")
    if done.pending:
        print(
            f"stopped before {done.pending}, a write that is under way: pull again when it has completed, or"
            " roll it back if its writer has failed"
        )
