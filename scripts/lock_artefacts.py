"""Writes the jars of a class path as a lock file: path in a Maven repository, SHA-256 and size.

    python scripts/lock_artefacts.py CLASS_PATH_FILE LOCK

`pycompiler.hive.server.artefacts` reads it. The class path is Maven's, so all jars are in one local
repository.
"""

import hashlib
import os
import sys
from pathlib import Path


def main() -> None:
    """Writes the lock file that the arguments name."""
    class_path, lock = map(Path, sys.argv[1:])
    jars = [Path(jar) for jar in class_path.read_text(encoding="utf-8").strip().split(os.pathsep)]
    # Groups differ in their first part, so what the paths share is the repository.
    repository = Path(os.path.commonpath(jars))
    lines = []
    for jar in jars:
        content = jar.read_bytes()
        sha256 = hashlib.sha256(content).hexdigest()
        lines.append(f"{jar.relative_to(repository).as_posix()} {sha256} {len(content)}\n")
    lock.parent.mkdir(parents=True, exist_ok=True)
    lock.write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
