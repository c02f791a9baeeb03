"""The frame of a training curve."""

from __future__ import annotations

from collections.abc import Iterable


def curve_svg(title: str, words: str, parts: Iterable[str], width: float, height: float) -> str:
    """An SVG of these parts, with `words` below them; classes: grid, zero, line, mid, end."""
    below = f'<text x="{width / 2}" y="{height - 8}" class="mid">{words}</text>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" role="img"><title>{title}</title>{STYLE}'
        f'<rect class="bg" width="100%" height="100%" rx="6"/>{"".join(parts)}{below}</svg>\n'
    )


STYLE = """<style>
.bg{fill:#fff}text{font:12px system-ui,sans-serif;fill:#556}.mid{text-anchor:middle}
.end{text-anchor:end}.grid,.zero{stroke:#dde2ea;fill:none}.zero{stroke:#8a94a6}
.line{fill:none;stroke-width:2;stroke:#2f6fd0}
@media(prefers-color-scheme:dark){.bg{fill:#14161a}text{fill:#9aa4b2}.grid{stroke:#2a2f38}
.zero{stroke:#6b7686}.line{stroke:#6ea2f2}}
</style>"""
