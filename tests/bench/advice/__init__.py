"""The layout that `hudi-skip advise` finds, against every layout that one might try by hand."""
