"""`python -m pycompiler.compile.service`: the service without the rest of `hudi-skip`.

The handler's jar carries it as a zip application (`scripts/bundle_compiler.py`), which any Python from 3.10
runs. So this module and what it imports may use only the standard library and `thrift`.
"""

import argparse
import sys
from pathlib import Path

from pycompiler.compile.service.process import run
from pycompiler.errors import HudiSkipError
from pycompiler.version import VERSION


def main() -> None:
    """Runs the service with the options that the handler passes on the command line."""
    parser = argparse.ArgumentParser(prog="hudi-skip-compiler", description="The predicate compiler.")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--socket", type=Path, help="path of the Unix domain socket")
    where.add_argument("--port", type=int, help="loopback port instead of a socket, 0 for any")
    parser.add_argument("--exit-on-stdin-close", action="store_true", help="stop at the end of stdin")
    parser.add_argument("--version", action="version", version=f"hudi-skip-compiler {VERSION}")
    arguments = parser.parse_args()
    try:
        run(arguments.socket, arguments.port, exit_on_stdin_close=arguments.exit_on_stdin_close)
    except HudiSkipError as error:
        sys.exit(f"ERROR: {error}")


if __name__ == "__main__":
    main()
