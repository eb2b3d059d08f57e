"""Inputs that see the motion: functions of (t, run), closed around a system, and controllers that sample it.

    >>> closed = closed_loop(system, [(slot, lambda t, run: -3 * run["theta"])])
    >>> M, f = closed.evaluate(t, q, v, u)                     # with the input that the function gives there

A closed loop is a system like any other; only its own inputs are left to be given as functions of time.
"""

from __future__ import annotations

import bisect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.errors import FlexuraError
from flexura.solve.steppers.mechanics import State
from flexura.solve.steppers.undetermined import Unanswered
from flexura.systems.nonlinear import InputSlot, NonlinearSystem
from flexura.systems.signals.functions import values_along

Array = NDArray[np.float64]
_STEP = 1e-6  # of differences, which Newton's method needs roughly


@dataclass(frozen=True, eq=False)
class Present(Mapping[Any, Any]):
    """What there is to see at one time: coordinates, rates (`name_t`), states, prescribed motions, outputs."""

    system: NonlinearSystem
    t: float
    q: Array
    v: Array
    outputs: Callable[[Any, float, Array, Array], Any] | None = None

    __eq__, __hash__ = object.__eq__, object.__hash__  # never of the arrays that it holds

    def __getitem__(self, name: Any) -> Any:
        if isinstance(name, str):
            found = self._named(name)
            if found is not None:
                return found
        elif self.outputs is not None:
            return self.outputs(name, self.t, self.q, self.v)
        raise FlexuraError(f"There is no {name!r} to be seen", advice=f"there are {', '.join(self)}")

    def _named(self, name: str) -> float | None:
        names, driven = self.system.names, self.system.prescribed
        for base, order in ((name, 0), (name.removesuffix("_t"), 1)):
            if order and base == name:
                continue
            if base in names:
                return float((self.v if order else self.q)[names.index(base)])
            if f"${base}" in names and not order:  # a state, followed as the rate of a hidden coordinate
                return float(self.v[names.index(f"${base}")])
            if base in driven:
                return float(self.system.motion(self.t)[order][driven.index(base)])
        return None

    def __iter__(self) -> Iterator[str]:
        names = [one for one in self.system.names if "[" not in one and "@" not in one]
        for name in (*names, *self.system.prescribed):
            yield from (name[1:],) if name.startswith("$") else (name, f"{name}_t")

    def __len__(self) -> int:
        return sum(1 for _ in self)


Seeing = Callable[[float, Present], Any]
"""What an input is at a time, as one number or one for each of its places."""


@dataclass(frozen=True, eq=False)
class _Loop:
    """A system and the inputs that see its motion."""

    system: NonlinearSystem
    seeing: Sequence[tuple[InputSlot, Seeing]]
    outputs: Callable[[Any, float, Array, Array], Any] | None

    def fed(self, t: Any, q: Array, v: Array, u: Array) -> Array:
        """All inputs, of one state or of many."""
        whole = np.array(np.broadcast_to(u, (*q.shape[:-1], self.system.load_size)))
        if q.ndim > 1:
            times = np.broadcast_to(t, q.shape[:1])
            for k, row in enumerate(whole):
                self._fill(row, float(times[k]), q[k], v[k])
        else:
            self._fill(whole, float(t), q, v)
        return whole

    def _fill(self, u: Array, t: float, q: Array, v: Array) -> None:
        run = Present(self.system, t, q, v, self.outputs)
        for slot, function in self.seeing:
            u[slot.where] = function(t, run)

    def evaluate(self, t: Any, q: Array, v: Array, u: Array) -> tuple[Array, Array]:
        """M and f."""
        return self.system.evaluate(t, q, v, self.fed(t, q, v, u))

    def residual(self, t: Any, q: Array, v: Array, a: Array, u: Array) -> Array:
        """M a - f."""
        assert self.system.residual is not None
        return self.system.residual(t, q, v, a, self.fed(t, q, v, u))

    def powers(self, t: Any, q: Array, v: Array, a: Array, u: Array, lam: Array) -> tuple[Any, Any]:
        """Dissipated and supplied."""
        return self.system.powers(t, q, v, a, self.fed(t, q, v, u), lam)

    def reactions(self, t: Any, q: Array, v: Array, a: Array, u: Array, lam: Array) -> Array:
        """What drives prescribed coordinates."""
        return self.system.reactions(t, q, v, a, self.fed(t, q, v, u), lam)

    def jacobians(self, t: Any, q: Array, v: Array, a: Array, u: Array, lam: Array) -> tuple[Array, Array]:
        """dR/dq and dR/dv, with what the inputs answer by differences."""
        if q.ndim > 1:
            times = np.broadcast_to(t, q.shape[:1])
            rows = np.broadcast_to(u, (len(q), u.shape[-1]))
            found = [self.jacobians(float(times[k]), q[k], v[k], a[k], rows[k], lam[k]) for k in range(len(q))]
            return np.array([K for K, _ in found]), np.array([C for _, C in found])
        whole = self.fed(t, q, v, u)
        K, C = (one.copy() for one in self.system.jacobians(t, q, v, a, whole, lam))
        _, f = self.system.evaluate(t, q, v, whole)
        f = f.copy()
        mine = np.concatenate([np.arange(slot.start, slot.start + slot.size) for slot, _ in self.seeing])
        B = np.empty((len(q), len(mine)))
        for j, k in enumerate(mine):
            pushed = whole.copy()
            pushed[k] += 1.0
            B[:, j] = self.system.evaluate(t, q, v, pushed)[1] - f
        for matrix, at, by_v in ((K, q, False), (C, v, True)):
            for i in range(len(q)):
                step = np.zeros(len(q))
                step[i] = _STEP * max(1.0, abs(at[i]))
                ends = [self.fed(t, q, v + s * step, u) if by_v else self.fed(t, q + s * step, v, u) for s in (1, -1)]
                matrix[:, i] -= B @ ((ends[0] - ends[1])[mine] / (2 * step[i]))
        return K, C


