"""One typed predicate tree, and its three sources: Hive's SearchArgument, Hive's typed filter tree, SQL."""
