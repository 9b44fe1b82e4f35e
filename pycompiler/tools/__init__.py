"""What a person runs: the command `hudi-skip`, its pages and its advice."""
