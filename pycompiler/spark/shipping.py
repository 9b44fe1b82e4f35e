"""Makes this package importable in Spark's Python workers."""

import io
import threading
import uuid
import zipfile
from functools import cache
from pathlib import Path
from typing import Final

from pyspark import SparkContext, SparkFiles

from pycompiler.index.file_systems.local import whole_or_removed

_PACKAGE: Final = Path(__file__).resolve().parents[1]
_NAME: Final = "hudi-skip-pycompiler.zip"
_DATE: Final = (1980, 1, 1, 0, 0, 0)

_lock: Final = threading.Lock()
_applications: Final[set[str]] = set()


def ship_package(context: SparkContext) -> None:
    """Adds the package to a Spark application, once.

    Local workers need it too: they do not inherit `sys.path`, nor always the working directory.

    Raises:
        OSError: The archive could not be written. Spark does not know of it, and goes on.
    """
    with _lock:
        if context.applicationId not in _applications:
            context.addPyFile(str(_archive(Path(SparkFiles.getRootDirectory()))))
            _applications.add(context.applicationId)


def _archive(folder: Path) -> Path:
    """The application's archive of the package, in the folder of Spark's driver for such files.

    In local mode Spark reads the archive in place whenever an executor starts its first task, else the driver
    serves it, so only Spark knows when it is no longer wanted. Spark refuses a second file of the same name
    with other contents, so what another process added to the application is kept.
    """
    archive = folder / _NAME
    if not archive.exists():
        partial = folder / f"{_NAME}.{uuid.uuid4()}"
        with whole_or_removed(partial):
            partial.write_bytes(_content())
            partial.replace(archive)
    return archive


@cache
def _content() -> bytes:
    """The package as it was when first shipped: this process keeps the modules that it has imported."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as target:
        for source in sorted(_PACKAGE.rglob("*.py")):
            entry = zipfile.ZipInfo(str(source.relative_to(_PACKAGE.parent)), _DATE)
            target.writestr(entry, source.read_bytes())
    return content.getvalue()
