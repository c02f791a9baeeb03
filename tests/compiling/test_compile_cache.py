"""The cache of compiled rules: shared by processes, private, repaired."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

pytest.importorskip("numba")

SRC = Path(__file__).parents[2] / "src"

SCRIPT = """
import sys, time
start = time.perf_counter()
sys.path.insert(0, {tests!r})
import numba
from numba.core import event
from zermelo import compile
from test_compile import ConnectFour
recorder = event.RecordingListener()
with event.install_listener("numba:compile", recorder):
    game = compile(ConnectFour())
print(len(recorder.buffer), time.perf_counter() - start)
"""


def run(directory: Path) -> subprocess.Popen[str]:
    environment = {**os.environ, "ZERMELO_CACHE": str(directory)}
    paths = [p for p in sys.path if p]
    environment["PYTHONPATH"] = os.pathsep.join(paths)
    script = textwrap.dedent(SCRIPT.format(tests=str(Path(__file__).parent)))
    return subprocess.Popen(
        [sys.executable, "-c", script], env=environment, stdout=subprocess.PIPE, text=True
    )


def output(process: subprocess.Popen[str]) -> tuple[int, float]:
    out, _ = process.communicate(timeout=120)
    assert process.returncode == 0
    count, seconds = out.split()
    return int(count), float(seconds)


def test_two_processes_at_once_and_a_third_from_the_cache(tmp_path: Path) -> None:
    both = [run(tmp_path), run(tmp_path)]
    for process in both:
        output(process)
    compiled, _ = output(run(tmp_path))
    assert compiled == 0  # no function was compiled again
    directory = tmp_path / "compiled"
    assert not list(directory.glob("*.tmp"))
    if os.name == "posix":
        assert directory.stat().st_mode & 0o777 == 0o700


@pytest.mark.skipif(os.name != "posix", reason="modes")
def test_a_directory_that_others_can_write_to_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from zermelo.compiling.store import cache_directory

    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path))
    assert cache_directory() == tmp_path / "compiled"
    (tmp_path / "compiled").chmod(0o777)
    assert tmp_path not in cache_directory().parents
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path / "file"))
    assert tmp_path not in cache_directory().parents


def test_a_damaged_file_is_written_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from zermelo.compiling import store

    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path))
    store.load("answer = 1")
    name = store.module_name("answer = 1")
    path = tmp_path / "compiled" / f"{name}.py"
    path.write_text("answer = 2")
    monkeypatch.delitem(sys.modules, name)
    assert store.load("answer = 1").answer == 1
