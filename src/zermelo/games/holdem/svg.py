"""The table of hold'em as SVG."""

from __future__ import annotations

from collections.abc import Sequence

from ..drawing import LINE, svg, text, texts, wrapped

SIGNS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
WIDE, HIGH = 46, 62  # of a card
STEP = 52
WIDTH = 320  # of the picture

STYLE = (
    "<style>.felt{fill:#2f7d57}.card{fill:#fff;stroke:#556;stroke-width:1.2}"
    ".back{fill:#2456a6;stroke:#fff;stroke-width:2}.gap{fill:none;stroke:#7fb899;"
    "stroke-dasharray:4 4}.face{font:bold 20px system-ui,sans-serif;fill:#222;"
    "text-anchor:middle}.face.red{fill:#c22}.turn{font-weight:bold}"
    "@media(prefers-color-scheme:dark){.felt{fill:#1f5a3e}.card{fill:#dfe3ea}"
    ".back{fill:#1d3f78;stroke:#9aa4b2}.gap{stroke:#4d8a6b}}</style>"
)


def card(x: float, y: float, name: str | None) -> str:
    """A card by its name; "" is face down, None is not dealt."""
    css = "gap" if name is None else "card" if name else "back"
    box = f'<rect class="{css}" x="{x:g}" y="{y:g}" width="{WIDE}" height="{HIGH}" rx="6"/>'
    if not name:
        return box
    red = " red" if name[1] in "dh" else ""
    return (
        f'{box}<text class="face{red}" x="{x + WIDE / 2:g}" y="{y + 27:g}">{name[0]}</text>'
        f'<text class="face{red}" x="{x + WIDE / 2:g}" y="{y + 52:g}">{SIGNS[name[1]]}</text>'
    )


def table(
    title: str,
    hands: Sequence[Sequence[str | None]],
    open_cards: Sequence[str],
    labels: Sequence[str],
    betting: Sequence[str],
) -> str:
    """Both hands, the upper one first, the community cards between them, and the betting below.

    `betting` has one sentence per round.
    """
    middle = WIDTH / 2
    parts = [STYLE, '<rect class="felt" x="8" y="112" width="304" height="82" rx="14"/>']
    for i, y in ((0, 30), (1, 218)):
        for k, name in enumerate(hands[i]):
            parts.append(card(middle - STEP + STEP * k + 3, y, name))
        parts.append(text(middle, 22 if i == 0 else 298, labels[i]))
    for k in range(5):
        name = open_cards[k] if k < len(open_cards) else None
        parts.append(card(33 + STEP * k, 122, name))
    rows = wrapped(betting, WIDTH)
    parts.append(texts(middle, 322, rows))
    return svg(WIDTH, 336 + LINE * max(0, len(rows) - 1), title, "".join(parts))
