"""The search tree as one SVG picture, in textbook notation.

Triangles up for MAX and down for MIN, circles for chance and other players, boxes for leaves; the
best line in bold, cut branches struck out, bounds as ≥ and ≤, windows as [α, β].
"""

from __future__ import annotations

from itertools import islice

from ..trace import Trace
from .folding import Survey, Wishes
from .layout import Theme, styles, text_width, wrap
from .number import pretty
from .replay import Look
from .step_sentences import StepSentences
from .trace_text import summary
from .tree_picture import HALF_HEIGHT, MARGIN, Picture, escape, shape_of, text_at


def tree_svg(
    trace: Trace,
    *,
    step: int | None = None,
    max_nodes: int = 150,
    width: float | None = None,
    theme: Theme = "auto",
    wishes: Wishes | None = None,
    survey: Survey | None = None,
) -> str:
    """The search tree as SVG, after `step` events or at the end (None).

    Beyond `max_nodes`, nodes are folded into stubs ("+1,234"); `wishes` open and close some.
    `width` scales the picture to that many pixels. `theme` "auto" follows the reader's system.
    """
    if step is not None:
        step = max(0, min(step, len(trace.events)))
    picture = Picture(trace, max_nodes, wishes, survey)
    looks = picture.run(step)
    current = None
    heads = [("t1", trace.algorithm), ("t2", convention(trace))]
    if step is None:
        heads.insert(1, ("t2", summary(trace)))
    elif step:
        event = trace.events[step - 1]
        current = picture.folded.place[event.node]
        sentences = StepSentences(trace)
        for before in islice(trace.events, step - 1):
            sentences.follow(before)
        heads.append(("t3", f"step {step} of {len(trace.events)}: {sentences.describe(event)}"))
    return compose(picture, looks, heads, current=current, width=width, theme=theme)


def convention(trace: Trace) -> str:
    """The cut-off convention, and whose values are shown."""
    whose = "values are MAX's"
    if trace.players:
        names = [f"p{p + 1}" for p in range(trace.players)]
        whose = f"values are ({','.join(names[:6])}{',…' if len(names) > 6 else ''})'s"
    if trace.against is not None:
        one = f"p{trace.against + 1}"
        whose += f"; all the others play against {one}, windows are {one}'s"
    parts = [pretty(trace.convention), whose]
    parts += ["the trace is incomplete: the recording limit was reached" if trace.truncated else ""]
    return "; ".join(p for p in parts if p)


def compose(
    picture: Picture,
    looks: list[Look],
    heads: list[tuple[str, str]],
    *,
    current: int | None = None,
    width: float | None = None,
    theme: Theme = "auto",
    live: bool = False,
) -> str:
    """Heading, tree and legend in one SVG element."""
    trace = picture.trace
    wide = max(picture.width, 540.0)
    for spot in picture.spots:
        spot.x += (wide - picture.width) / 2
    out: list[str] = []
    y = MARGIN - 6
    for name, text in heads:
        size = {"t1": 17, "t2": 13, "t3": 14}[name]
        for line in wrap(text, wide - 2 * MARGIN, size, name != "t2"):
            y += size + 5
            out.append(text_at(name, MARGIN, y, line))
    picture.top = top = y + (30 if heads else 14) + HALF_HEIGHT
    out += picture.draw(looks, top, current, live)
    legend, height = _legend(picture, looks, wide, top + picture.height + 8, live)
    out += legend
    title = f"{trace.algorithm} search tree"
    grow = "" if picture.replay.known else " grow"
    scale = (width or wide) / wide
    size_of = f'width="{wide * scale:.0f}" height="{height * scale:.0f}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="zt {theme}{grow}" role="img" '
        f'viewBox="0 0 {wide:.0f} {height:.0f}" {size_of} aria-label="{escape(title)}">'
        f"<title>{escape(title)}</title><desc>{escape(_describe(trace, heads))}</desc>"
        f"<style>{styles(theme, live)}</style>"
        f'<rect class="paper" width="{wide:.0f}" height="{height:.0f}"/>'
        + "\n".join(out)
        + "</svg>"
    )


def _describe(trace: Trace, heads: list[tuple[str, str]]) -> str:
    size = f"{len(trace.nodes):,} nodes, {len(trace.events):,} steps"
    return ". ".join([size, *(text for _, text in heads if text), trace.convention]).strip(". ")


def _legend(
    picture: Picture, looks: list[Look], wide: float, y: float, live: bool
) -> tuple[list[str], float]:
    """The legend of the signs that occur, and the height of the picture."""
    trace = picture.trace
    names = {picture.class_of(None if s.node is None else picture.trace.nodes[s.node])
             for s in picture.spots}  # fmt: skip
    shapes = {"max": "MAX", "min": "MIN", "chance": "chance", "other": "player", "leaf": "leaf"}
    shapes |= {"leaf horizon": "horizon", "leaf table": "from the table", "stub": "folded nodes"}
    items = [(key, label) for key, label in shapes.items() if key in names]
    values = {v for look in looks for v in look.value}
    for changes in picture.changes:
        values |= {v for _, name, text in changes if name == "value" for v in str(text)}
    if (live and trace.events) or any(look.best is not None for look in looks):
        items.append(("pv", "selected last" if live and trace.simulations else "best line"))
    if (live and any(s.pruned for s in picture.spots)) or any(look.top for look in looks):
        items.append(("cut", "pruned"))
    if picture.survey.alike:
        items.append(("alike", "information set"))
    if values & {"≥", "≤"}:
        items.append(("", "≥ ≤ bound"))
    items += [("", "≈ estimate")] if "≈" in values else []
    ranges = picture.replay.windows and "chance" in names
    items += [("", "1…4 between" if ranges else "… so far")] if "…" in values else []
    items += [("", "[α, β] window")] if picture.replay.windows else []
    if trace.simulations:
        items += [("", "×n simulations"), ("", "UCB confidence bound")]
    out: list[str] = []
    x = MARGIN
    for key, label in items:
        room = (26 if key else 0) + text_width(label, 12) + 14
        if x + room > wide - MARGIN and x > MARGIN:
            x, y = MARGIN, y + 22
        out.append(_key(key, x + 9, y))
        out.append(text_at("k", x + (26 if key else 0), y + 4, label))
        x += room
    return out, y + 24


def _key(key: str, x: float, y: float) -> str:
    if key == "pv":
        return f'<g class="e pv"><polyline class="b" points="{x - 9},{y} {x + 9},{y}"/></g>'
    if key == "alike":
        return f'<polyline class="i" points="{x - 9},{y} {x + 9},{y}"/>'
    if key == "cut":
        line = f'<polyline class="b" points="{x - 11},{y} {x + 11},{y}"/>'
        across = f'<line class="x" x1="{x}" y1="{y - 6}" x2="{x}" y2="{y + 6}"/>'
        return f'<g class="e struck top">{line}{across}</g>'
    if key.startswith("leaf") or key == "stub":
        box = f'x="{x - 7}" y="{y - 7}" width="14" height="14" rx="2"'
        return f'<g class="{key}"><rect class="s" {box}/></g>'
    wide = 9 if key in ("max", "min") else 8
    return f'<g class="{key}">{shape_of(key, x, y, wide, 8)}</g>' if key else ""
