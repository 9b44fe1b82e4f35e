"""A HiveServer2: the handler in it, and the compiler that the handler starts."""

import json
from collections.abc import Mapping

from pycompiler.hive.client.errors import ConnectionLostError, HiveError
from pycompiler.hive.client.session import HiveSession
from pycompiler.tools.doctor.check import Check, State
from pycompiler.version import VERSION

_FUNCTION = "hudi_skip_status"
_CLASS = "io.hudiskip.hive.HandlerStatus"
_COPY = "hudi-skip jars --to $HIVE_HOME/auxlib on the server's host, then restart HiveServer2"


def server_checks(session: HiveSession, address: str) -> list[Check]:
    """The checks of a server that has answered at this address."""
    answers = Check("HiveServer2", State.OK, f"answers at {address}")
    try:
        session.rows(f"CREATE TEMPORARY FUNCTION {_FUNCTION} AS '{_CLASS}'")
        ((document,),) = session.rows(f"SELECT {_FUNCTION}()")
    except ConnectionLostError as error:
        return [Check("HiveServer2", State.PROBLEM, error.reason, "see its log, and whether it runs")]
    except HiveError as error:
        remedy = (
            f"if {_CLASS} is not found: {_COPY}; if it is forbidden, ask as a user who may create functions"
        )
        return [answers, Check("handler in HiveServer2", State.PROBLEM, str(error), remedy)]
    return [answers, *status_checks(json.loads(document))]


def status_checks(status: Mapping[str, str]) -> list[Check]:
    """The checks of a status that `io.hudiskip.hive.HandlerStatus` has reported."""
    found = (
        f"{status['handler']} for Hive {status['built_for_hive']}, with Hudi {status['hudi']}, "
        f"in Hive {status['hive']} on Java {status['java']}"
    )
    handler = Check("handler in HiveServer2", State.OK, found)
    if status["handler"] != VERSION:
        handler = Check(handler.subject, State.PROBLEM, found, f"this is hudi-skip {VERSION}: {_COPY}")
    subject = "compiler in HiveServer2"
    compiler = status.get("compiler")
    if compiler is None:
        why = status.get("problem", "it gave no reason")
        remedy = (
            "until then queries read all files: install Python 3.10 or later on the server's host, or set "
            "hudi.skipping.compiler.command to the command hudi-skip there"
        )
        return [handler, Check(subject, State.PROBLEM, why, remedy)]
    if compiler != status["handler"]:
        remedy = (
            "unset hudi.skipping.compiler.command, or install the Python package of the handler's release"
        )
        return [handler, Check(subject, State.PROBLEM, f"{compiler}, unlike the handler", remedy)]
    return [handler, Check(subject, State.OK, compiler)]
