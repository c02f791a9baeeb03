"""For notebooks: a search to step through, as a widget (the extra ``notebook``: anywidget).

It mounts the module that the page of ``zermelo tree --html`` and the studio use.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from ..errors import UsageError, extra
from ..game import Game
from ..result import Result
from ..trace import Trace
from ..view.score_estimate import estimate, estimate_svg
from ..view.steps_html import asset, module, stepper

HEIGHT = 520  # pixels; the module fills what it is given

RENDER = """
export default { render({ model, el }) {
  const root = document.createElement("div");
  root.style.height = model.get("height") + "px";
  root.dataset.theme = "auto";
  root.innerHTML = model.get("svg");
  el.append(root);
  const start = model.get("step"); // mounting begins at 0
  const { go, fit, destroy } = mount(root, model.get("data"), {
    onStep: (k) => { model.set("step", k); model.save_changes(); },
  });
  go(start);
  model.on("change:step", () => go(model.get("step")));
  requestAnimationFrame(fit); // only now it has a size
  return destroy;
} };
"""


@cache
def _widget() -> Any:
    """The widget's class, created on first use: anywidget is an optional dependency."""
    try:
        import anywidget
        import traitlets
    except ImportError:
        raise UsageError(
            "the notebook widget needs anywidget, which is not installed",
            extra("notebook", "anywidget"),
        ) from None

    class Stepper(anywidget.AnyWidget):  # type: ignore[misc,unused-ignore]
        """A search, step by step; `step` is the current step."""

        _esm = module() + RENDER
        _css = asset("steps.css")
        svg = traitlets.Unicode().tag(sync=True)
        data = traitlets.Dict().tag(sync=True)
        step = traitlets.Int(0).tag(sync=True)
        height = traitlets.Int(HEIGHT).tag(sync=True)

    return Stepper


def steps(search: Result | Trace, *, max_nodes: int = 600, height: int = HEIGHT) -> Any:
    """A widget that steps through a search made with ``trace=True``."""
    trace = search.trace if isinstance(search, Result) else search
    if not isinstance(trace, Trace):
        raise UsageError("this result has no trace", "call zermelo.search(…, trace=True)")
    if isinstance(height, bool) or not isinstance(height, int) or not 100 <= height <= 5000:
        raise UsageError(f"invalid height={height!r}", "expected pixels, from 100 to 5000")
    made = stepper(trace, max_nodes)
    return _widget()(svg=made.svg, data=made.data, height=height)


@dataclass(frozen=True)
class Picture:
    """An image that a notebook displays, with its text."""

    text: str
    svg: str

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return f"<div>{self.svg}</div><p>{self.text}</p>"


def score_estimate(game: Game, s: Any) -> Picture:
    """The board with the expected owner of each square, and the expected margin in words.

    Args:
        game: A game with the hook `score_estimate`, such as Go.
        s: The position.

    Returns:
        What a notebook displays; its `text` has the margin.

    Raises:
        NotSupported: The game does not estimate the score.

    >>> import zermelo
    >>> go = zermelo.load("go:size=9,komi=0.5")
    >>> score_estimate(go, go.parse_state("E5 C3 E3 C5 E7 C7")).text.startswith("Score estimate: ")
    True
    """
    text, owners = estimate(game, s)
    return Picture(text, estimate_svg(game, owners, game.svg(s) or ""))
