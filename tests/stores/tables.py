"""Empty tables on the file systems of tests."""

from hdfs_native import Client

from pycompiler.index.file_systems.location import Location


def make_table(uri: str) -> str:
    """Creates the `.hoodie` folder of a table, if the store has folders, and returns its URI."""
    table = Location.parse(uri)
    if table.scheme == "hdfs":
        Client(f"hdfs://{table.authority}").mkdirs(f"{table.path}/.hoodie", create_parent=True)
    return uri
