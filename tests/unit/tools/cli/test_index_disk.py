"""A disk that is full: one line that names the file."""

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from .conftest import Run, failed_with_one_line, index_of, result_of

pytestmark = pytest.mark.spark


@contextmanager
def full_disk() -> Iterator[None]:
    """Lets this process write files of a few bytes only, and no program that it started before."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.selected(1)
@pytest.mark.parametrize("command", ["build", "update"])
def test_a_full_disk_is_one_line_that_names_the_file_and_leaves_nothing_behind(
    run: Run, table: Path, command: str
) -> None:
    folder = index_of(table)
    before = sorted(folder.iterdir())
    options = ["--index", "id=range", "--index", "*=none"] if command == "update" else []
    with full_disk():
        result = run("index", command, table, *options)
    message = failed_with_one_line(result)
    assert "File too large" in message and str(folder) in message
    assert result.stderr.strip() == f"error: {message}"
    assert sorted(folder.iterdir()) == before, "a file that was begun would stand in the way of the next try"
    assert result_of(run("index", "build", table, "--json"))["published"]
