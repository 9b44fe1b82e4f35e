"""Data skipping for Apache Hudi tables queried from Apache Hive: predicate compiler, statistics index and PySpark side."""

__version__ = "0.1.0"
