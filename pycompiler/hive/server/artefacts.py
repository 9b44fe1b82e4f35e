"""Jars of a Maven repository, by a lock file: found on this machine, or downloaded and checked."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import http.client
import os
import shutil
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pycompiler.hive.server.errors import HiveServerError

REPOSITORY_VARIABLE: Final = "HUDI_SKIP_MAVEN_REPOSITORY"
"""Environment variable for the address of the Maven repository."""

CENTRAL: Final = "https://repo1.maven.org/maven2"
"""Maven Central, the default."""

CACHE_VARIABLE: Final = "HUDI_SKIP_CACHE"
"""Environment variable for the directory in which downloaded jars are kept."""

_CHUNK: Final = 1 << 20
_CONNECTIONS: Final = 4
_SECONDS: Final = 60.0
_LOCAL_REPOSITORY: Final = Path("~/.m2/repository")


class ArtefactError(HiveServerError):
    """A jar cannot be had. The message says which, why, and what to do."""


@dataclass(frozen=True, slots=True)
class Artefact:
    """One file of a Maven repository: its path in any of them, SHA-256 as hexadecimal digits, and bytes."""

    path: str
    sha256: str
    size: int

    @classmethod
    def parse(cls, line: str) -> Artefact:
        """From a line of a lock file: path, SHA-256 and size, separated by blanks; else raises ValueError."""
        path, sha256, size = line.split()
        return cls(path, sha256, int(size))

    def is_stored_in(self, file: Path) -> bool:
        """Whether a file has exactly this content."""
        return _size(file) == self.size and _sha256(file) == self.sha256


def resolve(lock: Path) -> list[Path]:
    """The files of a lock file, in its order.

    They are kept in the user's cache, to which only checked files are added: from the local Maven repository,
    or downloaded. If there is something to download, a line on stderr says how much.

    Raises:
        ArtefactError: A file cannot be had.
    """
    artefacts = [Artefact.parse(line) for line in lock.read_text(encoding="utf-8").splitlines()]
    cache = cache_directory()
    with _locked(cache):
        local = _LOCAL_REPOSITORY.expanduser()
        missing = [
            artefact
            for artefact in artefacts
            if _size(cache / artefact.path) != artefact.size and not _adopted(local, cache, artefact)
        ]
        if missing:
            _download(missing, cache, lock.stem)
    return [cache / artefact.path for artefact in artefacts]


def cache_directory() -> Path:
    """Where jars are kept: `HUDI_SKIP_CACHE`, or else the user's cache directory."""
    named = os.environ.get(CACHE_VARIABLE)
    base = Path(named) if named else Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache") / "hudi-skip"
    return base.expanduser().absolute() / "maven"


def repository() -> str:
    """The address of the Maven repository, without a final slash."""
    return (os.environ.get(REPOSITORY_VARIABLE) or CENTRAL).rstrip("/")


@contextlib.contextmanager
def _locked(cache: Path) -> Iterator[None]:
    """Lets one process at a time fill the cache."""
    try:
        cache.mkdir(parents=True, exist_ok=True)
        lock = (cache / ".lock").open("w")
    except OSError as error:
        raise ArtefactError(
            f"cannot write to {cache} ({error.strerror}); set {CACHE_VARIABLE} to a directory for jars"
        ) from error
    with lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _adopted(local: Path, cache: Path, artefact: Artefact) -> bool:
    """Takes a file from the local Maven repository, if it is there and right."""
    source, target = local / artefact.path, cache / artefact.path
    if not artefact.is_stored_in(source):
        return False
    target.parent.mkdir(parents=True, exist_ok=True)
    target.unlink(missing_ok=True)
    try:
        target.hardlink_to(source)
    except OSError:  # another file system
        partial = _partial(target)
        shutil.copyfile(source, partial)
        partial.replace(target)
    return True


def _download(artefacts: Sequence[Artefact], cache: Path, name: str) -> None:
    total = sum(artefact.size for artefact in artefacts)
    print(
        f"hudi-skip: downloading {len(artefacts)} jars for {name}, {total / 1e6:.0f} MB, from {repository()} "
        f"to {cache}; this is needed once",
        file=sys.stderr,
        flush=True,
    )
    stop = threading.Event()
    with ThreadPoolExecutor(_CONNECTIONS) as pool:
        transfers = [pool.submit(_fetch, artefact, cache / artefact.path, stop) for artefact in artefacts]
        try:
            for transfer in transfers:
                transfer.result()
        except BaseException:
            stop.set()
            pool.shutdown(cancel_futures=True)
            raise


def _fetch(artefact: Artefact, target: Path, stop: threading.Event) -> None:
    """Downloads one file, continuing after the bytes that an interrupted run left."""
    target.parent.mkdir(parents=True, exist_ok=True)
    partial = _partial(target)
    if (_size(partial) or 0) >= artefact.size:
        partial.unlink()
    address = f"{repository()}/{artefact.path}"
    begin = _size(partial) or 0
    request = urllib.request.Request(address, headers={"Range": f"bytes={begin}-"} if begin else {})
    try:
        with urllib.request.urlopen(request, timeout=_SECONDS) as response:
            # A server without ranges sends the whole file.
            mode = "ab" if begin and response.status == http.client.PARTIAL_CONTENT else "wb"
            with partial.open(mode) as file:
                while not stop.is_set() and (chunk := response.read(_CHUNK)):
                    file.write(chunk)
    except (OSError, http.client.HTTPException, ValueError) as error:
        reason = error.reason if isinstance(error, urllib.error.URLError) else error
        raise ArtefactError(
            f"cannot download {address}: {reason}. Run the command again to continue; behind a firewall, set "
            f"{REPOSITORY_VARIABLE} to the address of a Maven repository that this machine reaches, or copy "
            f"{cache_directory()} from a machine that has it"
        ) from error
    if stop.is_set():
        return
    if not artefact.is_stored_in(partial):
        found = _size(partial)
        if found is not None and found < artefact.size:
            raise ArtefactError(
                f"{address} ended after {found} of {artefact.size} bytes; run the command again to continue"
            )
        partial.unlink(missing_ok=True)
        raise ArtefactError(
            f"{address} is not the file that this release was built with: its SHA-256 differs; set "
            f"{REPOSITORY_VARIABLE} to a repository that has the original"
        )
    partial.replace(target)


def _partial(target: Path) -> Path:
    return target.with_name(target.name + ".part")


def _size(file: Path) -> int | None:
    try:
        return file.stat().st_size
    except FileNotFoundError:
        return None


def _sha256(file: Path) -> str:
    with file.open("rb") as content:
        digest = hashlib.sha256()
        while chunk := content.read(_CHUNK):
            digest.update(chunk)
        return digest.hexdigest()
