"""Making this package importable in Spark's Python workers."""

from __future__ import annotations

import hashlib
import tempfile
import zipfile
from functools import cache
from pathlib import Path
from typing import Final

from pyspark import SparkContext

_PACKAGE: Final = Path(__file__).resolve().parents[1]
_DATE: Final = (1980, 1, 1, 0, 0, 0)

# Spark's local mode reads the archive where it is whenever a task starts, so it has to stay for as long as
# the process: the folders remove themselves at its end.
_shipped: dict[tuple[str, str], tempfile.TemporaryDirectory[str]] = {}


def ship_package(context: SparkContext) -> None:
    """Adds the package to a Spark application, once.

    Local workers need it as well: they inherit neither `sys.path` nor, always, the working directory.
    """
    sources, digest = _sources()
    # Workers keep the first file of a name that they get, so that another content needs another name.
    name = f"pycompiler-{digest[:16]}.zip"
    application = context.applicationId, name
    if application in _shipped:
        return
    folder = tempfile.TemporaryDirectory(prefix="hudi-skip-")
    archive = Path(folder.name) / name
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as target:
        for source in sources:
            entry = zipfile.ZipInfo(str(source.relative_to(_PACKAGE.parent)), _DATE)
            target.writestr(entry, source.read_bytes())
    context.addPyFile(str(archive))
    _shipped[application] = folder


@cache
def _sources() -> tuple[tuple[Path, ...], str]:
    """The modules of the package, and the SHA-256 of what is in them when it is first asked for."""
    sources = sorted(_PACKAGE.rglob("*.py"))
    digest = hashlib.sha256()
    for source in sources:
        digest.update(source.read_bytes())
    return tuple(sources), digest.hexdigest()
