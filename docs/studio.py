"""Makes docs/studio.png, the picture at the top of the README: python docs/studio.py [OUT.png]"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from browser import Browser  # noqa: E402
from studio import running  # noqa: E402

TREE = "max(a=min(3 12 8) b=min(2 4 6) c=min(14 5 2))"
LAST = "document.querySelector('#trees [data-part=last]')"


def main() -> None:
    out = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "studio.png"
    with tempfile.TemporaryDirectory() as folder, running(Path(folder) / "games.sqlite") as server:
        browser = Browser(1280, 840)
        browser.open(f"{server.url}#trees?text={TREE}&a=alphabeta")
        browser.wait(f"{LAST} !== null")
        browser.click(LAST)
        for _ in range(13):  # back to where the first cut is
            browser.click("document.querySelector('.stepper [data-part=back]')")
        browser.js("document.activeElement.blur(); scrollTo(0, 0)")
        browser.screenshot(out)
        browser.close()
    print(out)


if __name__ == "__main__":
    main()
