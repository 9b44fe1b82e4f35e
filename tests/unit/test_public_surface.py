"""The names that programs import from `pycompiler`. A change of them is a line in CHANGELOG.md."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import pycompiler

SURFACE = {
    *(
        "HudiSkipError",
        "IncrementalReadError",
        "IndexCreator",
        "IndexOptions",
        "IndexOptionsError",
        "IndexUnavailableError",
    ),
    *("IndexUpdate", "IndexUpdateWarning", "NotAHudiTableError", "PublishError", "Scan"),
    *("SparkUnavailableError", "StatisticsIndex", "UnsupportedTableError", "WriteResult", "hudi_session"),
    *("incremental_end", "index_batches", "read_incremental", "scans_in", "write_indexed"),
    *("Page", "explain_page", "layout_page", "scans_page"),
}


@pytest.mark.parametrize("name", sorted(SURFACE))
def test_a_name_is_loaded_when_it_is_used(name: str) -> None:
    assert getattr(pycompiler, name).__name__ == name
    assert name in dir(pycompiler)


def test_type_checkers_see_the_same_names() -> None:
    """They read the imports, programs the table beside them."""
    source = ast.parse(Path(pycompiler.__file__).read_text(encoding="utf-8"))
    imported = {
        f"{node.module}.{alias.name}"
        for node in ast.walk(source)
        if isinstance(node, ast.ImportFrom)
        and node.module != "pycompiler.version"
        and (node.module or "").startswith("pycompiler.")
        for alias in node.names
    }
    assert imported == {f"pycompiler.{module}.{name}" for name, module in pycompiler._MODULES.items()}
    assert set(pycompiler._MODULES) == SURFACE


def test_the_package_alone_needs_neither_spark_nor_thrift() -> None:
    loaded = "import pycompiler, sys; print({'pyspark', 'thrift', 'pyarrow'} & set(sys.modules))"
    ran = subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "set()"


def test_another_name_is_not_there() -> None:
    with pytest.raises(AttributeError, match="no attribute 'write_index'"):
        pycompiler.write_index  # type: ignore[attr-defined]  # noqa: B018
