"""Plans which partitions a filter can match, as ranges of keys in a catalogue (docs/inside/formats.md).

Plans are made from the compiler's expression, so they inherit its knowledge of types, NULL and functions.
"""
