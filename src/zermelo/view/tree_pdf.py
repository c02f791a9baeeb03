"""The tree of tree_svg as vector graphics in a PDF page, written with fpdf2.

Most texts use Helvetica and Symbol (for α, β, ≤, ≥, ∞), which every PDF reader has, so nothing is
embedded. A text with other letters, such as the name of a student, uses a TrueType font of the
system; if there is none, accents are dropped.
"""

from __future__ import annotations

import unicodedata
from functools import cache
from itertools import groupby
from math import hypot
from pathlib import Path
from typing import Any

from ..errors import UsageError, extra
from ..trace import Trace, TraceNode
from .folding import Spot, is_leaf
from .layout import CHANCE, LIGHT, MAX, MIN
from .replay import Look
from .trace_text import player_name
from .tree_picture import BESIDE, HALF_HEIGHT, LABEL_ABOVE, LEAF_HALF, Picture

A4 = (595.0, 842.0)
LETTER = (612.0, 792.0)
Point = tuple[float, float]

# What Helvetica lacks, as characters of the font Symbol.
_SYMBOLS = {"α": "a", "β": "b", "≤": "\xa3", "≥": "\xb3", "∞": "\xa5", "→": "\xae", "≈": "\xbb"}
_UNICODE_FONTS = ("DejaVuSans", "LiberationSans-Regular", "NotoSans-Regular", "Arial", "arial")
_FONT_FOLDERS = (
    "/usr/share/fonts",
    "/usr/local/share/fonts",
    "~/.local/share/fonts",
    "~/.fonts",
    "/System/Library/Fonts/Supplemental",
    "/Library/Fonts",
    "C:/Windows/Fonts",
)
_PLAIN = dict(zip("ŁłĐđĦħıŦŧ", "LlDdHhiTt", strict=True))


@cache
def _unicode_font() -> Path | None:
    """Return a TrueType font of the system with many letters; None if there is none."""
    for name in _UNICODE_FONTS:
        for folder in _FONT_FOLDERS:
            for path in sorted(Path(folder).expanduser().rglob(f"{name}.ttf")):
                return path
    return None


def _bold(path: Path) -> Path:
    """Return the bold variant of a font, or the font itself."""
    stem = path.stem.removesuffix("-Regular")
    for name in (f"{stem}-Bold.ttf", f"{stem} Bold.ttf", f"{stem}bd.ttf"):
        if path.with_name(name).is_file():
            return path.with_name(name)
    return path


def _is_core(c: str) -> bool:
    """Return whether Helvetica or Symbol has the character."""
    return c in _SYMBOLS or (ord(c) < 256 and c.isprintable())


def _without_accents(text: str) -> str:
    """Return the text in characters of the core fonts: ą becomes a, unknown ones become ?."""
    out = []
    for c in text:
        variants = (c, _PLAIN.get(c, ""), unicodedata.normalize("NFKD", c)[:1])
        out.append(next((v for v in variants if v and _is_core(v)), "?"))
    return "".join(out)


def _rgb(colour: str) -> tuple[int, int, int]:
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return red, green, blue


