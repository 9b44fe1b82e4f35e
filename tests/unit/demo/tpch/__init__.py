"""Tests of pycompiler.demo."""
