"""Tests of pycompiler.hive.server."""
