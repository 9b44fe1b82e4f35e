"""Files skipped by ORDER BY and LIMIT."""
