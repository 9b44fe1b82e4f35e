"""The functions that random predicates are made with."""
