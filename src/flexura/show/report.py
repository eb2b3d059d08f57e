"""`write_report`: a derivation and its proof as a file to read, print or hand in.

>>> write_report(equations, verify(equations), "out/example_one.html")
>>> write_report(equations, certificate, "report.tex", title="Example One")
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from flexura.derivation.equations.certificate import Certificate
from flexura.derivation.equations.equations import Equations
from flexura.derivation.routes import equations_of
from flexura.derivation.verify import verify
from flexura.errors import FlexuraError
from flexura.files.writing import check_place, replacing
from flexura.show.answers import answers
from flexura.show.document import Report, ReportSection
from flexura.show.docx import docx
from flexura.show.html import html
from flexura.show.markdown import markdown
from flexura.show.pictures import picture
from flexura.show.story import story
from flexura.show.tex import tex
from flexura.show.typst import pdf, typst


@dataclass(frozen=True)
class ReportFormat:
    """How a document is written, and the ending of the pictures beside it; "" where they are inside."""

    write: Callable[[Report], str | bytes]
    beside: str = ""


WRITERS: dict[str, ReportFormat] = {
    ".html": ReportFormat(html),
    ".pdf": ReportFormat(pdf),
    ".typ": ReportFormat(typst),
    ".tex": ReportFormat(tex, "pdf"),
    ".md": ReportFormat(markdown, "svg"),
    ".docx": ReportFormat(docx),
}
"""The formats, by the ending of the path."""


def report(
    system: Any,
    path: str | Path,
    title: str | None = None,
    modes: Any = None,
    response: Any = None,
    run: Any = None,
) -> Path:
    """Derive, prove and write a report.

    Arguments:
        `system`: a model, a Lagrangian or equations.
        `path`: ends in .html, .pdf, .typ, .tex, .md or .docx; pictures are inside the file, those of .tex and .md are
            files beside it that begin with its name.
        `title`: the heading.
        `modes` (what fx.modes gives), `response` (a frequency response), `run` (a simulation): shown if they are
            given.
    Returns the path. Equations of the result are numbered: report.html#equation-3, eqref{eq:3} in .tex, @equation-3 in
    .typ.

    >>> import flexura as fx
    >>> beam = fx.EulerBernoulliBeam("beam", EI=50.0, rho=1.2, length=1.3)
    >>> model = fx.Model(fx.Fixed(fx.ground, beam.start), fx.Force(beam.end, "F"))
    >>> fx.report(model, "beam.md", title="A beam", modes=fx.modes(model, 2)).name
    'beam.md'
    """
    equations = equations_of(system)
    check_report(path)
    return write_report(equations, verify(equations), path, title, tuple(answers(modes, response, run)))


def write_report(
    equations: Equations,
    certificate: Certificate,
    path: str | Path,
    title: str | None = None,
    shown: tuple[ReportSection, ...] = (),
) -> Path:
    """Write the report; the ending of `path` decides the format. Returns the path."""
    path = Path(path)
    writer = check_report(path)
    document = story(equations, certificate, title or "Equations of motion", shown, path.stem)
    text = writer.write(document)
    for one in document.pictures() if writer.beside else ():
        with replacing(path.with_name(f"{path.stem}-{one.name}.{writer.beside}")) as unfinished:
            unfinished.write_bytes(picture(one.figure, writer.beside))
    with replacing(path) as unfinished:
        unfinished.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def check_report(path: str | Path) -> ReportFormat:
    """How a report is written there; raises where it cannot be, before anything is worked out."""
    path = check_place(Path(path))
    writer = WRITERS.get(path.suffix.lower())
    if writer is None:
        raise FlexuraError(f"A report cannot be written to {path}", advice=f"its name must end in {', '.join(WRITERS)}")
    return writer
