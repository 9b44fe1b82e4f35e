import pytest

from pycompiler.hbase import DEFAULT_TABLE, HBaseCatalogue
from pycompiler.table.catalogue.errors import CatalogueError
from pycompiler.table.catalogue.interface import open_catalogue


def test_hbase_is_found_by_its_entry_point() -> None:
    assert open_catalogue("hbase", "zk:2181") == HBaseCatalogue("zk:2181", DEFAULT_TABLE)
    assert open_catalogue("hbase", "zk:2181", "days") == HBaseCatalogue("zk:2181", "days")


def test_a_missing_plug_in_names_its_extra() -> None:
    with pytest.raises(CatalogueError, match=r"pip install 'hudi-skip\[bigtable\]'"):
        open_catalogue("bigtable", "address")
