"""Prints the README's command that is marked `<!-- command: NAME -->`."""

import re
import sys
from pathlib import Path

readme = Path(__file__).parent.parent.joinpath("README.md").read_text(encoding="utf-8")
found = re.search(rf"<!-- command: {sys.argv[1]} -->\n```sh\n(.*?)\n```", readme, re.DOTALL)
if not found:
    sys.exit(f"README.md has no command {sys.argv[1]!r}")
print(found[1])
