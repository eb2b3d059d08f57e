"""What was asked of a system, as sections of its report: modes, a frequency response, a run.

>>> answers(modes=fx.modes(equations, 4), run=run)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from flexura.errors import FlexuraError
from flexura.show.document import Paragraph, Picture, ReportSection, ReportTable
from flexura.show.plot import plot
from flexura.show.plots.style import number
from flexura.solve.roots.found import Modes
from flexura.solve.steppers.trajectory import Trajectory


def answers(modes: Any = None, response: Any = None, run: Any = None) -> Iterator[ReportSection]:
    """A section for each that is given."""
    if modes is not None:
        yield _modes(modes)
    if response is not None:
        yield _response(response)
    if run is not None:
        yield _run(run)


def _modes(modes: Any) -> ReportSection:
    if not isinstance(modes, Modes):
        raise _not("modes", modes, "fx.modes(equations, 6)")
    rows = []
    for k, s in enumerate(modes.eigenvalues):
        omega = abs(s)
        cells = (str(k + 1), f"{omega:.8g}", f"{omega / (2 * np.pi):.6g}", number(float(modes.damping_ratios[k])))
        rows.append(tuple((cell,) for cell in cells))
    head = ("Mode", "rad/s", "Hz", "Damping ratio")
    told = Paragraph((str(modes.certificate),))
    shapes = [Picture(plot(modes), "Shapes of the first modes.", "modes")] if len(modes) else []
    return ReportSection("Modes", (ReportTable(head, tuple(rows)), *shapes, told))


def _response(response: Any) -> ReportSection:
    if not isinstance(response, np.ndarray):
        raise _not("response", response, "fx.frequency_response(equations, omega, load, output)")
    return ReportSection("Frequency response", (Picture(plot(response), "Magnitude and phase.", "response"),))


def _run(run: Any) -> ReportSection:
    if not isinstance(run, Trajectory):
        raise _not("run", run, "fx.simulate(equations, t)")
    span = f"From t = {number(float(run.t[0]))} s to {number(float(run.t[-1]))} s."
    notes = [Paragraph((str(note),)) for note in run.notes]
    return ReportSection(
        "Motion in time", (Paragraph((span,)), Picture(plot(run), "Histories and energies.", "run"), *notes)
    )


def _not(keyword: str, given: Any, example: str) -> FlexuraError:
    return FlexuraError(
        f"A report takes {keyword}= as an answer, and this is a {type(given).__name__}",
        advice=f"give {keyword}={example}",
        keyword=keyword,
    )
