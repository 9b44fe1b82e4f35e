"""An embedded HiveServer2 with Tez, for tests and trying things out: one directory, on loopback."""

from pycompiler.hive.server.beeline import BeelineResult, run_beeline
from pycompiler.hive.server.errors import HiveServerError
from pycompiler.hive.server.server import HiveServer, StopResult

__all__ = ["BeelineResult", "HiveServer", "HiveServerError", "StopResult", "run_beeline"]