class Document:
    """A PDF document.

    Raises:
        UsageError: fpdf2 is missing.
    """

    def __init__(self, title: str = "") -> None:
        try:
            from fpdf import FPDF
        except ImportError:
            raise UsageError("PDF files need fpdf2", extra("pdf", "fpdf2")) from None
        self.pdf: Any = FPDF(unit="pt")
        self.pdf.set_auto_page_break(False)
        self.pdf.set_title(title)
        self._glyphs: Any = None  # of the TrueType font, once it is loaded

    def page(self, size: tuple[float, float] = A4) -> Page:
        """Add a page. Draw on a page before you add the next one."""
        self.pdf.add_page(format=size)
        return Page(self, size)

    def to_bytes(self) -> bytes:
        """Return the content of the file."""
        if not self.pdf.pages:
            self.pdf.add_page(format=A4)
        return bytes(self.pdf.output())

    def runs(self, text: str, bold: bool) -> list[tuple[str, str, str]]:
        """Split a text into parts of one font: its family, its style and the characters."""
        text = "".join(c if c.isprintable() else " " for c in text.replace("\u2212", "-"))
        style = "B" if bold else ""
        if not all(map(_is_core, text)):
            if glyphs := self._unicode_glyphs():
                shown = [c if ord(c) in glyphs else _without_accents(c) for c in text]
                return [("unicode", style, "".join(shown))]
            text = _without_accents(text)
        parts = []
        for symbol, run in groupby(text, key=_SYMBOLS.__contains__):
            letters = "".join(run)
            if symbol:
                parts.append(("symbol", "", "".join(_SYMBOLS[c] for c in letters)))
            else:
                parts.append(("helvetica", style, letters))
        return parts

    def _unicode_glyphs(self) -> Any:
        if self._glyphs is None:
            path = _unicode_font()
            if path is None:
                self._glyphs = {}
            else:
                self.pdf.add_font("unicode", "", path)
                self.pdf.add_font("unicode", "B", _bold(path))
                self._glyphs = self.pdf.fonts["unicode"].cmap
        return self._glyphs

    def width_of(self, text: str, size: float, bold: bool = False) -> float:
        """Return the width of a text in points."""
        total = 0.0
        for family, style, letters in self.runs(text, bold):
            self.pdf.set_font(family, style, size)
            total += self.pdf.get_string_width(letters)
        return total


class Page:
    """A page; lengths are in points, y goes down."""

    def __init__(self, document: Document, size: tuple[float, float] = A4) -> None:
        self.document, self.pdf, self.size = document, document.pdf, size
        self.scale, self.dx, self.dy = 1.0, 0.0, 0.0  # of everything drawn on the page

    def at(self, x: float, y: float) -> Point:
        return self.dx + x * self.scale, self.dy + y * self.scale

    def pen(self, colour: str, width: float, dashed: bool = False) -> None:
        self.pdf.set_draw_color(*_rgb(colour))
        self.pdf.set_line_width(width * self.scale)
        dash = 3 if dashed else 0
        self.pdf.set_dash_pattern(dash=dash, gap=dash)

    def lines(self, points: list[Point], closed: bool = False, fill: str = "") -> None:
        corners = [self.at(x, y) for x, y in points]
        if fill:
            self.pdf.set_fill_color(*_rgb(fill))
        style = "DF" if fill else "D"
        if closed:
            self.pdf.polygon(corners, style=style)
        else:
            self.pdf.polyline(corners)

    def ellipse(self, x: float, y: float, rx: float, ry: float, fill: str) -> None:
        self.pdf.set_fill_color(*_rgb(fill))
        left, top = self.at(x - rx, y - ry)
        self.pdf.ellipse(left, top, 2 * rx * self.scale, 2 * ry * self.scale, style="DF")

    def width_of(self, text: str, size: float, bold: bool = False) -> float:
        return self.document.width_of(text, size, bold)

    def text(self, x: float, y: float, text: str, size: float, *, bold: bool = False,
             middle: bool = False, colour: str = LIGHT["ink"]) -> None:  # fmt: skip
        if middle:
            x -= self.width_of(text, size, bold) / 2
        left, base = self.at(x, y)
        self.pdf.set_text_color(*_rgb(colour))
        for family, style, letters in self.document.runs(text, bold):
            self.pdf.set_font(family, style, size * self.scale)
            self.pdf.text(left, base, letters)
            left += self.pdf.get_string_width(letters)


# -- the tree --------------------------------------------------------------------------------
def draw_tree(page: Page, trace: Trace, box: tuple[float, float, float, float]) -> float:
    """Draw the tree of a trace into (x, y, width, height); return the height that it took."""
    picture = Picture(trace, max_nodes=500)
    looks = picture.run(None)
    x, y, wide, high = box
    scale = min(wide / picture.width, high / (picture.height + HALF_HEIGHT), 1.1)
    before = (page.scale, page.dx, page.dy)
    page.scale = scale
    page.dx, page.dy = x + (wide - picture.width * scale) / 2, y + HALF_HEIGHT * scale
    line = picture.best_line(looks)
    for i, spot in enumerate(picture.spots):
        if spot.parent is not None:
            _edge(page, picture, i, looks[i], i in line)
    for spot, look in zip(picture.spots, looks, strict=True):
        _node(page, picture, spot, look)
    page.scale, page.dx, page.dy = before
    return (picture.height + HALF_HEIGHT) * scale


