"""Equations of motion as numbers: M(t, q) a = f(t, q, v, u) + A(t, q)' lambda, with constraints, energies and fields.

    >>> M, f = system.evaluate(t, q, v, u)
    >>> dR_dq, dR_dv = system.jacobians(t, q, v, a, u, lam)        # of R = M a - f - A' lambda
    >>> g, (A, b), c = system.position(t, q), system.velocity(t, q), system.acceleration(t, q, v)

q holds the discrete coordinates by their own names, free values at ends ("w@b", "w_x@b"), then amplitudes ("w[3]").
Whoever discretises fills in the functions; whoever integrates calls them. Nothing here knows what a beam is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from flexura.arguments import checked_methods
from flexura.display import Displayed, counted
from flexura.errors import FlexuraError

Array = NDArray[np.float64]
NOTHING = np.zeros(0)


@dataclass(frozen=True, eq=False)
class InputSlot:
    """Where an input stands in the vector u: one number, or its values at `points` along a spine.

    The points are Gauss points of the elements between `nodes`. Where a load jumps along x, its values there are those
    of the polynomials in each element that do to every shape what the load does (`projection.py`).
    `derivative` counts time derivatives: equations may hold the rate of an input (a driven base). What is `idle` does
    no work: only reactions feel it.
    """

    name: str
    start: int
    derivative: int = 0
    points: Array | None = None
    nodes: Array | None = None
    count: int = 1  # of numbers, where it is not spread: loads that come as one
    idle: bool = False

    @property
    def size(self) -> int:
        """How many entries of u it fills."""
        return self.count if self.points is None else len(self.points)

    @property
    def where(self) -> slice:
        """Its entries of u."""
        return slice(self.start, self.start + self.size)


class GivenField(Protocol):
    """A field that others give: values (states, places) and slopes by the unknowns (states, places, n) at states."""

    def values(self, x: Array, derivative: int, t: Array, q: Array, v: Array | None) -> Array:
        """Of the field, or with v of its rate."""

    def slopes(self, x: Array, derivative: int, t: Array, q: Array) -> Array:
        """How the unknowns change it."""


@dataclass(frozen=True, eq=False)
class FieldMap:
    """A field from q: value = matrix(x, derivative) @ (q, p) + lift, p the prescribed coordinates.

    `lift(x, derivative, t, q, v, rate)` is what given end values add that is not linear in q, or depends on t; None
    where there is no such thing. `rate=1` is its time derivative.
    """

    name: str
    start: float
    end: float
    matrix: Callable[[Array, int], Array]
    lift: Callable[[Array, int, float, Array, Array, int], Array] | None = None
    points: Array = field(default_factory=lambda: NOTHING)
    weights: Array = field(default_factory=lambda: NOTHING)
    elements: int = 1
    given: GivenField | None = None
    """How others give it, where they do so by squares: at many states at once."""

    def within(self, T: Array) -> FieldMap:
        """The same from z, where q = T z."""
        lift = None if self.lift is None else _LiftWithin(self.lift, T)
        return replace(self, matrix=_TableWithin(self.matrix, T), lift=lift)


@dataclass(frozen=True, eq=False)
class _TableWithin:
    """The table of a field over z, q = T z."""

    table: Callable[[Array, int], Array]
    T: Array

    def __call__(self, x: Array, derivative: int) -> Array:
        whole, n = self.table(x, derivative), len(self.T)
        return np.hstack([whole[:, :n] @ self.T, whole[:, n:]])


@dataclass(frozen=True, eq=False)
class _LiftWithin:
    """The lift of a field from z, q = T z."""

    lift: Callable[[Array, int, float, Array, Array, int], Array]
    T: Array

    def __call__(self, x: Array, derivative: int, t: float, z: Array, w: Array, rate: int) -> Array:
        return self.lift(x, derivative, t, self.T @ z, self.T @ w, rate)


@checked_methods
@dataclass(frozen=True, eq=False, repr=False)
class NonlinearSystem(Displayed):
    """M(t, q) a = f(t, q, v, u) + A' lambda, and what is needed to start, follow and check its motion.

    The flags say what an integrator may rely on: `constant_mass` (M never changes), `linear` (R is linear in q, v, a
    with coefficients that may depend on t), `steady` (linear, and those coefficients do not depend on t, though forces
    may), `explicit_time` (something other than u depends on t), `stacks` (the functions also take many states at once:
    times (k,) and vectors (k, n) give arrays with a first axis of k).
    """

    def summary(self) -> str:
        """How many unknowns, conditions and inputs."""
        kinds = [word for word, is_so in (("linear", self.linear), ("constant mass", self.constant_mass)) if is_so]
        count = [counted(len(self.names), "unknown"), counted(len(self.multipliers), "condition")]
        return ", ".join([*count, counted(len(self.inputs), "input"), *kinds])

    names: tuple[str, ...]
    multipliers: tuple[str, ...]
    inputs: tuple[str, ...]
    slots: tuple[InputSlot, ...]
    prescribed: tuple[str, ...]
    holonomic: tuple[bool, ...]  # for each multiplier: given in coordinates (True) or in rates
    constant_mass: bool
    linear: bool
    explicit_time: bool
    evaluate: Callable[[Any, Array, Array, Array], tuple[Array, Array]]
    jacobians: Callable[[Any, Array, Array, Array, Array, Array], tuple[Array, Array]]
    position: Callable[[Any, Array], Array]
    """g(t, q) of the holonomic constraints, in the order of their multipliers."""
    velocity: Callable[[Any, Array], tuple[Array, Array]]
    """(A, b) of A v + b = 0, all constraints."""
    acceleration: Callable[[Any, Array, Array], Array]
    """c of A a + c = 0, all constraints."""
    motion: Callable[[Any], tuple[Array, Array, Array]]
    """p, p_t, p_tt of the prescribed coordinates."""
    energies: Callable[[Any, Array, Array], tuple[Any, Any]]
    """Kinetic and potential energy."""
    powers: Callable[[Any, Array, Array, Array, Array, Array], tuple[Any, Any]]
    """(dissipated, supplied) at (t, q, v, a, u, lam): along a solution d(T + V)/dt = supplied - dissipated."""
    reactions: Callable[[Any, Array, Array, Array, Array, Array], Array]
    """The load that drives each prescribed coordinate, at (t, q, v, a, u, lam)."""
    fields: Mapping[str, FieldMap] = field(default_factory=dict, repr=False)
    hidden: Mapping[str, FieldMap] = field(default_factory=dict, repr=False)
    """Fields that others give, and that nobody but positions and loads asks for."""
    steady: bool = False
    stacks: bool = False
    stacked: int = 8
    """How many states are evaluated together in the time of one by itself."""
    residual: Callable[[Any, Array, Array, Array, Array], Array] | None = None
    """M a - f at (t, q, v, a, u), where that is quicker than M and f; without multipliers."""
    forces: Callable[[Any, Array, Array, Array], Array] | None = None
    """f alone at (t, q, v, u), where M never changes and that is quicker than both; without multipliers."""
    rate_free: bool = False
    """Whether M never changes, and forces are those of an energy and of inputs: waves are neither lost nor turned."""
    within: Callable[[Array, tuple[str, ...]], NonlinearSystem] | None = field(default=None, repr=False)
    """The same system in z, q = T z, from T and the names of z; None where nothing is quicker than doing so outside."""
    fed: Callable[[Any, Array, Array, Array], Array] | None = field(default=None, repr=False)
    """u at (t, q, v, u) with the inputs that see the motion, where there are some."""
    notes: tuple[str, ...] = ()
    far: bool = False
    """Whether members bend as far as they like: shapes about rest do not follow them."""
    strain_points: Mapping[str, tuple[Array, int]] = field(default_factory=dict, repr=False)
    """By line: where strains of members that bend far are known best, and how many such points an element has."""
    multiplier_fields: Mapping[str, FieldMap] = field(default_factory=dict, repr=False)
    """Fields that are multipliers of conditions along a line; their matrices are over the multipliers."""
    anew: Callable[[], NonlinearSystem] | None = field(default=None, repr=False)
    """The same system as if it had not been called yet, where calls change how later ones are computed (rounding)."""
    shapes: tuple[int, int, Mapping[str, Any]] | None = field(default=None, repr=False)
    """Order, elements and basis of the fields, where it was discretised."""

    @property
    def n(self) -> int:
        """How many unknowns there are."""
        return len(self.names)

    @property
    def m(self) -> int:
        """How many multipliers there are."""
        return len(self.multipliers)

    @property
    def load_size(self) -> int:
        """The length of u."""
        return sum(slot.size for slot in self.slots)

    @property
    def rest(self) -> Array:
        """u with every input at zero."""
        return np.zeros(self.load_size)

    def loads(self, t: float, given: Mapping[str, Any]) -> Array:
        """u at t from {"F": number or f(t)}, distributed ones number or f(x, t); what is not given is zero.

        An input whose rate the equations need is given as {"F": (f, f_t, f_tt)}.
        """
        u = self.rest
        for slot in self.slots:
            one = given.get(slot.name, 0.0)
            if isinstance(one, tuple):
                one = one[slot.derivative]
            elif slot.derivative:
                if callable(one):
                    raise FlexuraError(f"The equations need the rate of {slot.name}", advice="give it as text in t")
                one = 0.0
            if callable(one):
                one = one(t) if slot.points is None else one(slot.points, t)
            u[slot.where] = one
        return u

    def motions(self, times: Array) -> Array:
        """Prescribed coordinates, rates and accelerations at many times: (3, times, count)."""
        if self.stacks and self.prescribed:
            return np.array(self.motion(times))
        return np.moveaxis(np.array([self.motion(float(t)) for t in times]), 1, 0)

    def values(self, name: str, x: Any, t: Any, q: Any, v: Any = None, derivative: int = 0) -> Array:
        """A field at x for each time: (times, places), or (places,) at one time. With v it is the rate of the field."""
        one, at = self._field(name), np.atleast_1d(np.asarray(x, dtype=np.float64))
        times, states = np.atleast_1d(np.asarray(t, dtype=np.float64)), np.atleast_2d(q)
        if one.given is not None:
            found = one.given.values(at, derivative, times, states, None if v is None else np.atleast_2d(v))
            return found if np.ndim(q) > 1 else found[0]
        rate = 0 if v is None else 1
        rates = np.zeros_like(states) if v is None else np.atleast_2d(v)
        matrix = one.matrix(at, derivative)
        found = (rates if rate else states) @ matrix[:, : self.n].T
        if self.prescribed:
            found = found + self.motions(times)[rate] @ matrix[:, self.n :].T
        if one.lift is not None:
            moments = zip(times, states, rates, strict=True)
            found = found + np.array([one.lift(at, derivative, float(s), y, z, rate) for s, y, z in moments])
        return found if np.ndim(q) > 1 else found[0]

    def fit(
        self, t: float, numbers: Mapping[str, float], shapes: Mapping[str, Callable[[Array], Array]]
    ) -> tuple[Array, float]:
        """q with the given numbers by name, and fields nearest to the given shapes; the second is what they miss.

        What neither names nor shapes settle is zero. The misfit is relative, the root of the mean square over points.
        """
        return self._fit(t, numbers, shapes, None)

    def fit_rates(
        self, t: float, q: Array, numbers: Mapping[str, float], shapes: Mapping[str, Callable[[Array], Array]]
    ) -> tuple[Array, float]:
        """v likewise, at a known q; `numbers` and `shapes` are rates by the names of what they are rates of."""
        return self._fit(t, numbers, shapes, np.asarray(q, dtype=np.float64))

    def _fit(
        self,
        t: float,
        numbers: Mapping[str, float],
        shapes: Mapping[str, Callable[[Array], Array]],
        at: Array | None,
    ) -> tuple[Array, float]:
        found = np.zeros(self.n)
        for name, value in numbers.items():
            found[self._index(name)] = value
        free = np.array([i for i, name in enumerate(self.names) if name not in numbers], dtype=int)
        if not shapes:
            return found, 0.0
        maps = [self._field(name) for name in shapes]
        roots = np.concatenate([np.sqrt(one.weights) for one in maps])
        wanted = np.concatenate([np.broadcast_to(shapes[one.name](one.points), one.points.shape) for one in maps])
        rows = np.vstack([one.matrix(one.points, 0)[:, free] for one in maps]) * roots[:, None]
        seen = np.abs(rows).max(axis=0) > 1e-12 * np.abs(rows).max(initial=1e-300)
        misfit = wanted
        for _ in range(1 if all(one.lift is None for one in maps) else 20):  # a lift may depend on what is sought
            misfit = wanted - self._seen(maps, t, found, at)
            step = np.linalg.lstsq(rows[:, seen], roots * misfit, rcond=1e-13)[0]
            found[free[seen]] += step
            if np.abs(step).max(initial=0.0) <= 1e-14 * np.abs(found).max(initial=1e-300):
                break
        misfit = wanted - self._seen(maps, t, found, at)
        size = np.linalg.norm(roots * wanted)
        return found, float(np.linalg.norm(roots * misfit) / (size if size else 1.0))

    def _seen(self, maps: list[FieldMap], t: float, found: Array, at: Array | None) -> Array:
        q, v = (found, None) if at is None else (at, found)
        return np.concatenate([self.values(one.name, one.points, t, q, v) for one in maps])

    def _field(self, name: str) -> FieldMap:
        if name in self.hidden:
            return self.hidden[name]
        if name not in self.fields:
            known = ", ".join(self.fields) or "none"
            raise FlexuraError(f"The system has no field {name!r}", advice=f"its fields are: {known}")
        return self.fields[name]

    def _index(self, name: str) -> int:
        if name not in self.names:
            raise FlexuraError(f"The system has no unknown {name!r}", advice=f"it has {', '.join(self.names)}")
        return self.names.index(name)
