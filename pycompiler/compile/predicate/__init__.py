"""The typed predicate tree of a filter, its limits and its text. `wire` and `sql` read filters into it."""
