"""Turns of the updates that commits start: one at work, one waiting, and the last commit is covered."""

from __future__ import annotations

import fcntl
import getpass
import hashlib
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from pycompiler.cli.errors import CommandError
from pycompiler.index.storage.location import Location


def leave_session() -> None:
    """Makes this process independent of the terminal and the process group of whoever started it."""
    # A process that leads its group already is nobody's child job.
    with suppress(PermissionError):
        os.setsid()


@contextmanager
def turn(table: str) -> Iterator[bool]:
    """Waits until no other update of the table, started on this machine by this user, is at work.

    Yields:
        True when it is this process's turn; False at once when another one waits already. That one has not
        looked at the table yet, so it will see every commit that this process was started for.
    """
    with _lock_file(table, "waiting") as waiting:
        if not _try_lock(waiting):
            yield False
            return
        with _lock_file(table, "working") as working:
            fcntl.flock(working, fcntl.LOCK_EX)
            # From here on a commit may be too late for this update, so the next one has to wait itself.
            waiting.close()
            yield True


def _lock_file(table: str, kind: str) -> IO[bytes]:
    folder = Path(tempfile.gettempdir()) / f"hudi-skip-{getpass.getuser()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    if folder.stat().st_uid != os.getuid():
        raise CommandError(f"{folder} belongs to another user; set TMPDIR to a directory of your own")
    # Kept when it is unlocked: were it removed, two processes could lock two files of one name.
    return open(folder / f"{_key(table)}.{kind}", "wb")


def _key(table: str) -> str:
    location = Location.parse(table)
    where = os.path.realpath(location.path) if location.is_local else str(location)
    return hashlib.sha256(where.encode()).hexdigest()[:32]


def _try_lock(file: IO[bytes]) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
