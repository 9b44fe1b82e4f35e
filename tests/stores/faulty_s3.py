"""A server of S3's protocol that counts requests, refuses some as if overloaded, and loses answers.

Moto answers, one request after the other: a put-if-absent is one step, as it is in S3.
"""

import logging
import random
import socket
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final
from urllib.parse import parse_qs

from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import make_server

from pycompiler.index.file_systems.interface import INDEX_FOLDER

_HOST: Final = "127.0.0.1"
_SLOW_DOWN: Final = (
    b'<?xml version="1.0" encoding="UTF-8"?><Error><Code>SlowDown</Code>'
    b"<Message>Please reduce your request rate.</Message></Error>"
)


class Fate(Enum):
    """What became of a request."""

    ANSWERED = "answered"
    THROTTLED = "throttled"
    """Refused with 503 SlowDown; nothing was done."""
    LOST = "lost"
    """Done, but the connection was closed without an answer."""


@dataclass(frozen=True, slots=True)
class Request:
    """A request of a client.

    Attributes:
        verb: `GET`, `HEAD`, `PUT`, `POST` or `DELETE`; `LIST` for a page of names.
        key: The object; for `LIST` the prefix of the names.
        is_create: Whether it must not replace an object, `If-None-Match: *`.
    """

    verb: str
    key: str
    is_create: bool

    @property
    def kind(self) -> str:
        """The part of a table that the object belongs to: `index`, `metadata table`, `timeline` or `data`."""
        key = f"{self.key}/"
        if f"/{INDEX_FOLDER}/" in key:
            return "index"
        if "/.hoodie/metadata/" in key:
            return "metadata table"
        return "timeline" if "/.hoodie/" in key else "data"

    @staticmethod
    def of(environ: dict[str, Any]) -> "Request":
        """The request of a WSGI environment; its path begins with the bucket."""
        query = parse_qs(environ.get("QUERY_STRING", ""), keep_blank_values=True)
        key = environ["PATH_INFO"].lstrip("/").partition("/")[2]
        verb = environ["REQUEST_METHOD"]
        if verb == "GET" and not key and "prefix" in query:
            verb, key = "LIST", query["prefix"][0].rstrip("/")
        return Request(verb, key, environ.get("HTTP_IF_NONE_MATCH") == "*")


@dataclass(frozen=True, slots=True)
class Faults:
    """What goes wrong.

    Attributes:
        throttled: Share of all requests that are refused, from 0 to 1.
        loses: Whether the answer to a request is lost; asked only if the request was not refused.
        seed: Of the random choice of refused requests.
    """

    throttled: float = 0.0
    loses: Callable[[Request], bool] = lambda _: False
    seed: int = 0


def first_of_each(wanted: Callable[[Request], bool]) -> Callable[[Request], bool]:
    """Chooses the first of equal requests, if it is wanted: the client's next try is answered."""
    seen: set[Request] = set()

    def is_first(request: Request) -> bool:
        if request in seen or not wanted(request):
            return False
        seen.add(request)
        return True

    return is_first


class Store:
    """The server, as a WSGI application.

    Attributes:
        requests: All requests so far and what became of them, in order.
    """

    def __init__(self) -> None:
        self.requests: list[tuple[Request, Fate]] = []
        self._application: Any = DomainDispatcherApplication(create_backend_app)
        self._server: Any = make_server(_HOST, 0, self, threaded=False)
        self._faults = Faults()
        self._random = random.Random()

    @property
    def address(self) -> str:
        """As `AWS_ENDPOINT_URL` takes it."""
        return f"http://{_HOST}:{self._server.port}"

    def serve(self) -> None:
        """Answers requests until `stop`."""
        self._server.serve_forever()

    def stop(self) -> None:
        """Stops answering."""
        self._server.shutdown()

    @contextmanager
    def failing(self, faults: Faults) -> Iterator[None]:
        """Some requests fail for the block."""
        self._random.seed(faults.seed)
        self._faults = faults
        try:
            yield
        finally:
            self._faults = Faults()

    @contextmanager
    def counting(self) -> Iterator[Counter[tuple[str, str]]]:
        """Counts the requests of the block by verb and kind; the counts are there at its end."""
        counts: Counter[tuple[str, str]] = Counter()
        start = len(self.requests)
        yield counts
        counts.update((request.verb, request.kind) for request, _ in self.requests[start:])

    def fates(self, start: int) -> Counter[Fate]:
        """What became of the requests since the one with this number."""
        return Counter(fate for _, fate in self.requests[start:])

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        request = Request.of(environ)
        if self._random.random() < self._faults.throttled:
            self.requests.append((request, Fate.THROTTLED))
            # A connection that is closed before its request is read is reset, and the refusal with it.
            environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
            start_response("503 Slow Down", [("Content-Type", "application/xml")])
            return [b"" if request.verb == "HEAD" else _SLOW_DOWN]
        if self._faults.loses(request):
            b"".join(self._application(environ, lambda *_: lambda _: None))
            self.requests.append((request, Fate.LOST))
            environ["werkzeug.socket"].shutdown(socket.SHUT_RDWR)
            return []
        self.requests.append((request, Fate.ANSWERED))
        answer: Iterable[bytes] = self._application(environ, start_response)
        return answer


@contextmanager
def running_store() -> Iterator[Store]:
    """An empty store, served by a thread of this process."""
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    store = Store()
    thread = threading.Thread(target=store.serve, name="object store", daemon=True)
    thread.start()
    try:
        yield store
    finally:
        store.stop()
        thread.join()
