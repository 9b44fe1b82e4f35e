"""`python -m pycompiler.demo`."""

import sys

from pycompiler.demo.main import main

sys.exit(main())
