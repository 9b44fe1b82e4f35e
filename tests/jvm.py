"""How the JVMs of tests are started."""

from typing import Final

JVM_OF_TESTS: Final = (
    "-XX:TieredStopAtLevel=1",
    "-XX:ReservedCodeCacheSize=240m",
    "-XX:+UseParallelGC",
    "-Djol.skipHotspotSAAttach=true",
    "-XX:+UnlockDiagnosticVMOptions",
    "-XX:-BytecodeVerificationRemote",
)
"""Tests are many short programs, in which the optimizing compiler takes several times what it gains; without
it a JVM reserves only 48 MB for compiled code, which a server fills. The parallel collector works less than
G1, for pauses that nobody here minds. `jol` saves up to three more JVMs, which Hudi starts to look into its
own, where they may not, before it first estimates the size of an object. Verifying bytecode takes a fifth of
a server's start; JVMs of users verify it, and so do those of the wheel's test, of the demo and of Java's own
tests."""

OPENED_SINCE_HIVE_4_1: Final = "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED"
"""Since 4.1, Hive's calls of Java methods sort the fields of a class by a private number in it."""
