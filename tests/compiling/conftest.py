"""Fixtures of the tests of compiled rules."""

from __future__ import annotations

import os
from typing import Any

import pytest


@pytest.fixture(autouse=True, scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A cache of compiled rules for the tests of one file."""
    directory = tmp_path_factory.mktemp("cache")
    before = os.environ.get("ZERMELO_CACHE")
    os.environ["ZERMELO_CACHE"] = str(directory)
    yield directory
    if before is None:
        del os.environ["ZERMELO_CACHE"]
    else:
        os.environ["ZERMELO_CACHE"] = before
