"""Makes this package importable in Spark's Python workers."""

import hashlib
import tempfile
import zipfile
from functools import cache
from pathlib import Path
from typing import Final

from pyspark import SparkContext

_PACKAGE: Final = Path(__file__).resolve().parents[1]
_DATE: Final = (1980, 1, 1, 0, 0, 0)

# In local mode Spark reads the archive in place whenever a task starts, so it must outlive all tasks: the
# folders remove themselves when the process ends.
_shipped: dict[tuple[str, str], tempfile.TemporaryDirectory[str]] = {}


def ship_package(context: SparkContext) -> None:
    """Adds the package to a Spark application, once.

    Local workers need it too: they do not inherit `sys.path`, nor always the working directory.
    """
    sources, digest = _sources()
    # Workers keep the first file with a name, so other contents need another name.
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
    """The modules of the package, and the SHA-256 of their content, computed once."""
    sources = sorted(_PACKAGE.rglob("*.py"))
    digest = hashlib.sha256()
    for source in sources:
        digest.update(source.read_bytes())
    return tuple(sources), digest.hexdigest()
