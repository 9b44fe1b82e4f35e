"""Advice in words and as a JSON document."""
