"""What inputs that see the motion are like in time by themselves, so that no step goes over a short pulse of one.

>>> seen = foreseen(system, loads.seeing, (0.0, 10.0), start, outputs)
>>> seen.edges, seen.breaks, seen.notes

They are looked at with the motion held as it starts. What comes with the motion cannot be known beforehand; the
step-size control meets it, and the notes say that something shorter than its steps may go unseen. Steps are tried, cut
and taken again, so an input that remembers what it was asked is no function of the motion: it is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.errors import FlexuraError
from flexura.solve.runs.feedback import Present, Seeing
from flexura.systems.nonlinear import InputSlot, NonlinearSystem
from flexura.systems.signals.features import Features, together
from flexura.systems.signals.memory import remembers
from flexura.systems.signals.scales import look

Array = NDArray[np.float64]
Outputs = Callable[[Any, float, Array, Array], Any]
_LOOKS = 4**6
_MOVED = (0.01, 1.0, -0.01, -1.0)  # by which coordinates and rates are moved to find what an input remembers


def foreseen(
    system: NonlinearSystem,
    seeing: Sequence[tuple[InputSlot, Seeing]],
    span: tuple[float, float],
    start: tuple[Array, Array],
    outputs: Outputs | None = None,
) -> Features:
    """Features of the inputs between two times, and a note on each."""
    held = Present(system, span[0], *start, None if outputs is None else _once(outputs, span[0]))
    for slot, function in seeing:
        _refuse_memory(slot.name, function, held, span, outputs)
    found = [_features(function, held, span) for _, function in seeing]
    names = dict.fromkeys(slot.name for slot, _ in seeing)
    finest = (span[1] - span[0]) / _LOOKS
    return together([*found, Features(notes=tuple(_unforeseen(name, finest) for name in names))])


def _features(function: Seeing, held: Present, span: tuple[float, float]) -> Features:
    """Of one input, if it can be asked without the motion that goes with the times."""

    def many(times: Array) -> Array:
        return np.array([function(t, held) for t in times.tolist()], dtype=np.float64).reshape(len(times), -1)

    try:
        seen = look(many, *span, _LOOKS)
    except (FlexuraError, ArithmeticError, ValueError):  # at other times it may need another motion than that
        return Features()
    return Features((seen.edges,), seen.jumps)


def _refuse_memory(
    name: str, function: Seeing, held: Present, span: tuple[float, float], outputs: Outputs | None
) -> None:
    """Refuse what answers otherwise when it is asked again, with other times and motions in between."""
    moved = [tuple(one + share * np.maximum(1.0, np.abs(one)) for one in (held.q, held.v)) for share in _MOVED]
    motions = [(held.q, held.v), *moved, (0.0 * held.q, 0.0 * held.v)]  # relays switch about zero
    times = np.linspace(*span, len(motions)).tolist()
    seen = [replace(held, t=t, q=q, v=v, outputs=outputs) for t, (q, v) in zip(times, motions, strict=True)]
    if remembers(lambda run: function(run.t, run), seen):
        raise FlexuraError(
            f"The input {name} gives other values when it is asked again at the same time and motion: it has a memory,"
            " and steps are tried, cut and taken again, so it would remember what never happened",
            advice="write it as a function of (t, run) alone, with an fx.State for what is summed up over time, or"
            " list it in the model as fx.Sampled, which is asked once at each of its times",
            keyword="inputs",
        )


def _once(outputs: Outputs, begin: float) -> Outputs:
    """Outputs of the motion as it is held, each found once."""
    known: dict[Any, Any] = {}

    def output(asked: Any, t: float, q: Array, v: Array) -> Any:
        if asked not in known:
            known[asked] = outputs(asked, begin, q, v)
        return known[asked]

    return output


def _unforeseen(name: str, finest: float) -> str:
    return (
        f"The input {name} is a function that sees the motion; it was looked at every {finest:.2g} s with the motion"
        " held as it starts: what is shorter, or comes with the motion in less than a step, may go unseen; name its"
        " times in breaks=, or give longest_step=."
    )
