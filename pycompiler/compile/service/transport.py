"""Where the service listens: an owner-only Unix domain socket, or a loopback port."""

import contextlib
import errno
import fcntl
import ipaddress
import os
import socket
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from pycompiler.errors import HudiSkipError

LOOPBACK = "127.0.0.1"

_BACKLOG = 128
_SOCKET_NAME = "compiler.sock"
# sockaddr_un.sun_path holds 108 bytes on Linux and 104 on macOS, with the closing NUL.
_MAX_PATH_BYTES = 103


class ListenError(HudiSkipError):
    """The service cannot listen at the given address; the message says why."""


class Listener(NamedTuple):
    """A listening socket, and its address for clients: `unix:/path` or `host:port`."""

    socket: socket.socket
    address: str


@contextlib.contextmanager
def listen_unix(path: Path | None = None) -> Iterator[Listener]:
    """Listens on a Unix domain socket that only its owner can access, and removes it at the end.

    A missing directory is created with mode 0700; without a path, it is a temporary one. A socket that nobody
    listens on is replaced.

    Raises:
        ListenError: The path is too long, other users can access the directory, or the path is taken by a
            running service or another kind of file.
    """
    with contextlib.ExitStack() as at_end:
        if path is None:
            path = Path(tempfile.mkdtemp(prefix="hudi-skip-")) / _SOCKET_NAME
            is_new = True
        else:
            path = Path(os.path.abspath(path))
            is_new = _make_private(path.parent)
        if is_new:
            at_end.callback(_remove_empty, path.parent)
        if len(os.fsencode(path)) > _MAX_PATH_BYTES:
            raise ListenError(
                f"the socket path is longer than {_MAX_PATH_BYTES} bytes; choose a shorter one: {path}"
            )
        try:
            with _locked(path.parent):
                _require_private(path.parent)
                _remove_stale(path)
                sock = at_end.enter_context(_bind_owner_only(path))
        except OSError as error:
            raise ListenError(f"cannot listen on {path}: {error.strerror or error}") from error
        at_end.callback(_remove_own, path, _identity(path))
        yield Listener(sock, f"unix:{path}")


@contextlib.contextmanager
def listen_loopback(port: int, host: str = LOOPBACK) -> Iterator[Listener]:
    """Listens until the end on a TCP port, or a free one for 0, that only this machine can reach.

    Any local user can connect to it; if that matters, use `listen_unix`.

    Raises:
        ListenError: The host is not a loopback address, or the port is in use.
    """
    try:
        ip = ipaddress.ip_address(host)
    except ValueError:
        ip = None
    if ip is None or not ip.is_loopback:
        raise ListenError(
            f"refusing to listen on {host}: only a loopback address such as {LOOPBACK} is allowed"
        )
    family = socket.AF_INET if ip.version == 4 else socket.AF_INET6
    with socket.socket(family, socket.SOCK_STREAM) as sock:
        try:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            sock.bind((host, port))
            sock.listen(_BACKLOG)
        except (OSError, OverflowError) as error:
            taken = isinstance(error, OSError) and error.errno == errno.EADDRINUSE
            reason = "the port is in use; choose another, or 0 for a free one" if taken else str(error)
            raise ListenError(f"cannot listen on {host}:{port}: {reason}") from error
        shown = host if ip.version == 4 else f"[{host}]"
        yield Listener(sock, f"{shown}:{sock.getsockname()[1]}")


def _make_private(directory: Path) -> bool:
    """Creates the last directory of the path with mode 0700, and returns True; False if it exists."""
    try:
        directory.mkdir(mode=0o700)
    except FileExistsError:
        return False
    except OSError as error:
        raise ListenError(f"cannot create the directory {directory}: {error.strerror}") from error
    return True


def _require_private(directory: Path) -> None:
    status = directory.stat()
    if status.st_uid != os.getuid():
        raise ListenError(f"the socket's directory belongs to another user: {directory}")
    if stat.S_IMODE(status.st_mode) & 0o077:
        raise ListenError(
            f"other users can access {directory}; put the socket in a directory of its own, with mode 0700"
        )


@contextlib.contextmanager
def _locked(directory: Path) -> Iterator[None]:
    """Keeps two services that start at once from taking each other's fresh socket for a stale one."""
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _remove_stale(path: Path) -> None:
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return
    if not stat.S_ISSOCK(mode):
        raise ListenError(f"{path} exists and is not a socket; remove it or choose another path")
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(1.0)
        try:
            probe.connect(str(path))
        except ConnectionRefusedError:
            path.unlink()
            return
        except OSError as error:  # a full backlog also means a live service
            raise ListenError(f"{path} is in use: {error}") from error
    raise ListenError(f"{path} is in use by a running service; stop it or choose another path")


def _bind_owner_only(path: Path) -> socket.socket:
    sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    previous = os.umask(0o177)
    try:
        sock.bind(str(path))
        sock.listen(_BACKLOG)
    except OSError:
        sock.close()
        raise
    finally:
        os.umask(previous)
    return sock


def _remove_empty(directory: Path) -> None:
    with contextlib.suppress(OSError):  # gone already, or in use
        directory.rmdir()


def _remove_own(path: Path, identity: tuple[int, int, int] | None) -> None:
    # Another service may have taken over the path since: its socket must stay.
    if _identity(path) == identity:
        path.unlink(missing_ok=True)


def _identity(path: Path) -> tuple[int, int, int] | None:
    try:
        status = path.lstat()
    except FileNotFoundError:
        return None
    # Inode numbers are reused; the time distinguishes two sockets with the same number.
    return status.st_dev, status.st_ino, status.st_mtime_ns
