import io
from pathlib import Path

import pytest

from pycompiler.hbase.catalogue import CLASS_PATH_VARIABLE, class_path, write_generation
from pycompiler.installation import HOME_VARIABLE
from pycompiler.table.catalogue.errors import CatalogueError
from tests.unit.table.catalogue.test_partitions import GENERATION


def test_a_generation_is_sent_with_its_end_last() -> None:
    sink = io.BytesIO()
    write_generation(sink, GENERATION)
    sent = sink.getvalue()
    document = GENERATION.document()
    assert sent.startswith(len(document).to_bytes(4, "big") + document)
    keyed = b"\1" + b"\0\0\0\2\1\2" + b"\0\0\0\x042013" + b"\0\0\0\x062 30 5"
    unkeyed = b"\2" + b"\0\0\0\5mixed" + b"\0\0\0\x061 10 4"
    assert sent[4 + len(document) :] == keyed + unkeyed + b"\0"


def test_the_environment_names_the_class_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CLASS_PATH_VARIABLE, "/opt/hbase/*")
    assert class_path() == "/opt/hbase/*"


def test_missing_jars_are_named_with_both_remedies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(CLASS_PATH_VARIABLE, raising=False)
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path))
    with pytest.raises(CatalogueError, match=rf"run `make setup`.*{CLASS_PATH_VARIABLE}"):
        class_path()