def closed_loop(
    system: NonlinearSystem,
    seeing: Sequence[tuple[InputSlot, Seeing]],
    outputs: Callable[[Any, float, Array, Array], Any] | None = None,
) -> NonlinearSystem:
    """The system with inputs that see its motion."""
    if not seeing:
        return system
    loop = _Loop(system, seeing, outputs)
    return replace(
        system,
        linear=False,
        steady=False,
        explicit_time=True,
        evaluate=loop.evaluate,
        jacobians=loop.jacobians,
        powers=loop.powers,
        reactions=loop.reactions,
        residual=None if system.residual is None else loop.residual,
        forces=None,
        rate_free=False,
        within=None,
        anew=None,
        fed=loop.fed,
    )


def seeing_input(name: str, function: Callable[..., Any], slot: InputSlot, arguments: int) -> Seeing:
    """A function of (t, run), or of (x, t, run) along a member, checked."""
    what = f"The input {name}"

    def value(t: float, run: Present) -> Any:
        found = function(t, run) if slot.points is None else values_along(function, slot.points, t, run)
        return checked_value(what, found, t, slot.size)

    if slot.derivative:
        raise FlexuraError(f"The equations need the rate of {name}", advice="give that input as text in t")
    if slot.points is None and arguments > 2:
        raise FlexuraError(f"{what} is one number at each time", advice="write a function of (t, run), without x")
    return value


def checked_value(what: str, found: Any, t: float, size: int = 1) -> Array:
    """What a function gave, as finite real numbers."""
    try:
        value = np.broadcast_to(np.asarray(found, dtype=np.float64).ravel(), (size,))
    except (TypeError, ValueError):
        raise FlexuraError(f"{what} is {found!r} at t = {t:.6g}", advice="let the function give a number") from None
    if isinstance(found, bool | np.bool_) or not np.all(np.isfinite(value)):
        raise Unanswered(f"{what} is {found} at t = {t:.6g}", advice="let the function give a finite number")
    return value


@dataclass(eq=False)
class Sampling:
    """Inputs that controllers set at sample times and hold in between, as far as a run has come."""

    system: NonlinearSystem
    controllers: Sequence[tuple[InputSlot, Any]]
    begin: float
    outputs: Callable[[Any, float, Array, Array], Any] | None = None
    times: list[float] = field(default_factory=list)
    values: list[Array] = field(default_factory=list)

    def instants(self, end: float) -> list[float]:
        """When there is a sample, after the beginning."""
        found = {t for _, one in self.controllers for t in _multiples(one.period, self.begin, end)}
        return sorted(found)

    def restart(self, q: Array, v: Array) -> None:
        """The first sample of a run."""
        self.times.clear()
        self.values.clear()
        self.take(self.begin, q, v)

    def take(self, t: float, q: Array, v: Array) -> None:
        """Ask the controllers whose time it is; the others hold."""
        now = self.values[-1].copy() if self.values else np.zeros(self.system.load_size)
        run = Present(self.system, t, q, v, self.outputs)
        for slot, one in self.controllers:
            if not self.times or _is_multiple(t, one.period):
                what = f"The sampled controller of {one.name}"
                now[slot.where] = checked_value(what, one.function(t, run), t)
        self.times.append(t)
        self.values.append(now)

    def add(self, t: Any, u: Array) -> Array:
        """u with what is held at the times."""
        if not self.times:
            return u
        if not np.ndim(t):
            return u + self.values[max(bisect.bisect_right(self.times, t) - 1, 0)]
        k = np.clip(np.searchsorted(self.times, t, side="right") - 1, 0, len(self.times) - 1)
        return np.asarray(u + np.asarray(self.values)[k])


def sampling_of(
    system: NonlinearSystem,
    controllers: Sequence[Any],
    begin: float,
    outputs: Callable[[Any, float, Array, Array], Any] | None = None,
) -> Sampling | None:
    """Controllers that sample, on the inputs that they give; None where there is none."""
    slots = [(slot, one) for one in controllers for slot in system.slots if slot.name == one.name]
    return Sampling(system, slots, begin, outputs) if slots else None


def asked_at(sampling: Sampling | None, end: float) -> Callable[[State], None]:
    """What happens at a break: controllers whose time it is are asked."""
    if sampling is None:
        return lambda state: None
    instants = set(sampling.instants(end))
    return lambda state: sampling.take(state.t, state.q, state.v) if state.t in instants else None


def _multiples(period: float, begin: float, end: float) -> Array:
    first = int(np.floor(begin / period)) + 1
    return np.asarray([k * period for k in range(first, int(np.ceil(end / period)) + 1) if begin < k * period < end])


def _is_multiple(t: float, period: float) -> bool:
    k = round(t / period)
    return abs(t - k * period) <= 1e-9 * period
