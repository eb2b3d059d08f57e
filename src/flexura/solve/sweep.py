"""Sweeps: one question asked over a grid of parameters, or at the points of a sampler.

>>> def lowest(EI, m): return fx.modes(equations, 3, values={"EI": EI, "m": m}).frequencies
>>> table = fx.sweep(lowest, {"EI": [40, 50, 60], "m": [1.0, 2.0]})
>>> table.values.shape, table.to_dataframe(), table.errors        # (3, 2, 3), ...
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from flexura.errors import FlexuraError
from flexura.solve.runs.progress import progress as progress_bar
from flexura.solve.sweeps.answers import Answer
from flexura.solve.sweeps.kept import KeptAnswers
from flexura.solve.sweeps.points import Points, points_of
from flexura.solve.sweeps.table import SweepTable
from flexura.solve.sweeps.workers import answers_of


def sweep(
    question: Callable[..., Any],
    over: Any,
    workers: int | None = None,
    client: Any = None,
    path: str | Path | None = None,
    progress: bool | None = None,
) -> SweepTable:
    """Ask a question at every point of a grid, or of samples, of parameters.

    Arguments:
        `question`: a function of the parameters, question(**parameters); it answers a number, an array or a dict of
            these.
        `over`: {name: values} is the full grid, the last name fastest; or fx.LatinHypercube(...),
            fx.RandomSamples(...), or a list of points.
        `workers`: processes of this machine (None: as many as it has cores; 1: none but this one); `client`: a
            dask.distributed.Client instead.
        `path`: answers are written there as they come, and a sweep that was stopped goes on from there.
        `progress`: whether a bar is shown; None: in a terminal or notebook, where it takes long.
    Returns fx.SweepTable: `.values`, `.to_dataframe()`, `.to_xarray()`. A failure is nan, its sentence in `.errors`,
    and the rest is kept.

    >>> import flexura as fx
    >>> fx.sweep(lambda k: k**0.5, {"k": [1.0, 4.0]}, workers=1).values.tolist()
    [1.0, 2.0]
    """
    if not callable(question):
        raise FlexuraError(f"The question is a {type(question).__name__}", advice="give a function of the parameters")
    if workers is not None and (isinstance(workers, bool) or not isinstance(workers, int | np.integer) or workers < 1):
        raise FlexuraError(f"workers is {workers!r}", advice="give a whole number, 1 or more, or leave it out")
    points = points_of(over)
    kept = None if path is None else KeptAnswers(path, points)
    try:
        return SweepTable(points, _asked(question, points, workers, client, kept, progress))
    finally:
        if kept is not None:
            kept.close()


def _asked(
    question: Callable[..., Any],
    points: Points,
    workers: int | None,
    client: Any,
    kept: KeptAnswers | None,
    wanted: bool | None,
) -> tuple[Answer, ...]:
    found: dict[int, Answer] = dict(kept.done) if kept is not None else {}
    left = [i for i in range(len(points.each)) if i not in found]
    with progress_bar(0.0, float(max(1, len(points.each))), wanted, "sweeping") as reached:
        for index, answer in answers_of(question, points.each, left, workers, client):
            found[index] = answer
            if kept is not None:
                kept.add(index, answer)
            reached(float(len(found)))
    return tuple(found[i] for i in range(len(points.each)))
