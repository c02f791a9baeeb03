"""Watch alpha-beta: every step in words, the tree as an SVG file and as an HTML page."""

import tempfile
from pathlib import Path

import zermelo
from zermelo.view.steps_html import steps_html
from zermelo.view.steps_text import steps_text
from zermelo.view.tree_svg import tree_svg

game = zermelo.tree("max(L=min(L=max(3 5) R=max(6 9)) R=min(L=max(1 2) R=max(0 -1)))")
result = zermelo.search(game, algorithm="alphabeta", trace=True)
for line in steps_text(result.trace):
    print(line)

folder = Path(tempfile.mkdtemp())
(folder / "tree.svg").write_text(tree_svg(result.trace), encoding="utf-8")
(folder / "tree.html").write_text(steps_html(result.trace, title="alpha-beta"), encoding="utf-8")
print("wrote", *sorted(folder.iterdir()))
