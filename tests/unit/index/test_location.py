from pathlib import Path

import pytest

from pycompiler.index.file_systems.location import absolute


def test_a_relative_path_begins_where_the_command_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert absolute("lake/orders") == f"{tmp_path}/lake/orders"
    assert absolute("./lake/orders/") == f"{tmp_path}/lake/orders"
    assert absolute(".") == str(tmp_path)


def test_the_parent_of_a_link_is_that_of_what_it_stands_for(tmp_path: Path) -> None:
    (tmp_path / "disk" / "lake").mkdir(parents=True)
    (tmp_path / "lake").symlink_to(tmp_path / "disk" / "lake")
    assert absolute(f"{tmp_path}/lake/../orders") == f"{tmp_path}/disk/orders", (
        "Hadoop would take lake/.. out"
    )
    assert absolute(f"{tmp_path}/lake/orders") == f"{tmp_path}/lake/orders", "a link is a name as good as any"


@pytest.mark.parametrize(
    "uri", ["hdfs://host:8020/a/../b", "s3a://bucket/lake/orders", "file:/a/b", "file:///a/b", "/a/b"]
)
def test_uris_and_absolute_paths_are_left_alone(uri: str) -> None:
    assert absolute(uri) == uri
