"""The ground floor: Hive's types, their encoding, sets of encoded values, and what can be counted in them.

Nothing here knows columns, constants or functions. Filters, functions and SQL all stand on it.
"""
