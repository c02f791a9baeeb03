"""The same picture as tree_svg's as a page of PDF: lines, shapes and the fonts every reader has.

A PDF needs no more than objects, a table of where they stand and a page description; Helvetica and
Symbol (for α, β, ≤, ≥, ∞) are in every reader, so nothing is embedded.
"""

from __future__ import annotations

import unicodedata
import zlib
from dataclasses import dataclass, field
from math import hypot

from ..trace import Trace, TraceNode
from .folding import Spot, is_leaf
from .layout import CHANCE, LIGHT, MAX, MIN
from .steps_text import Look, player_name
from .tree_picture import BESIDE, HALF_HEIGHT, LABEL_ABOVE, LEAF_HALF, Picture

A4 = (595.0, 842.0)
LETTER = (612.0, 792.0)
Point = tuple[float, float]
KAPPA = 0.5523  # how far a quarter of a circle's control points reach

# Widths of Helvetica's letters from the space to the tilde, in thousandths of its size.
_WIDTHS = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
    611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667,
    667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500,
    222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
]  # fmt: skip
# What Helvetica lacks, in the font Symbol: its code and width.
_SYMBOLS = {"α": (0x61, 631), "β": (0x62, 549), "≤": (0xA3, 549), "≥": (0xB3, 549),
            "∞": (0xA5, 713), "→": (0xAE, 987), "≈": (0xBB, 549)}  # fmt: skip

_PLAIN = dict(zip("ŁłĐđĦħıŦŧ", "LlDdHhiTt", strict=True))


def readable(text: str) -> str:
    """The text in letters that the standard fonts have: ą becomes a, what is left becomes ?."""
    out = []
    for c in text:
        if c in _SYMBOLS or c == "\u2212":
            out.append("-" if c == "\u2212" else c)
            continue
        for variant in (c, unicodedata.normalize("NFKD", c)[:1], _PLAIN.get(c, "\u0100")):
            try:
                variant.encode("cp1252")
            except UnicodeEncodeError:
                continue
            out.append(variant if variant.isprintable() else " ")
            break
        else:
            out.append("?")
    return "".join(out)


def width_of(text: str, size: float) -> float:
    total = 0
    for c in readable(text):
        if c in _SYMBOLS:
            total += _SYMBOLS[c][1]
        else:
            total += _WIDTHS[ord(c) - 32] if 32 <= ord(c) < 127 else 556
    return total * size / 1000


def _rgb(colour: str) -> str:
    return " ".join(f"{int(colour[i : i + 2], 16) / 255:.3f}" for i in (1, 3, 5))


class Page:
    """A page description in points; y goes down, as on a screen."""

    def __init__(self, size: tuple[float, float] = A4) -> None:
        self.size = size
        self.out: list[str] = []
        self.scale, self.dx, self.dy = 1.0, 0.0, 0.0  # of all that is drawn

    def at(self, x: float, y: float) -> str:
        return f"{self.dx + x * self.scale:.2f} {self.size[1] - self.dy - y * self.scale:.2f}"

    def pen(self, colour: str, width: float, dash: str = "") -> None:
        self.out.append(f"{_rgb(colour)} RG {width * self.scale:.2f} w [{dash}] 0 d 1 J 1 j")

    def lines(self, points: list[Point], closed: bool = False, fill: str = "") -> None:
        path = " l ".join(self.at(x, y) for x, y in points).replace(" l ", " m ", 1) + " l"
        paint = ("b" if fill else "s") if closed else "S"
        self.out.append((f"{_rgb(fill)} rg " if fill else "") + f"{path} {paint}")

    def ellipse(self, x: float, y: float, rx: float, ry: float, fill: str) -> None:
        kx, ky = KAPPA * rx, KAPPA * ry
        at = self.at
        curves = [
            (x + rx, y - ky, x + kx, y - ry, x, y - ry),
            (x - kx, y - ry, x - rx, y - ky, x - rx, y),
            (x - rx, y + ky, x - kx, y + ry, x, y + ry),
            (x + kx, y + ry, x + rx, y + ky, x + rx, y),
        ]
        path = f"{at(x + rx, y)} m " + " ".join(
            f"{at(a, b)} {at(c, d)} {at(e, f)} c" for a, b, c, d, e, f in curves
        )
        self.out.append(f"{_rgb(fill)} rg {path} b")

    def text(self, x: float, y: float, text: str, size: float, *, bold: bool = False,
             middle: bool = False, colour: str = LIGHT["ink"]) -> None:  # fmt: skip
        text = readable(text)
        if middle:
            x -= width_of(text, size) / 2
        self.out.append(f"BT {_rgb(colour)} rg {self.at(x, y)} Td")
        run, symbol = bytearray(), False
        for c in [*text, ""]:
            if run and (not c or (c in _SYMBOLS) != symbol):
                font = "F3" if symbol else "F2" if bold else "F1"
                self.out.append(f"/{font} {size * self.scale:.2f} Tf <{run.hex()}> Tj")
                run = bytearray()
            if c:
                symbol = c in _SYMBOLS
                run += bytes([_SYMBOLS[c][0]]) if symbol else c.encode("cp1252")
        self.out.append("ET")


