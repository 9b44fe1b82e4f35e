import os

import pytest


@pytest.fixture(autouse=True)
def _no_waiting_for_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """No machine goes down in these tests."""
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)
