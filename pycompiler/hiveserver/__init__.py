"""An embedded HiveServer2 with Tez, for demo, tests and trying things out: one directory, on loopback."""

from pycompiler.hiveserver.beeline import BeelineResult, run_beeline
from pycompiler.hiveserver.errors import HiveServerError
from pycompiler.hiveserver.server import HiveServer, StopResult

__all__ = ["BeelineResult", "HiveServer", "HiveServerError", "StopResult", "run_beeline"]