@dataclass(slots=True)
class Document:
    """Pages, and the file that holds them."""

    title: str = ""
    pages: list[Page] = field(default_factory=list)

    def page(self, size: tuple[float, float] = A4) -> Page:
        self.pages.append(Page(size))
        return self.pages[-1]

    def to_bytes(self) -> bytes:
        objects: list[bytes] = [b"<</Type/Catalog/Pages 2 0 R>>"]
        kids = " ".join(f"{7 + 2 * i} 0 R" for i in range(len(self.pages)))
        objects.append(f"<</Type/Pages/Kids[{kids}]/Count {len(self.pages)}>>".encode())
        for name in ("Helvetica", "Helvetica-Bold"):
            objects.append(f"<</Type/Font/Subtype/Type1/BaseFont/{name}"
                           "/Encoding/WinAnsiEncoding>>".encode())  # fmt: skip
        objects.append(b"<</Type/Font/Subtype/Type1/BaseFont/Symbol>>")
        objects.append(f"<</Title<{self.title.encode('utf-16').hex()}>>>".encode()
                       if self.title else b"<<>>")  # fmt: skip
        for i, page in enumerate(self.pages):
            fonts = "/Resources<</Font<</F1 3 0 R/F2 4 0 R/F3 5 0 R>>>>"
            box = f"/MediaBox[0 0 {page.size[0]:g} {page.size[1]:g}]"
            body = zlib.compress("\n".join(page.out).encode("ascii"))
            objects.append(f"<</Type/Page/Parent 2 0 R{box}{fonts}"
                           f"/Contents {8 + 2 * i} 0 R>>".encode())  # fmt: skip
            objects.append(b"<</Length %d/Filter/FlateDecode>>stream\n%b\nendstream"
                           % (len(body), body))  # fmt: skip
        out = bytearray(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
        places = []
        for i, made in enumerate(objects, 1):
            places.append(len(out))
            out += b"%d 0 obj%b endobj\n" % (i, made)
        start = len(out)
        out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
        out += b"".join(b"%010d 00000 n \n" % place for place in places)
        out += b"trailer<</Size %d/Root 1 0 R/Info 6 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (
            len(objects) + 1, start)  # fmt: skip
        return bytes(out)


# -- the tree --------------------------------------------------------------------------------
def draw_tree(page: Page, trace: Trace, box: tuple[float, float, float, float]) -> float:
    """Draws the trace's tree into (x, y, width, height); the height it took."""
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
             "3 3" if look.struck else "")  # fmt: skip
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
        half = width_of(label, 12) / 2 + 2
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
    page.pen(stroke, 1.2 if look.struck else 1.8, "3 3" if look.struck else "")
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
            told = player_name(node.player, picture.many)
            page.text(x, y + 4.5, told, 13, middle=True, colour=LIGHT["dim"])
    base = y + (2.0 if picture.inside else -6.0 if picture.replay.windows else 5.0)
    for k, (text, size, colour) in enumerate(lines):
        if text:
            page.text(x + picture.half + BESIDE, base + 13.5 * k, text, size, colour=colour)
