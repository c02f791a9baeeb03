"""``python -m zermelo`` and the command ``zermelo``.

UCI starts without the imports of the command line, because chess clients wait for it.
"""

from __future__ import annotations

import sys


def main() -> None:
    if sys.argv[1:] == ["uci"]:  # without the command line's own imports
        from .ui.uci import main as uci

        uci()
    else:
        from .ui.cli.main import main as cli

        cli()


if __name__ == "__main__":
    main()
