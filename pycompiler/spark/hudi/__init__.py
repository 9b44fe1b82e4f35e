"""What Hudi's classes in Spark's JVM say of a table, in each release of Hudi."""
