from pathlib import Path

from pycompiler.demo.common.lake import LakeTable
from pycompiler.demo.tpch.part import linked_files


def test_the_folder_of_the_native_table_has_the_base_files_and_nothing_of_hudi(tmp_path: Path) -> None:
    table = tmp_path / "lineitem"
    (table / ".hoodie").mkdir(parents=True)
    (table / ".hoodie" / "hoodie.properties").touch()
    for name in ("a.parquet", "b.parquet"):
        (table / name).write_text(name)
    for time in ("first", "second"):
        folder = linked_files(LakeTable("lineitem", table))
        assert {file.name: file.read_text() for file in folder.iterdir()} == {
            "a.parquet": "a.parquet",
            "b.parquet": "b.parquet",
        }, f"the {time} time"
    assert folder.resolve() != table.resolve() and table not in folder.parents
    assert (folder / "a.parquet").samefile(table / "a.parquet"), "it should be linked, not copied"
