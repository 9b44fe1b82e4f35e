"""Checks what the Python of Spark's executors can import: Spark ships only itself."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from importlib import import_module
from typing import TYPE_CHECKING, Final, NamedTuple

from pyspark.errors import PySparkException

from pycompiler.index.file_systems.location import Location
from pycompiler.spark.causes import cause_of
from pycompiler.spark.errors import ExecutorPythonError
from pycompiler.spark.jvm import JvmError
from pycompiler.spark.shipping import ship_package

if TYPE_CHECKING:
    from pyspark import SparkContext

    from pycompiler.index.options import IndexOptions

_TASKS: Final = "pycompiler.spark.tasks"
"""Shipped by us, and imported last, so that a library it lacks is reported under its own name."""

LOG_MODULES: Final = ("fastavro",)
"""Additional modules with which an executor reads log files."""

_REMEDY: Final = (
    "provide a Python with the libraries that hudi-skip needs through PYSPARK_PYTHON or --archives"
    " (docs/guides/write.md)"
)
# Results by application; an application never changes its Python.
_found: Final[defaultdict[str, set[str]]] = defaultdict(set)


def modules_for(options: IndexOptions, table_root: str | None = None) -> frozenset[str]:
    """The modules that an executor needs to read data files and write index data files."""
    # Imported late: executors that lack these libraries import this module.
    from pycompiler.index.file_systems.factory import client_module

    kinds = options.page_kinds
    return frozenset(
        {
            *("numpy", "pyarrow", _TASKS),
            *(type(kind).__module__ for kind in kinds),
            *(library for kind in kinds for library in kind.libraries),
            *(() if table_root is None else client_module(Location.parse(table_root))),
        }
    )


def require_modules(context: SparkContext, modules: Collection[str]) -> None:
    """Verifies by a small task that executors can import some modules, and ships this package."""
    ship_package(context)
    wanted = frozenset(modules)
    if wanted <= _found[context.applicationId]:
        return
    try:
        ordered = [*sorted(wanted - {_TASKS}), *sorted(wanted & {_TASKS})]
        (executor,) = context.parallelize([ordered], 1).mapPartitions(_probe).collect()
    except (JvmError, PySparkException) as error:
        raise ExecutorPythonError(
            f"Spark's executors cannot run this driver's Python tasks ({cause_of(error)}); {_REMEDY}"
        ) from error
    if executor.problems:
        raise ExecutorPythonError(
            f"the Python of Spark's executors ({executor.python}, {executor.version}) lacks "
            f"{', '.join(executor.problems)}; {_REMEDY}"
        )
    _found[context.applicationId].update(wanted)


class _Executor(NamedTuple):
    """An executor's Python: its path, its version, and the modules that it cannot import."""

    python: str
    version: str
    problems: tuple[str, ...]


def _probe(wanted: Iterable[list[str]]) -> Iterator[_Executor]:
    # Deduplicated in order: a missing module is also missing for those that import it.
    problems = dict.fromkeys(problem for modules in wanted for problem in _problems(modules))
    version = ".".join(map(str, sys.version_info[:3]))
    yield _Executor(sys.executable, version, tuple(problems))


def _problems(modules: Iterable[str]) -> Iterator[str]:
    for module in modules:
        try:
            import_module(module)
        except ModuleNotFoundError as error:
            yield error.name or module
        except Exception as error:
            # For example, a library for another machine or Python version.
            yield f"an importable {module} ({cause_of(error)})"
