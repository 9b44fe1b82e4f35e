"""Catalogues of partitions outside the index, for queries of very large tables (docs/inside/formats.md)."""
