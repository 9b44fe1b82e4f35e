"""`python -m pycompiler` is `hudi-skip`."""

from pycompiler.tools.cli.main import main

if __name__ == "__main__":
    main()
