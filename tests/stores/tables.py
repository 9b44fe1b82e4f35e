"""Empty tables on the file systems of tests."""

from __future__ import annotations

from hdfs_native import Client

from pycompiler.index.storage.location import Location


def make_table(uri: str) -> str:
    """Makes the `.hoodie` folder of a table, where there are folders, and gives its URI back."""
    table = Location.parse(uri)
    if table.scheme == "hdfs":
        Client(f"hdfs://{table.authority}").mkdirs(f"{table.path}/.hoodie", create_parent=True)
    return uri
