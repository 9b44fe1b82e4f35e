"""Makes this package importable in Spark's Python workers."""

import hashlib
import io
import tempfile
import zipfile
from functools import cache
from pathlib import Path
from typing import Final

from pyspark import SparkContext

_PACKAGE: Final = Path(__file__).resolve().parents[1]
_DATE: Final = (1980, 1, 1, 0, 0, 0)

_applications: Final[set[str]] = set()


def ship_package(context: SparkContext) -> None:
    """Adds the package to a Spark application, once.

    Local workers need it too: they do not inherit `sys.path`, nor always the working directory.
    """
    if context.applicationId not in _applications:
        _, archive = _archive()
        context.addPyFile(str(archive))
        _applications.add(context.applicationId)


@cache
def _archive() -> tuple[tempfile.TemporaryDirectory[str], Path]:
    """An archive of the package, and its folder, which removes itself when the process ends.

    In local mode Spark reads the archive in place whenever a task starts, so it must outlive all tasks.
    """
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as target:
        for source in sorted(_PACKAGE.rglob("*.py")):
            entry = zipfile.ZipInfo(str(source.relative_to(_PACKAGE.parent)), _DATE)
            target.writestr(entry, source.read_bytes())
    # Workers keep the first file with a name, so other contents need another name.
    digest = hashlib.sha256(content.getvalue()).hexdigest()
    folder = tempfile.TemporaryDirectory(prefix="hudi-skip-")
    archive = Path(folder.name) / f"pycompiler-{digest[:16]}.zip"
    archive.write_bytes(content.getvalue())
    return folder, archive
