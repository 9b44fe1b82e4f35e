"""How the JVMs of tests are started."""

from typing import Final

JVM_OF_TESTS: Final = ("-XX:TieredStopAtLevel=1", "-XX:ReservedCodeCacheSize=240m", "-XX:+UseParallelGC")
"""Without the optimizing compiler (C2): tests are many short programs, in which it takes several times
what it gains. Benchmarks and the demo have it.

Without C2 there are only 48 MB for compiled code, which a server fills in minutes: then methods are thrown
out and compiled again. The parallel collector works less than G1 for pauses that nobody here minds."""
