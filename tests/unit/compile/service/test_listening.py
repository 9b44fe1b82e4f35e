import os
import stat
from contextlib import ExitStack
from pathlib import Path

import pytest

from pycompiler.compile.service.transport import ListenError, listen_loopback, listen_unix


@pytest.fixture
def private(tmp_path: Path) -> Path:
    directory = tmp_path / "private"
    directory.mkdir(mode=0o700)
    return directory


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_socket_and_new_directory_are_for_the_owner_only_and_gone_at_the_end(tmp_path: Path) -> None:
    path = tmp_path / "run" / "compiler.sock"
    previous = os.umask(0)
    try:
        with listen_unix(path) as listener:
            assert listener.address == f"unix:{path}"
            assert mode(path.parent) == 0o700
            assert mode(path) & 0o077 == 0, "other users must not be able to connect"
    finally:
        os.umask(previous)
    assert not path.parent.exists(), "the directory that the service made goes with it"


def test_a_directory_that_was_there_stays(private: Path) -> None:
    with listen_unix(private / "s"):
        pass
    assert list(private.iterdir()) == []


def test_the_socket_of_a_successor_is_not_removed(private: Path) -> None:
    path = private / "s"
    with ExitStack() as second:
        with listen_unix(path) as first:
            first.socket.close()  # as if it had crashed
            second.enter_context(listen_unix(path))
        assert path.exists(), "the path belongs to the second service by now"


@pytest.mark.parametrize("open_mode", [0o750, 0o701, 0o777])
def test_a_directory_that_others_may_enter_is_refused(private: Path, open_mode: int) -> None:
    private.chmod(open_mode)
    with pytest.raises(ListenError, match="mode 0700"), listen_unix(private / "s"):
        pass


def test_a_file_in_the_way_is_refused_and_kept(private: Path) -> None:
    path = private / "s"
    path.write_text("precious")
    with pytest.raises(ListenError, match="not a socket"), listen_unix(path):
        pass
    assert path.read_text() == "precious"


def test_a_path_too_long_for_a_socket_is_refused_and_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(ListenError, match="longer than"), listen_unix(tmp_path / ("d" * 100) / "s"):
        pass
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "localhost", "example.org", ""])
def test_only_loopback_addresses_are_listened_on(host: str) -> None:
    with pytest.raises(ListenError, match="only a loopback address"), listen_loopback(0, host):
        pass
