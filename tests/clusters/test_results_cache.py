"""Hive's cache of results, which is on by default, and knows nothing of commits to a Hudi table."""

from pyspark.sql import SparkSession

from ..e2e.harness.check import Checker
from ..e2e.harness.session import HANDLER
from .hadoop import Hadoop
from .tables import EVENTS_PER_FILE, append, events, write

_CACHED = {
    "hive.query.results.cache.enabled": "true",
    # Not the default: Hive then caches results of tables whose changes it may miss.
    "hive.query.results.cache.nontransactional.tables.enabled": "true",
}


def test_a_repeated_query_is_never_answered_from_before_a_commit(
    check: Checker, hadoop: Hadoop, spark: SparkSession
) -> None:
    lake, query = f"{hadoop.uri}/cached_lake", "select count(*), max(id) from cached where id >= 10"
    for files in range(1, 4):
        rows = events(spark.range((files - 1) * EVENTS_PER_FILE, files * EVENTS_PER_FILE))
        # The last commit is one that the index has not seen.
        (append if files == 3 else write)(rows, lake, "cached", 1)
        if files == 1:
            check.session.rows(f"CREATE EXTERNAL TABLE cached STORED BY '{HANDLER}' LOCATION '{lake}/cached'")
        for _ in range(2):
            checked = check.run(query, _CACHED).kept(files)
            assert checked.rows == ((files * EVENTS_PER_FILE - 10, files * EVENTS_PER_FILE - 1),)
    check.session.rows("DROP TABLE cached")
