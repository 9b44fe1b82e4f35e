"""Which partitions a filter can match, as ranges of keys in a sorted catalogue (docs/scan-plans.md).

A plan is made of the compiler's expression, so that whatever the compiler knows of types, NULL and functions
holds here too.
"""
