"""Self-contained HTML pages that show what queries skip, and why."""
