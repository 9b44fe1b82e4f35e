"""Downloads from a real HTTP server, as a Maven repository is one."""

import hashlib
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from pycompiler.hive.server.artefacts import CACHE_VARIABLE, REPOSITORY_VARIABLE, ArtefactError, resolve

FIRST, SECOND = "org/example/a/1/a-1.jar", "com/example/b/2/b-2.jar"


@dataclass
class Repository:
    """What a server has, and what it was asked for.

    Attributes:
        files: Content by path.
        asked: Path and range of each request.
        cut_after: Bytes after which the server breaks off, if any.
        has_ranges: Whether it sends parts of files.
    """

    files: dict[str, bytes] = field(default_factory=dict)
    asked: list[tuple[str, str]] = field(default_factory=list)
    cut_after: int | None = None
    has_ranges: bool = True


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Repository]:
    """A server with two files; the user has an empty home and cache."""
    served = Repository({FIRST: b"first " * 1000, SECOND: b"second"})

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path, asked = self.path.removeprefix("/maven/"), self.headers.get("Range", "")
            served.asked.append((path, asked))
            content = served.files.get(path)
            if content is None:
                self.send_error(404)
                return
            begin = int(asked.removeprefix("bytes=").removesuffix("-")) if asked and served.has_ranges else 0
            self.send_response(206 if begin else 200)
            self.send_header("Content-Length", str(len(content) - begin))
            self.end_headers()
            self.wfile.write(content[begin : served.cut_after])

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setenv(REPOSITORY_VARIABLE, f"http://127.0.0.1:{server.server_port}/maven/")
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    yield served
    server.shutdown()
    server.server_close()


@pytest.fixture
def lock(tmp_path: Path, repository: Repository) -> Path:
    """A lock file of both, in the opposite order of their names."""
    lines = [
        f"{path} {hashlib.sha256(content).hexdigest()} {len(content)}\n"
        for path, content in repository.files.items()
    ]
    file = tmp_path / "hiveserver.lock"
    file.write_text("".join(lines), encoding="utf-8")
    return file


def test_missing_jars_are_downloaded_once_in_the_order_of_the_lock(
    lock: Path, repository: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    jars = resolve(lock)
    assert [jar.read_bytes() for jar in jars] == list(repository.files.values())
    assert "2 jars for hiveserver, 0 MB, from http://127.0.0.1" in capsys.readouterr().err
    assert resolve(lock) == jars
    assert len(repository.asked) == 2
    assert capsys.readouterr().err == "", "nothing to download, nothing to say"


@pytest.mark.parametrize("has_ranges", [True, False])
def test_a_download_that_broke_off_goes_on(lock: Path, repository: Repository, has_ranges: bool) -> None:
    repository.cut_after, repository.has_ranges = 4000, has_ranges
    with pytest.raises(ArtefactError, match=rf"{FIRST}.*again to continue"):
        resolve(lock)
    repository.cut_after = None
    repository.asked.clear()
    assert resolve(lock)[0].read_bytes() == repository.files[FIRST]
    assert (FIRST, "bytes=4000-") in repository.asked


def test_another_file_than_the_locked_one_is_never_kept(lock: Path, repository: Repository) -> None:
    right = repository.files[FIRST]
    repository.files[FIRST] = right.replace(b"first", b"wrong")
    with pytest.raises(ArtefactError, match=rf"{FIRST}.*SHA-256 differs"):
        resolve(lock)
    repository.files[FIRST] = right
    assert resolve(lock)[0].read_bytes() == right


def test_without_a_repository_the_message_says_what_to_do(
    lock: Path, repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(REPOSITORY_VARIABLE, "http://127.0.0.1:1")
    with pytest.raises(ArtefactError, match=rf"cannot download .*refused.*{REPOSITORY_VARIABLE}"):
        resolve(lock)


def test_the_local_maven_repository_is_used_where_it_has_the_locked_file(
    lock: Path, repository: Repository, tmp_path: Path
) -> None:
    for path, content in ((FIRST, repository.files[FIRST]), (SECOND, b"2econd")):
        local = tmp_path / "home" / ".m2" / "repository" / path
        local.parent.mkdir(parents=True)
        local.write_bytes(content)
    assert [jar.read_bytes() for jar in resolve(lock)] == list(repository.files.values())
    assert [path for path, _ in repository.asked] == [SECOND]
