"""Iterated dilemmas, against the axelrod library where it is installed."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from zermelo import UsageError, dilemma

# Deterministic strategies, by axelrod's names.
THEIRS = {
    "always cooperate": "Cooperator", "always defect": "Defector", "tit for tat": "TitForTat",
    "suspicious tit for tat": "SuspiciousTitForTat", "tit for two tats": "TitFor2Tats",
    "two tits for tat": "TwoTitsForTat", "grim": "Grudger", "pavlov": "WinStayLoseShift",
    "alternate": "Alternator",
}  # fmt: skip


def test_pairs_by_hand() -> None:
    d = dilemma(rounds=10)
    assert d.pair("tit for tat", "always defect") == (0.9, 1.4)  # 0 + 9 ones; 5 + 9 ones
    assert d.pair("always cooperate", "always defect") == (0, 5)
    assert d.pair("grim", "grim") == (3, 3)
    assert d.pair("tit for tat", "suspicious tit for tat") == (2.5, 2.5)
    assert d.ranking[0] != "always defect"


def test_the_same_as_axelrod() -> None:
    if "ZERMELO_SLOW" not in os.environ:
        pytest.skip("importing axelrod takes long: set ZERMELO_SLOW=1")
    axl = pytest.importorskip("axelrod", reason="axelrod is not installed")
    for rounds in (1, 20):
        d = dilemma(rounds=rounds)
        for one, a in THEIRS.items():
            for other, b in THEIRS.items():
                played = axl.Match((getattr(axl, a)(), getattr(axl, b)()), turns=rounds)
                played.play()
                scores = played.final_score_per_turn()
                assert d.pair(one, other) == pytest.approx(scores, abs=1e-12), (one, other)


def test_noise_discount_and_seed() -> None:
    assert dilemma(rounds=30, noise=0.1, seed=4) == dilemma(rounds=30, noise=0.1, seed=4)
    assert dilemma(rounds=30, noise=0.1, seed=4) != dilemma(rounds=30, noise=0.1, seed=5)
    d = dilemma(rounds=400, discount=0.5)
    # tit for tat loses the first round, which counts for half of all
    assert d.pair("tit for tat", "always defect") == pytest.approx((0.5, 3.0))
    calm, noisy = dilemma(), dilemma(noise=0.05, repeats=8)
    twins = "tit for tat", "tit for tat"
    assert noisy.pair(*twins)[0] < calm.pair(*twins)[0] - 0.3
    assert noisy.pair("pavlov", "pavlov")[0] > noisy.pair(*twins)[0]  # it finds back to peace


def test_yours_joins() -> None:
    def handshake(mine: str, theirs: str) -> str:
        return "DC"[len(mine)] if len(mine) < 2 else "C" if theirs[:2] == "DC" else "D"

    d = dilemma(handshake, rounds=50)
    assert "handshake" in d.names and d.pair("handshake", "handshake")[0] == pytest.approx(
        (1 + 3 * 49) / 50
    )
    alone = dilemma({"me": handshake, "you": lambda m, t: "C"}, classical=False, rounds=3)
    assert alone.names == ["me", "you"] and "me" in str(alone)


@pytest.mark.parametrize("bad", [
    {"rounds": 0}, {"rounds": True}, {"noise": 2}, {"noise": "x"}, {"discount": 0},
    {"payoffs": "1,2 3,4; 5,6 7,8"}, {"payoffs": "1 2 3"}, {"yours": 5}, {"yours": "abc"},
    {"yours": lambda m: "C"}, {"yours": {"grim": lambda m, t: "C"}}, {"repeats": -1},
    {"yours": {"x": lambda m, t: "E"}}, {"classical": False},
])  # fmt: skip
def test_wrong_input(bad: dict[str, object]) -> None:
    with pytest.raises(UsageError) as caught:
        dilemma(**bad)  # type: ignore[arg-type]
    assert caught.value.hint


def test_limits_are_told_truly(run: Any) -> None:
    for words, hint in (
        (("--rounds", "1000000"), "from 1 to 100,000"),
        (("--repeats", "1000000"), "from 1 to 100,000"),
        (("--discount", "0"), "above 0"),
        (("--noise", "2"), "from 0 to 1"),
    ):
        done = run("dilemma", *words)
        assert done.code == 2 and hint in done.err.partition("hint: ")[2]
    assert dilemma(rounds=2, discount=1e-12).pair("grim", "always defect") == pytest.approx((0, 5))


def test_a_strategy_that_raises(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("\ndef copy(mine, theirs):\n    return theirs[-1]\n")
    done = run("dilemma", "--with", f"{file}:copy")
    assert done.code == 2 and f"IndexError: string index out of range ({file}, line 3" in done.err
    assert "empty in the first round" in done.err and "doctor" not in done.err
    with pytest.raises(IndexError):  # in Python it comes out as it is
        dilemma(lambda mine, theirs: theirs[-1])


def test_command(run: Any, tmp_path: Path) -> None:
    told = run("dilemma", "--rounds", "20")
    assert told.code == 0 and "tit for tat" in told.out and "20 rounds" in told.out
    file = tmp_path / "mine.py"
    file.write_text('def nice_guy(mine, theirs):\n    return "C"\n')
    document = json.loads(
        run("dilemma", "--rounds", "5", "--with", f"{file}:nice_guy", "--json").out
    )
    assert "nice guy" in [r["name"] for r in document["ranking"]]
    assert run("dilemma", "--with", f"{file}:nobody").code == 2
    assert run("dilemma", "--noise", "7").code == 2
