"""Hudi's options for clustering a table by a layout."""

from collections.abc import Mapping
from typing import Final

from pycompiler.tools.advise.layout import Layout, Order

_PREFIX: Final = "hoodie.clustering.plan.strategy."
_MOST_BYTES: Final = 1 << 40
_MOST_GROUPS: Final = 10_000


def clustering_options(layout: Layout, file_size: int) -> Mapping[str, str]:
    """The options with which clustering rewrites the whole table by a layout.

    Hudi sorts within each group of files that it plans, of 2 GB by default, and plans 30 groups at most. So a
    larger table would neither be in order nor be rewritten as a whole without two of the options.

    Args:
        layout: The layout.
        file_size: Bytes of a new file.
    """
    options = {
        f"{_PREFIX}sort.columns": ",".join(layout.columns),
        f"{_PREFIX}target.file.max.bytes": str(file_size),
        # Files that are larger stay as they are.
        f"{_PREFIX}small.file.limit": str(_MOST_BYTES),
        f"{_PREFIX}max.bytes.per.group": str(_MOST_BYTES),
        f"{_PREFIX}max.num.groups": str(_MOST_GROUPS),
    }
    match layout.order:
        case Order.LINEAR:
            return options
        case Order.Z_ORDER | Order.HILBERT:
            return {
                **options,
                "hoodie.layout.optimize.strategy": layout.order.value,
                # By default the bits of the values make the curve: dates then outweigh small integers.
                "hoodie.layout.optimize.curve.build.method": "sample",
            }
