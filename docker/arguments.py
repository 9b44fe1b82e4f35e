# SPDX-License-Identifier: Apache-2.0
"""Downloads the jars of a class path, and prints the JVM's options with it: a file for `java @FILE`."""

import argparse
import os
from pathlib import Path

from pycompiler.hive.server.artefacts import resolve
from pycompiler.hive.server.runtime import class_path
from pycompiler.installation import JVM_OPTIONS


def main() -> None:
    """Prints one option a line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", help="whose jars the wheel names: hiveserver or beeline")
    parser.add_argument("--lock", type=Path, help="a lock file of further jars")
    parser.add_argument("--first", help="what stands before the jars")
    parser.add_argument("--last", help="what stands behind the jars")
    given = parser.parse_args()
    jars = [class_path(given.program)] if given.program else []
    jars += [str(jar) for jar in resolve(given.lock)] if given.lock else []
    path = os.pathsep.join(entry for entry in (given.first, *jars, given.last) if entry)
    print("\n".join((*JVM_OPTIONS, f'-cp "{path}"')))


if __name__ == "__main__":
    main()
