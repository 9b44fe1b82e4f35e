"""The command `hudi-skip`. Each command imports its part when it runs, so that others start quickly."""
