"""SQL text to the predicate tree: parsing, constants, functions and their types."""
