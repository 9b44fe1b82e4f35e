"""`python -m pycompiler` is `hudi-skip`."""

from pycompiler.cli.main import main

main()
