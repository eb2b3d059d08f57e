"""`flexura report`: the derivation and its proof as a document, and the answers that the file asks for.

$ flexura report arm.toml arm.pdf          # [report] in arm.toml: modes = 6, response = {...}, run = {...}
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from flexura.cli.models import Solvable, Values, linear, solvable, system
from flexura.cli.models import title as title_of
from flexura.cli.output import Json, Name, document
from flexura.derivation.routes import derive
from flexura.derivation.verify import verify
from flexura.model.files.document import ReportAsked
from flexura.model.files.reading import report_of


def report(
    name: Name,
    path: Annotated[
        Path, typer.Argument(help="The file to write: .html, .pdf, .typ, .tex, .md or .docx.", show_default=False)
    ],
    value: Values = None,
    json: Json = False,
) -> None:
    """Write a report as .html, .pdf, .typ, .tex, .md or .docx, with what [report] of a model file asks for."""
    from flexura.show.answers import answers  # pictures load Matplotlib, which other commands do not wait for
    from flexura.show.report import check_report, write_report

    check_report(path)
    asked = _asked(name)
    model = solvable(name, value) if asked != ReportAsked() else Solvable(derive(system(name)), {})
    certificate = verify(model.equations)
    shown = tuple(answers(_modes(asked, model), _response(asked, model), _run(asked, model)))
    written = write_report(model.equations, certificate, path, title_of(name), shown)
    if json:
        document({"path": str(written), "verified": bool(certificate)})
    else:
        typer.echo(written)


def _asked(name: str) -> ReportAsked:
    """What the file asks for; examples ask for nothing."""
    return report_of(name) if name.endswith(".toml") else ReportAsked()


def _modes(asked: ReportAsked, model: Solvable) -> Any:
    if not asked.modes:
        return None
    from flexura.solve.modes import modes

    return modes(linear(model, rest=False), asked.modes, model.values)


def _response(asked: ReportAsked, model: Solvable) -> Any:
    if asked.response is None:
        return None
    import numpy as np

    from flexura.solve.frequency_response import frequency_response
    from flexura.solve.named_places import output_of

    equations = linear(model, rest=False)
    omega = np.linspace(asked.response.first, asked.response.last, asked.response.points)
    output = output_of(equations, asked.response.output)
    return frequency_response(equations, omega, asked.response.load, output, model.values)


def _run(asked: ReportAsked, model: Solvable) -> Any:
    if asked.run is None:
        return None
    import numpy as np

    from flexura.solve.simulate import simulate

    times = np.linspace(0.0, asked.run.until, asked.run.points)
    return simulate(model.equations, times, asked.run.initial, asked.run.inputs, model.values)
