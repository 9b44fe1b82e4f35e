"""Makes handler tables of native Hive tables over Hudi, such as hive-sync registers."""
