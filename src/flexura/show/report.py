"""`write_report`: a derivation and its proof as a file to read, print or hand in.

>>> write_report(equations, verify(equations), "out/example_one.html")
>>> write_report(equations, certificate, "report.tex", title="Example One")
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from flexura.derivation.equations.certificate import Certificate
from flexura.derivation.equations.equations import Equations
from flexura.derivation.routes import equations_of
from flexura.derivation.verify import verify
from flexura.errors import FlexuraError
from flexura.files.writing import replacing
from flexura.show.document import Report
from flexura.show.html import html
from flexura.show.markdown import markdown
from flexura.show.story import story
from flexura.show.tex import tex

WRITERS: dict[str, Callable[[Report], str]] = {".html": html, ".tex": tex, ".md": markdown}
"""The formats, by the ending of the path."""


def report(system: Any, path: str | Path, title: str | None = None) -> Path:
    """Derive, prove and write a report; the path ends in .html, .tex or .md. Returns the path.

    >>> fx.report(model, "out/model.html", title="Arm with payload")
    """
    equations = equations_of(system)
    return write_report(equations, verify(equations), path, title)


def write_report(equations: Equations, certificate: Certificate, path: str | Path, title: str | None = None) -> Path:
    """Write the report; the ending of `path` decides the format. Returns the path."""
    path = Path(path)
    writer = WRITERS.get(path.suffix.lower())
    if writer is None:
        raise FlexuraError(f"A report cannot be written to {path}", advice=f"its name must end in {', '.join(WRITERS)}")
    text = writer(story(equations, certificate, title or "Equations of motion"))
    with replacing(path) as unfinished:
        unfinished.write_text(text, encoding="utf-8", newline="\n")
    return path