def _edge(page: Page, picture: Picture, i: int, look: Look, best: bool) -> None:
    spot = picture.spots[i]
    assert spot.parent is not None
    above = picture.spots[spot.parent]
    x1, y1 = above.x, above.y + picture.half_height(above)
    x2, y2 = spot.x, spot.y - picture.half_height(spot)
    bold = best and not look.struck
    page.pen(LIGHT["best"] if bold else LIGHT["line"], 3.5 if bold else 1.3,
             look.struck)  # fmt: skip
    bent = picture.bent[spot.parent]
    turn = y2 - 2 * LABEL_ABOVE + 3 if bent else y2
    page.lines([(x1, y1), (x2, turn), (x2, y2)] if bent else [(x1, y1), (x2, y2)])
    if look.top:
        x, y = (x1 + x2) / 2, (y1 + turn) / 2
        length = hypot(x2 - x1, turn - y1) or 1.0
        nx, ny = -(turn - y1) / length * 8, (x2 - x1) / length * 8
        page.pen(LIGHT["cut"], 2.6)
        page.lines([(x - nx, y - ny), (x + nx, y + ny)])
    if label := picture.label(spot):
        t = 0.0 if bent else LABEL_ABOVE / (y2 - y1)
        x, y = x2 + (x1 - x2) * t, y2 - LABEL_ABOVE + 4
        half = page.width_of(label, 12) / 2 + 2
        page.pen(LIGHT["paper"], 0.1)
        page.lines([(x - half, y - 10), (x + half, y - 10), (x + half, y + 3), (x - half, y + 3)],
                   closed=True, fill=LIGHT["paper"])  # fmt: skip
        page.text(x, y, label, 12, middle=True, colour=LIGHT["dim"])


def _node(page: Page, picture: Picture, spot: Spot, look: Look) -> None:
    node = None if spot.node is None else picture.trace.nodes[spot.node]
    x, y = spot.x, spot.y
    name = picture.class_of(node).split()[0]
    stroke = LIGHT.get(name, LIGHT["line"]) if name != "leaf" else LIGHT["line"]
    fill = LIGHT.get(f"{name}f", LIGHT["leaf"])
    if look.struck:
        stroke, fill = LIGHT["line"], LIGHT["paper"]
    page.pen(stroke, 1.2 if look.struck else 1.8, look.struck)
    if node is None or is_leaf(node):
        wide = min(spot.left, max(LEAF_HALF, picture._leaf_half(spot)))
        h = LEAF_HALF
        page.lines([(x - wide, y - h), (x + wide, y - h), (x + wide, y + h), (x - wide, y + h)],
                   closed=True, fill=fill)  # fmt: skip
        page.text(x, y + 5, look.value if node else f"+{spot.hidden:,}", 14, middle=True)
        return
    h, w = HALF_HEIGHT, picture.half
    if name == "max":
        page.lines([(x, y - h), (x + w, y + h), (x - w, y + h)], closed=True, fill=fill)
    elif name == "min":
        page.lines([(x - w, y - h), (x + w, y - h), (x, y + h)], closed=True, fill=fill)
    else:
        page.ellipse(x, y, picture.radius, h, fill)
    _texts(page, picture, node, look, x, y)


def _texts(page: Page, picture: Picture, node: TraceNode, look: Look, x: float, y: float) -> None:
    lines = [(look.window, 12, LIGHT["dim"]), (look.cut, 12, LIGHT["cut"])]
    if picture.inside:
        dy = {MAX: 13.0, MIN: -2.0}.get(node.player, 5.5)
        page.text(x, y + dy, look.value, 15, bold=True, middle=True)
    else:
        lines.insert(0, (look.value, 15, LIGHT["ink"]))
        if node.player != CHANCE and (picture.many or node.player not in (MAX, MIN)):
            name = player_name(node.player, picture.many)
            page.text(x, y + 4.5, name, 13, middle=True, colour=LIGHT["dim"])
    base = y + (2.0 if picture.inside else -6.0 if picture.replay.windows else 5.0)
    for k, (text, size, colour) in enumerate(lines):
        if text:
            page.text(x + picture.half + BESIDE, base + 13.5 * k, text, size, colour=colour)
