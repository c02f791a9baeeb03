"""What all tests share."""

from __future__ import annotations

import io
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from zermelo.ui.cli import main as cli

os.environ["ZERMELO_WORDS"] = str(Path(__file__).with_name("words.txt"))  # words of our own texts

# A shell that starts the tests in the background has Ctrl-C ignored; some tests press it.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


class Done:
    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    """The command in this process: main() as the shell would start it."""

    def call(*words: str, stdin: str | None = None) -> Done:
        monkeypatch.setattr(sys, "argv", ["zermelo", *words])
        if stdin is not None:
            monkeypatch.setattr(sys, "stdin", io.StringIO(stdin))
        monkeypatch.setattr(cli, "err", Console(stderr=True, highlight=False, soft_wrap=True))
        capsys.readouterr()
        with pytest.raises(SystemExit) as left:
            cli.main()
        printed = capsys.readouterr()
        code = left.value.code
        assert isinstance(code, int)
        return Done(code, printed.out, printed.err)

    return call


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A studio with small limits (tests/helpers/studio.py)."""
    from studio import LIMITS, running

    with running(tmp_path_factory.mktemp("studio") / "games.sqlite", limits=LIMITS) as found:
        yield found


@pytest.fixture(scope="session")
def window() -> Iterator[Any]:
    """A browser (tests/helpers/browser.py), one per worker."""
    from browser import Browser

    found = Browser()
    yield found
    found.close()


@pytest.fixture
def page(window: Any) -> Iterator[Any]:
    """A page whose errors, and whatever its policy refused, fail the test."""
    window.problems.clear()
    yield window
    problems = list(window.problems)
    window.call("Page.navigate", url="about:blank")  # or it would look for a server that is gone
    window.size(1280, 860)
    assert problems == []
