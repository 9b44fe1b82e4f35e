"""Queries on Tez in containers of YARN that reach HDFS with delegation tokens only."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from ..clusters.container_logs import ContainerLogs, is_master
from ..clusters.tables import EVENTS_PER_FILE
from ..e2e.harness.check import Checker
from .hdfs import Hdfs
from .hive import running_secure_hive
from .jdbc import JdbcSession
from .kdc import Kdc
from .write_tables import FILES, PRIVATE
from .yarn import Yarn

_SEVERAL_TASKS = {
    "hive.fetch.task.conversion": "none",
    "tez.grouping.split-count": "2",
    "mapreduce.job.reduces": "2",
}
_IDS = range(2 * EVENTS_PER_FILE)
_QUERY = f"select id % 2, count(*), sum(amount) from {PRIVATE} where id < {_IDS.stop} group by id % 2"
_ANSWER = [(rest, EVENTS_PER_FILE, sum(id * id for id in _IDS if id % 2 == rest)) for rest in (0, 1)]


# Bob may not read the table, but the server may.
@pytest.mark.parametrize(("impersonates", "user"), [(True, "alice"), (False, "bob")])
def test_an_application_master_in_a_container_skips_files_that_it_reads_with_tokens(
    kdc: Kdc,
    hdfs: Hdfs,
    metastore: str,
    yarn: Yarn,
    drivers: dict[str, Any],
    alice: Checker,
    tmp_path: Path,
    impersonates: bool,
    user: str,
) -> None:
    del alice  # only wanted because it has made the tables
    logs = ContainerLogs(yarn.home)
    with running_secure_hive(
        tmp_path / "hive", kdc, hdfs, metastore, impersonates=impersonates, protection="auth", yarn=yarn
    ) as hive:
        with JdbcSession(drivers[user], hive.url) as session:
            checked = Checker(session, logs, None).run(_QUERY, _SEVERAL_TASKS).kept(2)
        assert sorted(checked.rows) == _ANSWER
        scan = checked.scan
        assert (scan.files, scan.source, scan.listing) == (FILES, "pushed", "index"), scan.line
        places = logs.containers_with(scan.line)
        assert places and all(map(is_master, places)), f"listed by {places}: {scan.line}"
        assert scan.line not in hive.log.read_text(encoding="utf-8"), "HiveServer2 listed the files"
        tasks = Counter(attempt.vertex for attempt in logs.attempts(scan.line))
        assert tasks[0] >= 2 and tasks[1] >= 1, f"tasks of each vertex: {tasks}"
        if impersonates:
            with JdbcSession(drivers["bob"], hive.url) as session:
                session.assert_refused(_QUERY, "Permission denied: user=bob")
