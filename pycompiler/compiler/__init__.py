"""From a predicate to the HudiExpression that says which files it can match."""
