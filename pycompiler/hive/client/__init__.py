"""Talks to HiveServer2: sessions, and the parts of statements."""
