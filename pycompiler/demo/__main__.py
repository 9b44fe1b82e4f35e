"""`python -m pycompiler.demo`."""

import typer

from pycompiler.demo.main import main

typer.run(main)
