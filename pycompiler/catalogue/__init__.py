"""Catalogues of partitions outside of the index, for queries of very large tables (docs/scan-plans.md)."""
