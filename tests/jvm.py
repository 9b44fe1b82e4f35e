"""How the JVMs of tests are started."""

from typing import Final

from pycompiler.demo.common.jvm import WITHOUT_C2

JVM_OF_TESTS: Final = (*WITHOUT_C2, "-XX:+UseParallelGC")
"""Tests are many short programs, in which the optimizing compiler takes several times what it gains.
The parallel collector works less than G1, for pauses that nobody here minds."""
