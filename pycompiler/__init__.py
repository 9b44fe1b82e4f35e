"""Data skipping for Apache Hudi tables queried from Apache Hive.

The predicate compiler and its service, the statistics index, and the PySpark side that builds it.
"""

__version__ = "0.1.0"
