"""What the Python of Spark's executors can import: Spark brings itself and no other library."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Iterator
from importlib import import_module
from typing import TYPE_CHECKING, Final, NamedTuple

from pyspark.errors import PySparkException

from pycompiler.index.storage.location import Location
from pycompiler.spark.causes import cause_of
from pycompiler.spark.errors import ExecutorPythonError
from pycompiler.spark.jvm import JvmError
from pycompiler.spark.shipping import ship_package

if TYPE_CHECKING:
    from pyspark import SparkContext

    from pycompiler.index.options import IndexOptions

_ALWAYS: Final = ("numpy", "pyarrow", "pycompiler.spark.tasks")
"""The last one is shipped; it comes last so that a library that it lacks has its own name."""

LOG_MODULES: Final = ("fastavro",)
"""With which an executor reads log files besides."""

_REMEDY: Final = "docs/spark.md says how executors get one that has all (PYSPARK_PYTHON, --archives)"

# What was found in an application, which never changes its Python.
_found: dict[str, frozenset[str]] = {}


def modules_for(options: IndexOptions, table_root: str | None = None) -> frozenset[str]:
    """The modules with which an executor can read base files and write data files of an index.

    Args:
        options: The kinds of records.
        table_root: Root of the table; None if it is not known.
    """
    # Not at the top: this module is imported on executors that may have none of the libraries.
    from pycompiler.index.kinds import BLOOM
    from pycompiler.index.storage.factory import client_module

    kinds = options.page_kinds
    return frozenset(
        {
            *_ALWAYS,
            *(type(kind).__module__ for kind in kinds),
            *(["xxhash"] if BLOOM in {kind.name for kind in kinds} else []),
            *(() if table_root is None else client_module(Location.parse(table_root))),
        }
    )


def require_modules(context: SparkContext, modules: Collection[str]) -> None:
    """Makes sure, with one small task, that executors can import some modules, and ships this package.

    Raises:
        ExecutorPythonError: They can't, or run no Python that this driver can talk to.
    """
    ship_package(context)
    wanted = frozenset(modules)
    found = _found.get(context.applicationId, frozenset())
    if wanted <= found:
        return
    try:
        (executor,) = context.parallelize([sorted(wanted, key=_order)], 1).mapPartitions(_look).collect()
    except (JvmError, PySparkException) as error:
        raise ExecutorPythonError(
            f"Spark's executors can't run this driver's Python tasks ({cause_of(error)}); {_REMEDY}"
        ) from error
    if executor.problems:
        raise ExecutorPythonError(
            f"the Python of Spark's executors ({executor.python}, {executor.version}) has no "
            f"{', '.join(executor.problems)}; {_REMEDY}"
        )
    _found[context.applicationId] = found | wanted


class _Executor(NamedTuple):
    """The Python of an executor: where it is, its version, and which modules it can't import."""

    python: str
    version: str
    problems: tuple[str, ...]


def _order(module: str) -> tuple[bool, str]:
    return module in _ALWAYS[-1:], module


def _look(wanted: Iterable[list[str]]) -> Iterator[_Executor]:
    # Ordered without repetitions: a module that is missing is missing for those that import it.
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
            # A library for another machine or Python, say.
            yield f"{module} that can be imported ({cause_of(error)})"
