"""Serialises updates that commits start: one runs, one waits, and together they cover the last commit."""

import fcntl
import getpass
import hashlib
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from pycompiler.index.file_systems.location import Location
from pycompiler.tools.cli.errors import CommandError


def leave_session() -> None:
    """Detaches this process from the terminal and process group of its parent."""
    # A process group leader is not a job of its parent.
    with suppress(PermissionError):
        os.setsid()


@contextmanager
def turn(table: str) -> Iterator[bool]:
    """Waits for other updates of the table that this user started on this machine.

    Yields:
        True when it is this process's turn; False at once if another process is already waiting. That one has
        not looked at the table yet, so it will cover the commits that this process was started for.
    """
    with _lock_file(table, "waiting") as waiting:
        try:
            fcntl.flock(waiting, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
            return
        with _lock_file(table, "working") as working:
            fcntl.flock(working, fcntl.LOCK_EX)
            # From here on, this update may miss a commit, so the next process must wait itself.
            waiting.close()
            yield True


def _lock_file(table: str, kind: str) -> IO[bytes]:
    folder = Path(tempfile.gettempdir()) / f"hudi-skip-{getpass.getuser()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    if folder.stat().st_uid != os.getuid():
        raise CommandError(f"{folder} belongs to another user; set TMPDIR to a directory of your own")
    location = Location.parse(table)
    where = os.path.realpath(location.path) if location.is_local else str(location)
    key = hashlib.sha256(where.encode()).hexdigest()[:32]
    # The file is never removed: otherwise two processes could lock two files of the same name.
    return open(folder / f"{key}.{kind}", "wb")
