"""One typed predicate tree, and two of its sources: Hive's SearchArgument and Hive's typed filter tree.

The third, SQL text, is the package `sql`: it needs the functions' rules, which stand on this one.
"""
