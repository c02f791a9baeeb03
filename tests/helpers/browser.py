"""A real browser for the tests: Chromium, headless, spoken to in its own protocol."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("chrome")
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--hide-scrollbars",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--remote-debugging-port=0",
]
KEYS = {"Enter": 13, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}
KEYS |= {"Home": 36, "End": 35, "Tab": 9}


class Browser:
    """One window. `problems` are the page's errors and whatever its policy refused."""

    def __init__(self, width: int = 1280, height: int = 860) -> None:
        from websockets.sync.client import connect

        self.folder = tempfile.mkdtemp(prefix="zermelo-browser-")
        command = [str(CHROMIUM), *FLAGS, f"--user-data-dir={self.folder}", "about:blank"]
        self.process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        port_file = Path(self.folder, "DevToolsActivePort")
        until(lambda: port_file.exists() and len(port_file.read_text().split()) == 2, 60)
        port, path = port_file.read_text().split()
        link = connect(f"ws://127.0.0.1:{port}{path}", max_size=None, open_timeout=30)
        self.socket = link.__enter__()
        self.number = 0
        self.session = ""
        self.problems: list[str] = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        attached = self.call("Target.attachToTarget", targetId=target, flatten=True)
        self.session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")
        self.size(width, height)

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        self.number += 1
        message: dict[str, Any] = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        self.socket.send(json.dumps(message))
        while True:
            answer = json.loads(self.socket.recv(timeout=60))
            self.note(answer)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                result: dict[str, Any] = answer["result"]
                return result

    def note(self, answer: dict[str, Any]) -> None:
        params = answer.get("params", {})
        if answer.get("method") == "Runtime.exceptionThrown":
            details = params["exceptionDetails"]
            told = details.get("exception", {}).get("description", details["text"])
            self.problems.append(told)
        if answer.get("method") == "Log.entryAdded" and params["entry"]["level"] == "error":
            entry = params["entry"]
            refused = "status of 400" in entry["text"] and "/api/" in entry.get("url", "")
            if not refused:  # a wrong input that the server answered in a sentence
                self.problems.append(entry["text"] + " " + entry.get("url", ""))

    def js(self, expression: str) -> Any:
        """What the expression is on the page."""
        got = self.call(
            "Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True
        )
        if "exceptionDetails" in got:
            raise RuntimeError(f"{expression}: {got['exceptionDetails']}")
        return got["result"].get("value")

    def wait(self, expression: str, seconds: float = 20) -> Any:
        """Until the expression is true on the page."""
        try:
            return until(lambda: self.js(expression), seconds)
        except TimeoutError:
            raise TimeoutError(f"never true: {expression}; {self.problems}") from None

    def size(self, width: int, height: int, dark: bool = False) -> None:
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < 500,
        )
        scheme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self.call("Emulation.setEmulatedMedia", features=scheme)

    def open(self, url: str) -> None:
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url=url)
        self.wait("document.documentElement?.dataset.ready === 'yes'", 40)

    def mouse(self, kind: str, x: float, y: float) -> None:
        self.call(
            "Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", buttons=1, clickCount=1
        )

    def middle(self, element: str) -> tuple[float, float]:
        """The middle of the element that the expression finds, scrolled into view.

        Waits until the element has the same place in three frames in a row: a click on a page that
        is still changing would miss it.
        """
        box = self.js(
            "(async () => { let last = '', same = 0, b;"
            " const frame = () => new Promise((done) => requestAnimationFrame(done));"
            f" for (let i = 0; i < 120 && same < 2; i++) {{ const e = {element};"
            "  e.scrollIntoView({block: 'center', behavior: 'instant'});"
            "  b = e.getBoundingClientRect();"
            "  const now = `${b.left} ${b.top} ${b.width} ${b.height}`;"
            "  same = now === last ? same + 1 : 0; last = now; await frame(); }"
            " return [b.left + b.width / 2, b.top + b.height / 2]; })()"
        )
        return box[0], box[1]

    def click(self, element: str) -> None:
        x, y = self.middle(element)
        self.mouse("mousePressed", x, y)
        self.mouse("mouseReleased", x, y)

    def drag(self, start: str, end: str) -> None:
        x, y = self.middle(start)
        self.mouse("mousePressed", x, y)
        u, v = self.middle(end)
        self.mouse("mouseMoved", u, v)
        self.mouse("mouseReleased", u, v)

    def key(self, name: str) -> None:
        for kind in ("keyDown", "keyUp"):
            self.call(
                "Input.dispatchKeyEvent",
                type=kind,
                key=name,
                windowsVirtualKeyCode=KEYS.get(name, ord(name[0].upper())),
                **({"text": "\r"} if name == "Enter" and kind == "keyDown" else {}),
            )

    def type(self, element: str, text: str) -> None:
        """As a person does who replaces what stands there."""
        self.js(f"(() => {{ const e = {element}; e.focus(); e.select(); }})()")
        self.call("Input.insertText", text=text)

    def screenshot(self, path: Path) -> None:
        got = self.call("Page.captureScreenshot", format="png")
        path.write_bytes(base64.b64decode(got["data"]))

    def close(self) -> None:
        self.socket.close()
        self.process.terminate()
        self.process.wait(20)
        shutil.rmtree(self.folder, ignore_errors=True)


def until(what: Any, seconds: float) -> Any:
    """What it gives, once that is true."""
    end = time.monotonic() + seconds
    while True:
        if found := what():
            return found
        if time.monotonic() > end:
            raise TimeoutError
        time.sleep(0.03)
