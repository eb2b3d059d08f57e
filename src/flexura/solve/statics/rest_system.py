"""Equations at rest as numbers: R(y, p) = 0 with y the unknowns and multipliers, p one parameter that may be followed.

    >>> rest = rest_system(equations, values, "P", order=12, elements=1)
    >>> r, (B, c) = rest.residual(y, p), rest.slopes(y, p)        # B = dR/dy, c = dR/dp

The parameter is made a coordinate of the Lagrangian, so its column comes from the same derivatives as all others, and
may stand anywhere: in loads, energies, given end values, constraints or prescribed motions. Its own row is left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.derivation.equations.equations import Equations
from flexura.derivation.state import through
from flexura.discretisation.gather import Gathered
from flexura.discretisation.layout import Numbers, Unknowns
from flexura.discretisation.ritz import RitzSystem
from flexura.discretisation.system import TracedFunctions
from flexura.energy.lagrangian import Lagrangian
from flexura.errors import FlexuraError
from flexura.solve.discretise import spread_input
from flexura.solve.statics.newton import sizes
from flexura.solve.values import numbers
from flexura.symbolic.engine import Basic, Symbol
from flexura.systems.conditions import contradicting
from flexura.systems.nonlinear import FieldMap, NonlinearSystem

Array = NDArray[np.float64]
LOADS = "$loads"  # the factor of all loads, where no parameter of the user's is followed
_RANK = 1e-10  # of constraints, beside the largest


@dataclass(frozen=True, eq=False)
class RestSystem:
    """y = (unknowns but the parameter, multipliers of independent constraints); p the parameter."""

    system: NonlinearSystem
    layout: Unknowns
    parameter: str
    u: Array
    independent: Array
    """Combinations of the constraints that do not repeat one another: (constraints, independent ones)."""
    _last: dict[str, Any] = field(default_factory=dict, repr=False)

    @cached_property
    def kept(self) -> Array:
        """Where the unknowns but the parameter stand in q."""
        return np.array([i for i, name in enumerate(self.system.names) if name != self.parameter], dtype=np.intp)

    @cached_property
    def place(self) -> int:
        """Where the parameter stands in q."""
        return self.system.names.index(self.parameter)

    @property
    def n(self) -> int:
        """How many unknowns there are, without the parameter and multipliers."""
        return len(self.kept)

    @property
    def size(self) -> int:
        """The length of y."""
        return self.n + int(self.independent.shape[1])

    @property
    def names(self) -> list[str]:
        """Of the unknowns but the parameter."""
        return [self.system.names[i] for i in self.kept]

    def q(self, y: Array, p: float) -> Array:
        """All unknowns of the discretised system."""
        q = np.empty(self.system.n)
        q[self.kept], q[self.place] = y[: self.n], p
        return q

    def multipliers(self, y: Array) -> Array:
        """Of all constraints; those that repeat others share the least."""
        return np.asarray(self.independent @ y[self.n :])

    @property
    def fields(self) -> tuple[str, ...]:
        """All fields: those that move, and the forces that hold conditions along members."""
        return (*self.system.fields, *self.along)

    @property
    def along(self) -> Mapping[str, FieldMap]:
        """Forces that hold conditions along members, as maps over all multipliers."""
        return self.system.multiplier_fields

    def line(self, name: str) -> FieldMap:
        """Where a field begins and ends, and its points."""
        moving = self.system.fields
        return moving[name] if name in moving else self.along[name]

    def field(self, name: str, x: Array, y: Array, p: float) -> Array:
        """A field at places: (places,)."""
        if name in self.system.fields:
            return self.system.values(name, x, 0.0, self.q(y, p))
        return np.asarray(self.along[name].matrix(x, 0) @ self.multipliers(y))

    def with_multipliers(self, y: Array, lam: Array) -> Array:
        """y with the multipliers of all constraints given."""
        found = y.copy()
        found[self.n :] = np.linalg.lstsq(self.independent, lam, rcond=None)[0] if self.system.m else ()
        return found

    def _held(self, q: Array) -> tuple[Array, Array]:
        """Independent constraints and their slopes by q."""
        g, A = self.system.position(0.0, q), self.system.velocity(0.0, q)[0]
        return self.independent.T @ g, self.independent.T @ A

    def contradicting(self, y: Array, p: float) -> list[str]:
        """Which conditions no state satisfies together; those that repeat others are not followed, so they may."""
        if not self.system.m:
            return []
        q = self.q(y, p)
        A = self.system.velocity(0.0, q)[0]
        missed = contradicting(self.system.position(0.0, q), A, q)
        return [self.system.multipliers[i] for i in missed]

    def residual(self, y: Array, p: float) -> Array:
        """What the rows are out of balance by."""
        q = self.q(y, p)
        still = np.zeros(self.system.n)
        rows = -self.system.evaluate(0.0, q, still, self.u)[1]
        if not self.system.m:
            return np.asarray(rows[self.kept])
        g, A = self._held(q)
        return np.concatenate([(rows - A.T @ y[self.n :])[self.kept], g])

    def slopes(self, y: Array, p: float) -> tuple[Array, Array]:
        """dR/dy and dR/dp; those of the last state are kept, since tangents, stability and shapes ask for them too."""
        asked = y.tobytes(), float(p)
        if self._last.get("asked") != asked:
            self._last.update(asked=asked, found=self._slopes(y, p))
        B, c = self._last["found"]
        return B.copy(), c.copy()

    def scales(self, B: Array) -> Array:
        """What makes unknowns roots of energies: by the largest stiffness that each of them has had.

        A stiffness that passes through zero must not be the measure of itself.
        """
        largest = np.maximum(self._last.get("scales", 0.0), sizes(B, self.n))
        self._last["scales"] = largest
        return np.asarray(largest)

    def _slopes(self, y: Array, p: float) -> tuple[Array, Array]:
        q, lam = self.q(y, p), self.multipliers(y)
        still = np.zeros(self.system.n)
        K = self.system.jacobians(0.0, q, still, still, self.u, lam)[0][self.kept]
        if not self.system.m:
            return K[:, self.kept], K[:, self.place].copy()
        _, A = self._held(q)
        a, n = A[:, self.kept], self.n
        B = np.zeros((self.size, self.size))
        B[:n, :n], B[:n, n:], B[n:, :n] = K[:, self.kept], -a.T, a
        return B, np.concatenate([K[:, self.place], A[:, self.place]])

    def mass(self, y: Array, p: float) -> Array:
        """The mass matrix of the unknowns but the parameter."""
        q = self.q(y, p)
        M = self.system.evaluate(0.0, q, np.zeros(self.system.n), self.u)[0]
        return np.asarray(M[np.ix_(self.kept, self.kept)])

    def damping(self, y: Array, p: float) -> Array:
        """dR by the rates of the unknowns but the parameter."""
        still = np.zeros(self.system.n)
        C = self.system.jacobians(0.0, self.q(y, p), still, still, self.u, self.multipliers(y))[1]
        return np.asarray(C[np.ix_(self.kept, self.kept)])

    @cached_property
    def metric(self) -> Array:
        """Of displacements: the inertia they move, beside the largest of it moved by the size of the structure."""
        M = self.mass(np.zeros(self.size), 0.0)
        M = (M + M.T) / 2
        length = max((mesh.end - mesh.start for mesh in self.layout.meshes.values()), default=1.0)
        total = float(np.abs(np.diagonal(M)).max(initial=0.0)) if np.isfinite(M).all() else 0.0
        if total <= 0:
            return np.eye(self.n) / length**2
        massless = np.diagonal(M) <= 1e-14 * total
        return np.asarray((M / total + np.diag(1e-3 * massless)) / length**2)

    @property
    def floor(self) -> float:
        """In sizes of the structure, where members give it one: strains are told from one to rounding."""
        return 1e-16 if self.layout.meshes else 0.0

    def start(self, given: Mapping[str, float] | None = None) -> Array:
        """y with coordinates as given, and all else at zero."""
        y = np.zeros(self.size)
        for i, name in enumerate(self.names):
            y[i] = float((given or {}).get(name, 0.0))
        lam = [float((given or {}).get(name, 0.0)) for name in self.system.multipliers]
        return self.with_multipliers(y, np.array(lam))


def rest_system(
    equations: Equations, values: Mapping[str, Any] | None, parameter: str, order: int, elements: int
) -> RestSystem:
    """Discretise the equations with `parameter` as one of the coordinates."""
    given = dict(values or {})
    energies = with_parameter(equations.lagrangian.changed(ties={}), parameter)  # what ties give is unknown here
    if parameter in equations.lagrangian.parameters:
        given[parameter] = 0.0  # nothing is missing; it is taken out again below
    known = numbers(equations, given)
    known.pop(parameter, None)
    layout = Unknowns(energies, Numbers.of(energies, known), order, elements)
    system = TracedFunctions(RitzSystem(Gathered(layout))).system()
    u = system.rest
    for slot in system.slots:
        value = given.get(slot.name)
        if isinstance(value, str) and not slot.derivative:
            u[slot.where] = spread_input(value, slot.name, known)(slot)
    if not all(system.holonomic):
        raise FlexuraError(
            "A constraint on rates does not say where the system rests",
            advice="replace it by one on coordinates, or follow the motion with fx.simulate",
        )
    return RestSystem(system, layout, parameter, u, _independent(system))


def _independent(system: NonlinearSystem) -> Array:
    """Constraints that do not repeat one another, at a place away from special positions."""
    if not system.m:
        return np.zeros((0, 0))
    generator = np.random.default_rng(1)
    q = 0.1 * generator.standard_normal(system.n)
    A = system.velocity(0.0, q)[0]
    size = np.linalg.norm(A, axis=1)
    size[size == 0] = 1.0
    U, s, _ = np.linalg.svd(A / size[:, None])
    rank = int((s > _RANK * s.max(initial=0.0)).sum())
    if rank == system.m:
        return np.eye(system.m)
    return np.asarray(U[:, :rank] / size[:, None])


def with_parameter(energies: Lagrangian, parameter: str) -> Lagrangian:
    """The same energies with a parameter or an input as a coordinate; or with all loads times such a one."""
    symbol = Symbol(parameter)
    parts: dict[str, Any] = {name: getattr(energies, name) for name in Lagrangian.__dataclass_fields__}
    if any(symbol in place.free_symbols for spine in energies.spines for place in (spine.start, spine.end)):
        raise FlexuraError(
            f"The path goes along {parameter}, which is a length",
            advice="write the member with a length of its own, and follow a load or a stiffness",
        )
    if any(symbol in f.free_symbols for f in energies.prescribed.values()):
        parts = {name: through(part, energies.driven) for name, part in parts.items()}
        parts["work"] = {to: f for to, f in parts["work"].items() if to not in energies.prescribed}
        parts["prescribed"] = {}
    if parameter == LOADS:
        parts["work"] = {to: f if to in energies.states else f * symbol for to, f in parts["work"].items()}
        parts["work_density"] = through(parts["work_density"], lambda f: f * symbol)
    if "x" in energies.inputs.get(parameter, ()):
        parts = {name: through(part, lambda f: _uniform(f, parameter)) for name, part in parts.items()}
    parts["coordinates"] = (*energies.coordinates, parameter)
    parts["inputs"] = {name: of for name, of in energies.inputs.items() if name != parameter}
    parts["parameters"] = {name: one for name, one in energies.parameters.items() if name != parameter}
    return Lagrangian.of_parts(**parts)


def _uniform(f: Basic, parameter: str) -> Basic:
    """A distributed load that is the same everywhere: its values at ends are itself."""
    ends = [one for one in f.free_symbols if one.name.startswith(f"{parameter}@")]
    return f.xreplace({one: Symbol(parameter) for one in ends}) if ends else f
