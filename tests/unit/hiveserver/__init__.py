"""Tests of pycompiler.hiveserver."""
