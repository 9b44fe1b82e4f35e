"""Whether the two evaluators, and what can be tried out on rows, agree."""
