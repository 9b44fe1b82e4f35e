"""The plug-in that keeps a table's partitions in HBase (docs/inside/formats.md)."""

from pycompiler.hbase.catalogue import DEFAULT_TABLE, HBaseCatalogue

__all__ = ["DEFAULT_TABLE", "HBaseCatalogue"]
