"""Every game plays its golden playthrough still, and none is missing."""

from __future__ import annotations

import pytest

import contract
import playthrough
from zermelo.games import names

SPECS = contract.specs()


@pytest.mark.parametrize("spec", SPECS, ids=lambda s: s[:40])
def test_playthrough(spec: str) -> None:
    path = playthrough.file_of(spec)
    assert path.exists(), "missing: run python tests/helpers/playthrough.py"
    assert playthrough.playthrough(spec) == path.read_text(encoding="utf-8")


def test_none_is_missing_and_none_is_left_over() -> None:
    expected = {playthrough.file_of(spec) for spec in SPECS}
    assert len(expected) == len(SPECS), "two games share a file"
    assert set(playthrough.GOLDEN.glob("*")) == expected


def test_every_game_has_one() -> None:
    played = {
        path.read_text(encoding="utf-8").splitlines()[0] for path in playthrough.GOLDEN.glob("*")
    }
    for name in names():
        assert any(row.startswith(f"game: {name}") for row in played), name
