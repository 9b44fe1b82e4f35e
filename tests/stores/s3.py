"""A server of S3's protocol in a process of its own: `python -m tests.stores.s3 PORT_FILE [careless]`.

It answers one request after the other, so that a put-if-absent is one step, as it is in S3. A careless one
takes no notice of If-None-Match, as some endpoints do.
"""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import make_server

from .processes import running, wait_until_up

_ROOT = Path(__file__).resolve().parents[2]


@contextmanager
def running_s3(home: Path, *, careless: bool = False) -> Iterator[str]:
    """Starts an empty server, and kills it at the end; yields its address, as AWS_ENDPOINT_URL takes it."""
    home.mkdir(parents=True)
    port, log = home / "port", home / "s3.log"
    command = [sys.executable, "-m", "tests.stores.s3", str(port), *(["careless"] if careless else [])]
    with running(command, log, cwd=_ROOT) as process:
        yield f"http://127.0.0.1:{wait_until_up(process, log, lambda: _port(port))}"


def _port(file: Path) -> str | None:
    """What the server has written there, once the line is whole."""
    text = file.read_text(encoding="ascii") if file.is_file() else ""
    return text.strip() if text.endswith("\n") else None


def environment_of(address: str) -> dict[str, str]:
    """What names a server to all clients of S3 in a process."""
    return {
        "AWS_ENDPOINT_URL": address,
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test",
        "AWS_REGION": "us-east-1",
        "AWS_DEFAULT_REGION": "us-east-1",
    }


def _serve(port_file: Path, careless: bool) -> None:
    application: Any = DomainDispatcherApplication(create_backend_app)
    server = make_server("127.0.0.1", 0, _careless(application) if careless else application, threaded=False)
    port_file.write_text(f"{server.port}\n", encoding="ascii")
    server.serve_forever()


def _careless(application: Callable[..., Any]) -> Callable[..., Any]:
    def answer(environ: dict[str, Any], start: Any) -> Any:
        environ.pop("HTTP_IF_NONE_MATCH", None)
        return application(environ, start)

    return answer


if __name__ == "__main__":
    os.environ.setdefault("AWS_DEFAULT_REGION", "us-east-1")
    _serve(Path(sys.argv[1]), sys.argv[2:] == ["careless"])
