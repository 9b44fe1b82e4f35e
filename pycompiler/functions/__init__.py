"""What functions say about their arguments: one small class for each rule (docs/functions.md)."""
