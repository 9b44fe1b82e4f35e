"""Many sessions at once in one server, with queries that fail among them: every answer against Spark."""
