"""Compiles a predicate to the HudiExpression that decides which files may match."""
