from pathlib import Path

import pytest

from pycompiler.index.file_systems.local import LocalStorage

from .samples import storage_of


@pytest.fixture
def storage(tmp_path: Path) -> LocalStorage:
    """The storage of a new table at `tmp_path`."""
    return storage_of(tmp_path)
