"""`hudi-skip pull`: copies new rows of a Hudi table into a native Hive table."""

from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from pycompiler.tools.cli.arguments import HiveOption, JsonOption, UserOption, sql_text
from pycompiler.tools.cli.console.output import show
from pycompiler.tools.cli.errors import CommandError


def pull(
    hive: HiveOption,
    source: Annotated[str, typer.Option(metavar="DB.TABLE", help="Hudi table to read.")],
    target: Annotated[str, typer.Option(metavar="DB.TABLE", help="Table to write; created if missing.")],
    sql: Annotated[
        Path, typer.Option(metavar="FILE", help="File with a SELECT that reads the source table.")
    ],
    start: Annotated[
        str,
        typer.Option(
            "--from",
            metavar="INSTANT",
            help="Where to start: an instant, 0 (the beginning) or last (the end of the last pull).",
        ),
    ] = "last",
    max_commits: Annotated[
        int, typer.Option(metavar="N", help="Maximum number of commits; -1 for all.")
    ] = -1,
    user: UserOption = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only print what would be done.")] = False,
    json: JsonOption = False,
) -> None:
    """Copy the rows that commits wrote since the last pull into another table, through HiveServer2."""
    from pycompiler.hive.client.session import HiveSession
    from pycompiler.tools.pull.puller import Pull
    from pycompiler.tools.pull.puller import pull as pull_commits
    from pycompiler.tools.pull.query import checked_query

    if max_commits == 0 or max_commits < -1:
        raise CommandError("--max-commits: expected a positive number of commits, or -1 for all")
    query = checked_query(sql_text(sql), source, target)
    with closing(HiveSession(hive, user)) as session:
        done = pull_commits(session, Pull(source, target, query, start, max_commits), dry_run=dry_run)
    found = done.commits
    document = {
        "commits": 0 if found is None else found.commits,
        "after": None if found is None else found.after,
        "until": None if found is None else found.until,
        "by": None if found is None else ("completion" if found.by_completion else "requested"),
        "stopped_before": done.pending or None,
        "statement": done.statement or None,
        "dry_run": dry_run,
    }
    line = "nothing to pull"
    if found is not None:
        what = f"{found.commits} commit{'s' * (found.commits != 1)} after {found.after} until {found.until}"
        line = f"would pull {what}:\n{done.statement}" if dry_run else f"pulled {what}"
    pending = (
        f"stopped before {done.pending}, a write in progress: pull again when it has completed, or"
        " roll it back if its writer has failed"
    )
    show(document, [line, pending] if done.pending else [line], json=json)
