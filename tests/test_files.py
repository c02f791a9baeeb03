"""Files: written whole or not at all, read with one clear sentence where something is wrong."""

from __future__ import annotations

import itertools
import json
import os
import random
import signal
import stat
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import zermelo
from zermelo import files
from zermelo.equilibrium.policy import Policy
from zermelo.errors import UsageError


def killed_at_random(write: Callable[[int], object], check: Callable[[], object], n: int) -> None:
    """Start a process that writes again and again, kill it at a random moment, check the file."""
    rng = random.Random(1)
    for _ in range(n):
        ready, started = os.pipe()
        child = os.fork()
        if child == 0:
            write(0)
            os.write(started, b".")
            for number in itertools.count(1):
                write(number)
        os.read(ready, 1)
        time.sleep(rng.uniform(0.0, 0.04))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(ready)
        os.close(started)
        check()


def test_killed_saves_never_destroy_a_policy(tmp_path: Path) -> None:
    game = zermelo.load("kuhn")
    # few long rows: most of the time is spent writing
    table = {(i % 2, f"{i} {'x' * 500_000}"): {"bet": 0.5, "pass": 0.5} for i in range(10)}
    policy = Policy(game, table, (0.0, 0.0), 0.0)
    path = tmp_path / "policy.json"
    policy.save(path)
    assert path.stat().st_size > 5 * 10**5
    killed_at_random(lambda _: policy.save(path), lambda: Policy.load(path), 25)


def test_killed_writes_leave_the_old_or_the_new_content(tmp_path: Path) -> None:
    path = tmp_path / "data"
    files.write(path, b"0" * 10**6)

    def whole() -> None:
        data = path.read_bytes()
        assert len(data) == 10**6 and len(set(data)) == 1

    killed_at_random(lambda n: files.write(path, str(n % 10) * 10**6), whole, 25)


def test_stale_parts_are_removed_with_the_next_run(tmp_path: Path) -> None:
    old, new = tmp_path / ".0a.part", tmp_path / ".0b.part"
    for part in (old, new):
        part.write_bytes(b"x")
    os.utime(old, (1, 1))
    files.remove_stale_parts(tmp_path)
    assert not old.exists() and new.exists()


def test_a_full_disk_leaves_the_old_content(tmp_path: Path, monkeypatch: Any) -> None:
    path = tmp_path / "data"
    files.write(path, "old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(UsageError, match="No space left"):
        files.write(path, "new")
    assert path.read_text() == "old" and os.listdir(tmp_path) == ["data"]


def test_links_modes_and_devices_stay_what_they_are(tmp_path: Path) -> None:
    path, link = tmp_path / "data", tmp_path / "link"
    files.write(path, "1")
    assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~umask()
    path.chmod(0o600)
    link.symlink_to(path)
    files.write(link, "2")
    assert link.is_symlink() and path.read_text() == "2"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    files.write("/dev/null", "x")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)
    with pytest.raises(UsageError, match="No space left"):
        files.write("/dev/full", "x")
    assert stat.S_ISCHR(os.stat("/dev/full").st_mode)


def umask() -> int:
    old = os.umask(0)
    os.umask(old)
    return old


ODD_PATHS = ["", "/", "a\0b", "x" * 300, "/dev/full/x", "\udcff\udcfe/x", "no/such/folder/x", "."]


@pytest.mark.parametrize("path", ODD_PATHS)
def test_odd_paths(path: str, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    for use in (
        lambda: files.read_bytes(path),
        lambda: files.read_text(path),
        lambda: files.write(path, "x"),
        lambda: files.append(path, "x"),
        lambda: Policy.load(path),
    ):
        with pytest.raises(UsageError, match=r"cannot|holds no|invalid path"):
            use()
    assert not files.is_file(path)


def test_endless_files_are_refused() -> None:
    with pytest.raises(UsageError, match="more than 1,000 bytes"):
        files.read_bytes("/dev/zero", most=1000)


# -- policies ------------------------------------------------------------------------------------
def test_a_policy_file_runs_no_code(tmp_path: Path) -> None:
    rules = tmp_path / "evil.py"
    rules.write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\nclass Game: pass\n")
    path = tmp_path / "policy.json"
    zermelo.equilibrium(zermelo.load("kuhn"), iterations=10).save(path)
    document = json.loads(path.read_text())
    files_named = ("scrabble:words=/etc/passwd", "pacman:layout=/etc/passwd")
    for name in (f"{rules}:Game", f" {rules}:Game ", f"{rules}", str(tmp_path / "x.efg"),
                 *files_named):  # fmt: skip
        path.write_text(json.dumps(document | {"game": name}))
        with pytest.raises(UsageError, match="cannot be loaded by name") as raised:
            Policy.load(path)
        assert "Policy.load(path, game)" in raised.value.hint
    assert not (tmp_path / "ran").exists()


class Doubled(zermelo.Game):
    """Actions and observations that JSON has no word for."""

    players = 2

    def initial(self) -> Any:
        return ()

    def player(self, s: Any) -> int:
        return len(s)

    def actions(self, s: Any) -> Any:
        return [("take", 1), ("take", 2)]

    def result(self, s: Any, a: Any) -> Any:
        return (*s, a)

    def is_terminal(self, s: Any) -> bool:
        return len(s) == 2

    def utility(self, s: Any, p: int) -> float:
        return float((s[0][1] - s[1][1]) * (1, -1)[p])

    def observation(self, s: Any, p: int) -> Any:
        return (p, len(s))


def test_the_caller_names_the_game_of_a_python_file(tmp_path: Path) -> None:
    game = Doubled()
    policy = zermelo.equilibrium(game, iterations=20)
    policy.save(tmp_path / "p.json")
    again = Policy.load(tmp_path / "p.json", game)
    assert again.table == policy.table and again.action_probabilities() == pytest.approx(
        policy.action_probabilities()
    )


def test_damaged_policies_are_told(tmp_path: Path) -> None:
    path = tmp_path / "policy.json"
    zermelo.equilibrium(zermelo.load("kuhn"), iterations=10).save(path)
    text = path.read_text()
    document = json.loads(text)
    changes: list[dict[str, Any]] = [
        {"values": []}, {"values": [0.0] * 9}, {"values": 3}, {"policy": [{}]}, {"policy": {}},
        {"nash_conv": "x"}, {"nash_conv": []}, {"game": 5}, {"game": None}, {"format": "x"},
        {"policy": [{"player": 1e999, "sees": "K", "odds": []}]},
        {"policy": [{"player": 0, "sees": {}, "odds": [["a", 1.0]]}]},
        {"policy": [{"player": 9, "sees": "K", "odds": [["a", 1.0]]}]},
        {"policy": [{"player": 0, "sees": "K", "odds": [["a", -1.0], ["b", 2.0]]}]},
        {"policy": [{"player": 0, "sees": "K", "odds": [["a", float("nan")]]}]},
        {"policy": [{"player": 0, "sees": "K", "odds": [["a"]]}]},
    ]  # fmt: skip
    damaged = [json.dumps(document | change).encode() for change in changes]
    damaged += [b"", b"[]", b"\xff\xfe", b"[" * 100_000, b"1e999", text.encode()[:200], b"\0" * 99]
    rng = random.Random(2)
    for _ in range(200):
        at = rng.randrange(len(text))
        damaged.append(text[:at].encode() + bytes([rng.randrange(256)]) + text[at + 1 :].encode())
    refused = 0
    for data in damaged:
        path.write_bytes(data)
        try:
            Policy.load(path)
        except UsageError:
            refused += 1
    assert refused >= len(changes) + 7
