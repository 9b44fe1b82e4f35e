"""Data skipping for Apache Hudi tables queried from Apache Hive.

The public API:

    from pycompiler import IndexOptions, hudi_session, write_indexed

- writing: `write_indexed`, `index_batches` (for streams), `IndexCreator` (for tables that others write);
- kinds of statistics by column: `IndexOptions`;
- reading: `read_incremental`, `incremental_end`, `StatisticsIndex`, `scans_in` (what Hive's queries skipped);
- pages to look at, in notebooks and files: `explain_page`, `layout_page`, `scans_page`, `Page`;
- Spark session: `hudi_session`;
- errors: `HudiSkipError`, the base class of all errors whose message is meant for the user.

These names, their parameters and their results are stable: an incompatible change requires a new minor
version before 1.0, a new major version after it, and a line in CHANGELOG.md. The same holds for what plug-ins
implement: `FunctionRule` of `pycompiler.compile.functions.rule`, `IndexKind` of `pycompiler.index.kinds` and
`PartitionCatalogue` of `pycompiler.table.catalogue.interface`. Everything else is internal and may change at
any time.

Names are loaded on first use: `import pycompiler` does not need PySpark.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Final

from pycompiler.version import VERSION

if TYPE_CHECKING:
    from pycompiler.errors import HudiSkipError as HudiSkipError
    from pycompiler.index.errors import IndexUnavailableError as IndexUnavailableError
    from pycompiler.index.errors import PublishError as PublishError
    from pycompiler.index.index import StatisticsIndex as StatisticsIndex
    from pycompiler.index.options import IndexOptions as IndexOptions
    from pycompiler.index.options import IndexOptionsError as IndexOptionsError
    from pycompiler.indexing.indexer import IndexUpdate as IndexUpdate
    from pycompiler.spark.errors import IncrementalReadError as IncrementalReadError
    from pycompiler.spark.errors import IndexUpdateWarning as IndexUpdateWarning
    from pycompiler.spark.errors import SparkUnavailableError as SparkUnavailableError
    from pycompiler.spark.incremental.reader import incremental_end as incremental_end
    from pycompiler.spark.incremental.reader import read_incremental as read_incremental
    from pycompiler.spark.index_creator import IndexCreator as IndexCreator
    from pycompiler.spark.session import hudi_session as hudi_session
    from pycompiler.spark.streaming import index_batches as index_batches
    from pycompiler.spark.writer import WriteResult as WriteResult
    from pycompiler.spark.writer import write_indexed as write_indexed
    from pycompiler.table.errors import NotAHudiTableError as NotAHudiTableError
    from pycompiler.table.errors import UnsupportedTableError as UnsupportedTableError
    from pycompiler.tools.pages.notebook import explain_page as explain_page
    from pycompiler.tools.pages.notebook import layout_page as layout_page
    from pycompiler.tools.pages.notebook import scans_page as scans_page
    from pycompiler.tools.pages.page import Page as Page
    from pycompiler.tools.scan_log.scans import Scan as Scan
    from pycompiler.tools.scan_log.scans import scans_in as scans_in

__version__ = VERSION

_NAMES: Final = {
    "errors": ("HudiSkipError",),
    "index.errors": ("IndexUnavailableError", "PublishError"),
    "index.index": ("StatisticsIndex",),
    "index.options": ("IndexOptions", "IndexOptionsError"),
    "indexing.indexer": ("IndexUpdate",),
    "tools.pages.notebook": ("explain_page", "layout_page", "scans_page"),
    "tools.pages.page": ("Page",),
    "tools.scan_log.scans": ("Scan", "scans_in"),
    "spark.errors": ("IncrementalReadError", "IndexUpdateWarning", "SparkUnavailableError"),
    "spark.incremental.reader": ("incremental_end", "read_incremental"),
    "spark.index_creator": ("IndexCreator",),
    "spark.session": ("hudi_session",),
    "spark.streaming": ("index_batches",),
    "spark.writer": ("WriteResult", "write_indexed"),
    "table.errors": ("NotAHudiTableError", "UnsupportedTableError"),
}
_MODULES: Final = {name: module for module, names in _NAMES.items() for name in names}

if not TYPE_CHECKING:  # Hidden from type checkers, which would otherwise accept any name.

    def __getattr__(name: str) -> object:
        if name not in _MODULES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_MODULES])
