"""How a run shall go, whatever moves: the options that every kind of system takes, checked in one place.

>>> options = read_options(method="radau", events={"top": "theta - pi"}, stop="top", max_seconds=5.0)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from numbers import Real
from typing import Any

import numpy as np

from flexura.errors import FlexuraError
from flexura.solve.runs.inputs import unknown
from flexura.solve.steppers.table import STEPPERS, check_method
from flexura.systems.deadline import Deadline
from flexura.systems.signals.signal import real_array


@dataclass(frozen=True)
class RunOptions:
    """Checked options; `deadline` began when they were read."""

    tolerance: float | None = None
    method: str | None = None
    events: Mapping[str, Any] = field(default_factory=dict)
    stop: tuple[str, ...] = ()
    deadline: Deadline = field(default_factory=Deadline)
    breaks: tuple[float, ...] = ()
    longest_step: float = np.inf

    @property
    def from_state_to_state(self) -> bool:
        """Whether only steppers that go from state to state can do what is asked."""
        return bool(self.events) or (self.method is not None and STEPPERS[self.method].on_matrices is None)

    def as_given(self) -> dict[str, Any]:
        """The same as keywords of another run, which keeps to the same limit of time."""
        return {
            "tolerance": self.tolerance,
            "method": self.method,
            "events": self.events,
            "stop": self.stop,
            "max_seconds": self.deadline,
            "breaks": self.breaks,
            "longest_step": None if np.isinf(self.longest_step) else self.longest_step,
        }


def check_given(**given: Any) -> None:
    """Whatever is given by name comes as a dictionary."""
    for what, one in given.items():
        if one is not None and not isinstance(one, Mapping):
            raise FlexuraError(f"{what} is {one!r}", advice=f"give a dictionary of names, like {what}={{'q1': 0.1}}")


def read_options(
    tolerance: float | None = None,
    method: str | None = None,
    events: Mapping[str, Any] | None = None,
    stop: Sequence[str] | str = (),
    max_seconds: float | Deadline | None = None,
    breaks: Sequence[float] | None = None,
    longest_step: float | None = None,
) -> RunOptions:
    """Check and gather."""
    check_method(method)
    check_given(events=events)
    if tolerance is not None and (not is_real(tolerance) or not 1e-13 <= tolerance <= 0.1):
        raise FlexuraError(f"tolerance is {tolerance!r}", advice="give a number from 1e-13 to 0.1")
    if longest_step is not None and (not is_real(longest_step) or not longest_step > 0):
        raise FlexuraError(f"longest_step is {longest_step!r}", advice="give a length of time above 0, or leave it out")
    stops = (stop,) if isinstance(stop, str) else tuple(stop)
    for name in stops:
        if name not in (events or {}):
            raise unknown(f"The run shall stop at {name!r}, which is no event", name, events or {})
    return RunOptions(
        tolerance,
        method,
        dict(events or {}),
        stops,
        _deadline(max_seconds),
        _breaks(breaks),
        np.inf if longest_step is None else float(longest_step),
    )


def read_steps(options: RunOptions, step: Any, radius: Any, usual: float) -> tuple[float | None, float]:
    """The length of implicit steps and their spectral radius; refused where steps are not of that kind."""
    asked = [name for name, one in (("step", step), ("radius", radius)) if one is not None]
    if asked and (options.from_state_to_state or options.method == "exact"):
        what = "events" if options.events else f"method={options.method!r}"
        raise FlexuraError(
            f"{' and '.join(asked)} belong to implicit steps of one length, and {what} asks for others",
            advice="leave that out, or give longest_step=",
        )
    if radius is not None and options.method == "trapezoidal":
        raise FlexuraError(
            "radius belongs to generalized-alpha, and the trapezoidal rule keeps all energy", advice="leave it out"
        )
    if step is not None and (not is_real(step) or not 0 < step < np.inf):
        raise FlexuraError(f"step is {step!r}", advice="give a length of time greater than 0")
    if radius is not None and (not is_real(radius) or not 0 <= radius <= 1):
        raise FlexuraError(f"radius is {radius!r}", advice="give a number from 0 to 1")
    return None if step is None else float(step), usual if radius is None else float(radius)


def is_real(given: Any) -> bool:
    """Whether it is one real number, and no truth value."""
    return isinstance(given, Real) and not isinstance(given, bool | np.bool_)


def _deadline(max_seconds: Any) -> Deadline:
    if max_seconds is None or isinstance(max_seconds, Deadline):
        return max_seconds or Deadline()
    if not is_real(max_seconds) or not max_seconds > 0:
        raise FlexuraError(f"max_seconds is {max_seconds!r}", advice="give a number above 0, or leave it out")
    return Deadline(float(max_seconds))


def _breaks(given: Sequence[float] | None) -> tuple[float, ...]:
    advice = "give times at which inputs change suddenly, like [0.5, 0.503]"
    found = np.atleast_1d(real_array(() if given is None or not np.size(given) else given, "breaks", advice))
    if found.ndim != 1 or not np.all(np.isfinite(found)):
        raise FlexuraError(f"breaks is {given!r}", advice=advice)
    return tuple(sorted(set(found.tolist())))
