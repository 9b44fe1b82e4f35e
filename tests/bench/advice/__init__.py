"""The layout that `hudi-skip advise` finds, against all layouts that one would try by hand."""
