"""Generate an exercise, check an answer, and write a sheet with its answer key."""

import tempfile
from pathlib import Path

from zermelo.exercise import Recipe, answer_of, check, make
from zermelo.exercise.sheet import Sheet, sheet_pdf, sheet_text

recipe = Recipe(depth=3, branching=(2, 3), cuts=3, above=True)
exercise = make(recipe, seed="alice")  # same seed, same tree
sheet = Sheet([exercise], "Alpha-beta", "Alice")
print(sheet_text(sheet))

right = answer_of(exercise)
print("answer key:", right)
marks = check(exercise, right | {"cuts": right["cuts"][1:]})  # one cut is missing
print(f"score {marks.score:.2f}; first mistake:", marks.first.reason)

folder = Path(tempfile.mkdtemp())
(folder / "sheet.pdf").write_bytes(sheet_pdf([sheet]))
(folder / "key.pdf").write_bytes(sheet_pdf([sheet], key=True))
print("wrote", *sorted(folder.iterdir()))
