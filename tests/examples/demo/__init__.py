"""Tests of examples/demo."""
