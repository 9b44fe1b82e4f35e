"""The class paths of the server and of beeline, and the command of the compiler."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from pycompiler.hive.server.artefacts import resolve
from pycompiler.installation import HANDLER, built, find_built


def server_class_path(extra_jars: Sequence[Path] = ()) -> str:
    """The class path of the server's processes, with further jars beside the handler's bundle.

    Raises:
        NotInstalledError: Something is missing.
    """
    bundle, server = built(HANDLER), built("hive/embedded-hiveserver.jar")
    # Last, like a jar in Hive's auxlib: the bundle must work behind Hive's own jars.
    return os.pathsep.join([class_path("hiveserver"), str(server), str(bundle), *map(str, extra_jars)])


def class_path(program: str) -> str:
    """The class path of Hive's own jars for a program: `hiveserver` or `beeline`.

    `make setup` has written it in a checkout. The wheel has a lock file instead, whose jars are downloaded
    once.

    Raises:
        NotInstalledError: There is neither.
        ArtefactError: A jar of the lock file cannot be had.
    """
    lock = find_built(f"hive/{program}.lock")
    if lock is not None:
        return os.pathsep.join(map(str, resolve(lock)))
    return built(f"hive/{program}.classpath").read_text(encoding="utf-8").strip()


def compiler_command() -> str:
    """The `hudi-skip` of this Python, so that the server compiles with the code that started it."""
    beside = Path(sys.executable).parent / "hudi-skip"
    # The setting is a command line: quotes protect blanks in the path.
    return f'"{beside}"' if beside.exists() else "hudi-skip"
