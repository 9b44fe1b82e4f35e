"""Tables that Hudi's hive-sync has registered, and what becomes of them."""
