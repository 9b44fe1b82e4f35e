"""The only package that knows Thrift: reads requests into predicates, and writes answers as bytes."""
