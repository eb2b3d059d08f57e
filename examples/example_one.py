"""Example One of the memo: its equations, their proof, and a report of both. `make demo` runs this script."""

from pathlib import Path

import flexura as fx
from flexura import gallery

equations = fx.derive(gallery.example("example-one"))
certificate = fx.verify(equations)
print(f"{equations}\n\n{certificate}\n")

out = Path("out")
out.mkdir(exist_ok=True)
for path in (out / "example_one.html", out / "example_one.tex"):
    fx.report(equations, str(path))
    print(f"Written: {path}")
