"""Access to Hudi's classes in Spark's JVM, for all supported releases of Hudi."""
