"""A program that makes the folders that an administrator makes, as HDFS's superuser.

Its arguments are the URI of HDFS and the group that may enter the folder of private tables.
"""

import sys
from typing import Final

from hdfs_native import Client

from .write_tables import CLOSED

_FOLDERS: Final = {"/lake": 0o1777, f"/lake{CLOSED}": 0o770, "/tmp": 0o1777, "/user": 0o1777}


if __name__ == "__main__":
    hdfs, group = sys.argv[1:]
    client = Client(hdfs)
    for folder, permission in _FOLDERS.items():
        client.mkdirs(folder)
        client.set_permission(folder, permission)
        client.set_owner(folder, None, group)
