"""Reads SQL text into the predicate tree: parsing, constants, functions and their types."""
