"""The predicate compiler as a local Thrift service: framed, compact, on a Unix domain socket or loopback."""
