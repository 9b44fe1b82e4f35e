"""The command `hudi-skip`. Commands import what they need when they run, to start quickly."""
