"""Screenshots of the studio.

python docs/studio.py [OUT.png]         docs/studio.png, the picture at the top of the README
python docs/studio.py --panels FOLDER   every panel at 390, 800, 1280 and 1920 px, light and dark
"""

from __future__ import annotations

import base64
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests" / "helpers"))

from browser import Browser  # noqa: E402
from studio import Server, running  # noqa: E402

TREE = "max(a=min(3 12 8) b=min(2 4 6) c=min(14 5 2))"
LAST = "document.querySelector('#trees [data-part=last]')"
HEIGHTS = {390: 844, 800: 1000, 1280: 860, 1920: 1080}
PANELS = {  # the address of each panel, and what is clicked there
    "play": ("play", "#play [data-part=values]"),
    "trees": ("trees", "#trees [data-part=last]"),
    "analyse": ("analyse?game=connect-four&position=4455", "#analyse form .key"),
    "go": ("analyse?game=go&position=E5 C3 G3", "#analyse form .key"),
    "practise": ("practise", "#practise [data-part=answer] .key"),
}


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, running(Path(folder) / "games.sqlite") as server:
        browser = Browser(1280, 840)
        if sys.argv[1:2] == ["--panels"]:
            panels(browser, server, Path(sys.argv[2]))
        else:
            cover(browser, server, Path((sys.argv[1:] or [ROOT / "docs" / "studio.png"])[0]))
        browser.close()


def cover(browser: Browser, server: Server, out: Path) -> None:
    browser.open(f"{server.url}#trees?text={TREE}&a=alphabeta")
    browser.wait(f"{LAST} !== null")
    browser.click(LAST)
    for _ in range(13):  # back to the first cutoff
        browser.click("document.querySelector('.stepper [data-part=back]')")
    browser.js("document.activeElement.blur(); scrollTo(0, 0)")
    browser.screenshot(out)
    print(out)


def panels(browser: Browser, server: Server, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for width, height in HEIGHTS.items():
        for dark in (False, True):
            browser.size(width, height, dark)
            for name, (address, button) in PANELS.items():
                browser.open(f"{server.url}#{address}")
                browser.wait(f"document.querySelector('{button}')?.checkVisibility()")
                browser.js(f"document.querySelector('{button}').click()")
                browser.js("new Promise((done) => setTimeout(done, 2500))")
                out = folder / f"{name}-{width}-{'dark' if dark else 'light'}.png"
                whole_page(browser, width, out)
                print(out)


def whole_page(browser: Browser, width: int, out: Path) -> None:
    height = browser.js("document.documentElement.scrollHeight")
    clip = {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}
    got = browser.call(
        "Page.captureScreenshot", format="png", captureBeyondViewport=True, clip=clip
    )
    out.write_bytes(base64.b64decode(got["data"]))


if __name__ == "__main__":
    main()
