"""How the JVMs of tests are started."""

from typing import Final

JVM_OF_TESTS: Final = ("-XX:TieredStopAtLevel=1",)
"""Without the optimizing compiler (C2): tests are many short programs, in which it takes several times
what it gains. Benchmarks and the demo have it."""
