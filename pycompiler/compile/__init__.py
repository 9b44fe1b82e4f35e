"""From a condition to an expression: the predicate tree, its functions, and the service that compiles it."""
