"""Hive's types, their encoding, sets of encoded values, and ordinals.

The lowest layer: filters, functions and SQL build on it; it knows no columns, constants or functions.
"""
