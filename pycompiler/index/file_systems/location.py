"""Locations of tables and files, in Hadoop's notation."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

LOCAL: Final = "file"

_URI: Final = re.compile(
    r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*):(?://(?P<authority>[^/]*)(?P<inner>/.*)?|(?P<path>/.*))", re.DOTALL
)


@dataclass(frozen=True, slots=True)
class Location:
    """A location on some file system.

    Attributes:
        scheme: Scheme of the file system in lower case, such as `hdfs`; `file` for a plain path.
        authority: Host and port, name service, or bucket; empty if none was given.
        path: Path on it, not percent-encoded, without a trailing slash.
    """

    scheme: str
    authority: str
    path: str

    @staticmethod
    def parse(text: str) -> Location:
        """Parses a plain path or a URI such as `file:/a/b`, `hdfs://host:8020/a/b` or `s3a://bucket/a/b`.

        Hadoop does not percent-encode, and a partition folder may contain a literal `%3A`, so URL parsers
        would corrupt it.
        """
        uri = _URI.fullmatch(text)
        if uri is None:
            return Location(LOCAL, "", text.rstrip("/") or "/")
        path = "/" + (uri["inner"] or uri["path"] or "").strip("/")
        return Location(uri["scheme"].lower(), uri["authority"] or "", path)

    @property
    def is_local(self) -> bool:
        """Whether it is on a local or mounted file system."""
        return self.scheme == LOCAL

    def child(self, relative: str) -> Location:
        """A location below this one."""
        return replace(self, path=f"{self.path.rstrip('/')}/{relative}")

    def __str__(self) -> str:
        return self.path if self.is_local else f"{self.scheme}://{self.authority}{self.path}"


def absolute(path: str) -> str:
    """Makes a local path absolute, so that it means the same in every process; returns URIs unchanged.

    Hadoop takes no relative paths, and removes `a/..` without checking whether `a` is a link.
    """
    local = Path(path)
    if not Location.parse(path).is_local or path.startswith("file:"):
        return path
    return path if local.is_absolute() and ".." not in local.parts else str(local.resolve())
