"""What several modules share."""

from collections.abc import Iterator

import pytest

from .handler_listings import HandlerListings


@pytest.fixture(scope="session")
def listings() -> Iterator[HandlerListings]:
    """What the handler lists by an index, held against what Hudi lists."""
    with HandlerListings() as started:
        yield started
