"""A program that writes the tables as the user whose ticket it has.

Its argument is the folder of the tables.
"""

import sys
from typing import Final

from pycompiler.spark.session import hudi_session

from ..clusters.tables import EVENTS_PER_FILE, append, events, write
from ..conftest import SPARK_SETTINGS
from ..e2e.harness.hudi_writer import COLUMN_STATISTICS
from ..jvm import JVM_OF_TESTS

CLOSED: Final = "/closed"
"""The folder in that of the tables which only a group may enter."""
PRIVATE: Final = "private"
"""In `CLOSED`: `FILES` files with `EVENTS_PER_FILE` rows each."""
SHARED: Final = "shared"
"""In `CLOSED`: as `PRIVATE`, with one more file that its index has not seen."""
UNINDEXED: Final = "unindexed"
"""In `CLOSED`: as `PRIVATE`, with Hudi's column statistics and without an index."""
PUBLIC: Final = "public"
"""As `PRIVATE`, but everyone may read it."""
FILES: Final = 4

# The group may write what its members have written.
_UMASK: Final = "002"


def _main(lake: str) -> None:
    spark = hudi_session(
        "tests",
        master="local[2]",
        conf={
            **SPARK_SETTINGS,
            "spark.driver.extraJavaOptions": " ".join(JVM_OF_TESTS),
            "spark.hadoop.fs.permissions.umask-mode": _UMASK,
        },
    )
    rows = events(spark.range(FILES * EVENTS_PER_FILE))
    for folder, name in ((lake, PUBLIC), (f"{lake}{CLOSED}", PRIVATE), (f"{lake}{CLOSED}", SHARED)):
        write(rows, folder, name, FILES)
    more = spark.range(FILES * EVENTS_PER_FILE, (FILES + 1) * EVENTS_PER_FILE)
    append(events(more), f"{lake}{CLOSED}", SHARED, 1)
    append(rows, f"{lake}{CLOSED}", UNINDEXED, FILES, COLUMN_STATISTICS)
    spark.stop()


if __name__ == "__main__":
    _main(sys.argv[1])
