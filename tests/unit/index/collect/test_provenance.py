"""Which writers' statistics are trusted."""

import pytest

from pycompiler.index.collect.provenance import Provenance, provenance

NOTHING = Provenance()
BYTES = Provenance(orders_bytes=True)
ALL = Provenance(orders_bytes=True, nan_is_greatest=True)


@pytest.mark.parametrize(
    ("created_by", "expected"),
    [
        ("parquet-mr version 1.13.1 (build db4183109d5b734ec5930d870cdae161e408ddba)", ALL),
        ("parquet-mr version 1.10.0 (build 031a6654009e3b82020012a18434c582bd74c73a)", ALL),
        ("parquet-mr version 1.16.0 (build x)", ALL),
        ("parquet-mr version 1.9.0 (build x)", NOTHING),
        ("parquet-mr version 1.8.1 (build x)", NOTHING),
        ("parquet-mr version 1.17.0 (build x)", BYTES),
        ("parquet-mr version 2.0.0 (build x)", BYTES),
        ("parquet-mr version 1.12.3-databricks-0002 (build x)", BYTES),
        ("parquet-mr version 1.10.99.7.1.6.0-297 (build x)", BYTES),
        ("parquet-mr compatible Photon version 0.2 (build 10.4)", NOTHING),
        ("parquet-mr", NOTHING),
        ("parquet-cpp-arrow version 26.0.1", BYTES),
        ("parquet-cpp-arrow version 3.0.0", NOTHING),
        ("parquet-cpp version 1.5.1-SNAPSHOT", NOTHING),
        ("parquet-rs version 50.0.0", NOTHING),
        ("not parquet-mr version 1.13.1 (build x)", NOTHING),
        ("", NOTHING),
        (None, NOTHING),
    ],
)
def test_a_writer_is_trusted_only_if_its_order_is_known(created_by: str | None, expected: Provenance) -> None:
    assert provenance(created_by) == expected
