"""The file operations that publishing relies on: local, on a real HDFS, and on a server of S3."""

import resource
import sys
import time
import zlib
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import boto3
import pytest

import pycompiler.index.file_systems
from pycompiler.index.file_systems.errors import UnsupportedStorageError
from pycompiler.index.file_systems.factory import list_folder, open_storage
from pycompiler.index.file_systems.interface import INDEX_FOLDER, Folder, IndexStorage
from pycompiler.index.file_systems.location import Location
from pycompiler.index.file_systems.object_store import Storage as ObjectStorage
from pycompiler.index.index import StatisticsIndex
from tests.stores.faulty_s3 import Fate, Faults, first_of_each, running_store
from tests.stores.s3 import environment_of, running_s3
from tests.stores.tables import make_table

from .faults import start
from .samples import add, bounds_in, create, record, table_folder

pytestmark = pytest.mark.slow

_KINDS = ["local", "hdfs", "s3"]
_WRITERS, _COMMITS = 4, 6


@pytest.fixture(params=_KINDS)
def table(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty table; its path has what a URL would escape."""
    name = f"{tmp_path.name}/day=2021-01-01 00%3A00 é"
    if request.param == "local":
        return str(table_folder(tmp_path / name))
    return make_table(f"{request.getfixturevalue(request.param)}/{name}")


@pytest.fixture
def storage(table: str) -> IndexStorage:
    return open_storage(table)


def test_without_an_index_there_are_no_files(storage: IndexStorage) -> None:
    assert storage.names() == []
    for look in (storage.size, storage.modified, storage.read):
        with pytest.raises(FileNotFoundError):
            look("data-1")
    storage.delete("data-1")


def test_every_reader_sees_a_created_file_with_its_size_and_age(storage: IndexStorage, table: str) -> None:
    before = time.time()
    create(storage, "data-1", b"0123456789")
    other = open_storage(table)
    assert other.names() == ["data-1"]
    assert other.size("data-1") == 10
    assert before - 2 < other.modified("data-1") < time.time() + 2
    assert other.read("data-1") == b"0123456789"
    assert other.read("data-1", 3) == b"3456789"
    assert other.read("data-1", 3, 4) == b"3456"
    assert other.read("data-1", 8, 4) == b"89", "the file ends"
    assert other.read("data-1", 12, 4) == b""
    assert other.read("data-1", 3, 0) == b""


def test_a_folder_shows_its_files_with_their_sizes_and_its_folders(storage: IndexStorage, table: str) -> None:
    root = Location.parse(table)
    assert list_folder(root.child("nothing")) == Folder({}, ())
    with storage.create("data-1") as sink:
        sink.write(b"12345")
    *folders, last = INDEX_FOLDER.split("/")
    hudi = list_folder(root.child("/".join(folders)))
    assert last in hudi.folders and last not in hudi.files
    assert list_folder(root.child(INDEX_FOLDER)) == Folder({"data-1": 5}, ())


def test_an_empty_file_and_one_of_many_blocks_are_read_as_they_were_written(storage: IndexStorage) -> None:
    create(storage, "empty", b"")
    assert (storage.size("empty"), storage.read("empty")) == (0, b"")
    piece = bytes(range(256)) * 1024
    checksum = 0
    with storage.create("large") as sink:
        for number in range(40):
            part = bytes([number]) + piece
            checksum = zlib.crc32(part, checksum)
            assert sink.write(part) == len(part)
    assert storage.size("large") == 40 * (len(piece) + 1)
    assert zlib.crc32(storage.read("large")) == checksum
    assert storage.read("large", 39 * (len(piece) + 1), 3) == bytes([39, 0, 1])


def test_an_existing_file_is_not_created_again(storage: IndexStorage) -> None:
    create(storage, "data-1", b"first")
    with pytest.raises(FileExistsError):
        create(storage, "data-1", b"second")
    assert storage.read("data-1") == b"first"


def test_a_writers_error_is_raised_and_its_file_can_be_removed(storage: IndexStorage) -> None:
    with pytest.raises(ZeroDivisionError), storage.create("data-1") as sink:
        sink.write(b"half of")
        raise ZeroDivisionError
    storage.delete("data-1")
    assert storage.names() == []


def test_a_published_file_is_whole_and_is_not_replaced(storage: IndexStorage) -> None:
    storage.publish("manifest-1", b"first")
    with pytest.raises(FileExistsError):
        storage.publish("manifest-1", b"second")
    assert storage.read("manifest-1") == b"first"
    assert storage.names() == ["manifest-1"], "nothing temporary is left"
    storage.delete("manifest-1")
    assert storage.names() == []
    storage.publish("manifest-1", b"third")
    assert storage.read("manifest-1") == b"third"


def test_exactly_one_of_several_publishers_wins(table: str) -> None:
    publishers = [open_storage(table) for _ in range(8)]

    def wins(number: int, name: str) -> bool:
        try:
            publishers[number].publish(name, bytes([number]))
        except FileExistsError:
            return False
        return True

    with ThreadPoolExecutor(len(publishers)) as pool:
        for generation in range(10):
            name = f"manifest-{generation}"
            won = list(pool.map(wins, range(len(publishers)), [name] * len(publishers)))
            assert Counter(won)[True] == 1, won
            assert publishers[0].read(name) == bytes([won.index(True)])


@pytest.mark.full
def test_writers_and_compactors_in_processes_lose_nothing(table: str) -> None:
    add(open_storage(table), record("a", "first.parquet"))
    processes = [start("commits", table, writer, _COMMITS) for writer in range(_WRITERS)]
    processes.append(start("compactions", table, _COMMITS))
    generations = set()
    while any(process.poll() is None for process in processes):
        index = StatisticsIndex.open(table)
        index.check()  # A reader at any time sees a whole index.
        generations.add(index.manifest.generation)
    assert [process.wait() for process in processes] == [0] * len(processes)
    assert len(generations) > 1, "nobody read while others wrote"
    index = StatisticsIndex.open(table)
    written = {f"p/w{writer}c{commit}.parquet" for writer in range(_WRITERS) for commit in range(_COMMITS)}
    assert set(index.files()) == written | {"p/first.parquet"}, "no writer's files may be lost"
    assert set(bounds_in(table, "b")) == written
    index.check()


def test_an_object_with_the_same_content_counts_as_written(tmp_path: Path, s3: str) -> None:
    # After a lost response, the client sends the request again.
    storage = open_storage(make_table(f"{s3}/{tmp_path.name}/again"))
    for _ in range(2):
        create(storage, "data-1", b"content")
        storage.publish("manifest-1", b"text")
    for other in (b"Content", b"content and more", b""):
        with pytest.raises(FileExistsError):
            create(storage, "data-1", other)
    assert (storage.read("data-1"), storage.read("manifest-1")) == (b"content", b"text")


def test_a_lost_answer_to_any_put_counts_as_written(monkeypatch: pytest.MonkeyPatch) -> None:
    with running_store() as store:
        for name, value in environment_of(store.address).items():
            monkeypatch.setenv(name, value)
        boto3.client("s3").create_bucket(Bucket="unheard")
        storage = open_storage("s3a://unheard/t")
        start = len(store.requests)
        with store.failing(Faults(loses=first_of_each(lambda request: request.is_create))):
            with storage.create("data-1.parquet") as sink:
                sink.write(b"rows")
            storage.publish("manifest-1.json", b"manifest")
        # The object that shows whether the store refuses a second put is one of them, and is gone.
        assert store.fates(start)[Fate.LOST] >= 3
        assert storage.names() == ["data-1.parquet", "manifest-1.json"]
        assert (storage.read("data-1.parquet"), storage.read("manifest-1.json")) == (b"rows", b"manifest")


def test_a_store_without_put_if_absent_is_refused_before_anything_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running_s3(tmp_path / "s3", careless=True) as address:
        for name, value in environment_of(address).items():
            monkeypatch.setenv(name, value)
        boto3.client("s3").create_bucket(Bucket="careless")
        storage = open_storage("s3a://careless/t")
        assert isinstance(storage, ObjectStorage)
        with pytest.raises(UnsupportedStorageError, match="If-None-Match"):
            storage.publish("manifest-1", b"first")
        with pytest.raises(UnsupportedStorageError, match="If-None-Match"), storage.create("data-1") as sink:
            sink.write(b"content")
        assert storage.names() == []


def test_a_file_cut_short_by_a_full_disk_is_named_and_removed(tmp_path: Path) -> None:
    storage = open_storage(table_folder(tmp_path / "t"))
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, limit[1]))
    try:
        with pytest.raises(OSError, match="File too large: .*/t/.hoodie/.skipping_index/data-1'$"):
            create(storage, "data-1", bytes(200))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limit)
    assert storage.names() == []


@pytest.mark.parametrize(
    ("extra", "library", "module", "table"),
    [
        ("hdfs", "hdfs_native", "hdfs", "hdfs://host/t"),
        ("object-store", "obstore", "object_store", "s3a://bucket/t"),
    ],
)
def test_a_missing_library_is_named_with_its_extra(
    extra: str, library: str, module: str, table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, f"pycompiler.index.file_systems.{module}", raising=False)
    monkeypatch.delattr(pycompiler.index.file_systems, module, raising=False)
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(UnsupportedStorageError, match=rf"pip install 'hudi-skip\[{extra}\]'$"):
        open_storage(table)
