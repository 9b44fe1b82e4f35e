"""Functions that random predicates call."""
