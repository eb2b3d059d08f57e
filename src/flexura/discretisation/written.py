"""A system of equations of motion as trees, for other languages: M a = f + A' lambda, constraints, slopes, energies.

>>> written = written_system(equations.lagrangian, {"g": 9.81}, order=8)
>>> written.mass, written.forces, written.stiffness        # arrays of trees in written.q, written.v, written.u

Systems without members keep their parameters as symbols, so that these can be changed afterwards; those of members are
in the integrals along them, and only numbers are left.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.discretisation.gather import Gathered
from flexura.discretisation.layout import Numbers, Unknowns
from flexura.discretisation.ritz import RitzSystem
from flexura.discretisation.scalars import Scalars
from flexura.energy.lagrangian import Lagrangian
from flexura.errors import FlexuraError
from flexura.symbolic.engine import TIME, Basic, Symbol
from flexura.systems.nonlinear import InputSlot

Trees = NDArray[Any]
Shapes = Mapping[str, Callable[[InputSlot], Any]]


@dataclass(frozen=True, eq=False)
class WrittenSystem:
    """Trees of t, q, v, a, u, lambda and parameters p.

    `evaluate` gives mass and forces, `slopes` dR/dq and dR/dv of R = M a - f - A' lambda, `held` g, A, b and c of the
    constraints (g = 0, A v + b = 0, A a + c = 0), `energies` [kinetic, potential].
    """

    names: tuple[str, ...]
    inputs: tuple[str, ...]
    multipliers: tuple[str, ...]
    holonomic: tuple[bool, ...]
    parameters: Mapping[str, float]
    q: list[Symbol]
    v: list[Symbol]
    a: list[Symbol]
    u: list[Symbol]
    lam: list[Symbol]
    evaluate: Callable[[], tuple[Trees, Trees]] = field(repr=False)
    slopes: Callable[[], tuple[Trees, Trees]] = field(repr=False)
    held: Callable[[], tuple[Trees, Trees, Trees, Trees]] = field(repr=False)
    energies: Callable[[], Trees] = field(repr=False)
    states: Mapping[str, float] = field(default_factory=dict)
    """Those of the names that are first-order states, with their initial values."""

    @property
    def n(self) -> int:
        """How many unknowns there are."""
        return len(self.names)

    @property
    def p(self) -> list[Symbol]:
        """The parameters as symbols."""
        return [Symbol(name) for name in self.parameters]

    @cached_property
    def _evaluated(self) -> tuple[Trees, Trees]:
        return self.evaluate()

    @property
    def mass(self) -> Trees:
        """M (n, n)."""
        return self._evaluated[0]

    @property
    def forces(self) -> Trees:
        """f (n,)."""
        return self._evaluated[1]

    @cached_property
    def jacobians(self) -> tuple[Trees, Trees]:
        """dR/dq, dR/dv."""
        return self.slopes()

    @cached_property
    def constraints(self) -> tuple[Trees, Trees, Trees, Trees]:
        """g, A, b, c."""
        return self.held()


def written_system(
    energies: Lagrangian, numbers: Mapping[str, float], order: int = 8, elements: int = 1, shapes: Shapes | None = None
) -> WrittenSystem:
    """The trees of a Lagrangian, with numbers in where it has members; `shapes` say how inputs of x are spread."""
    kept = {} if energies.spines else {name: one for name, one in numbers.items() if name in energies.parameters}
    known = Numbers.of(energies, {name: one for name, one in numbers.items() if name not in kept})
    gathered = Gathered(Unknowns(energies, known, order, elements, {}))
    return written_of(gathered, kept, shapes or {}, {})


def written_of(
    gathered: Gathered, parameters: Mapping[str, float], shapes: Shapes, states: Mapping[str, float]
) -> WrittenSystem:
    """The trees of what is gathered already."""
    if gathered.points:
        spines = ", ".join(dict.fromkeys(term.quadrature.spine.name for term in gathered.points))
        raise FlexuraError(
            f"The energy along {spines} does not separate into functions of x and of time, so it has no closed form to"
            " be written",
            advice="linearise first: fx.linearise(...), or simulate it here",
        )
    ritz = RitzSystem(gathered, None, Scalars(gathered, written=True))
    names = ritz.layout.names[ritz.np :]
    q, v, a = ([Symbol(name + rate) for name in names] for rate in ("", "_t", "_tt"))
    scalars = ritz.scalars
    moving = len(scalars.s0) - ritz.np
    v[:moving], a[:moving] = scalars.s1[ritz.np :], scalars.s2[ritz.np :]
    q[:moving] = scalars.s0[ritz.np :]
    inputs, entries = _inputs(ritz.slots, shapes)
    Q, V, A, U, L = (_objects(one) for one in (q, v, a, entries, scalars.multipliers))
    return WrittenSystem(
        names=names,
        inputs=tuple(inputs),
        multipliers=tuple(gathered.constraints),
        holonomic=tuple(not rated for rated in scalars.rated.values()),
        parameters=parameters,
        q=q,
        v=v,
        a=a,
        u=[Symbol(name) for name in inputs],
        lam=scalars.multipliers,
        evaluate=lambda: ritz.evaluate(TIME, Q, V, U),
        slopes=lambda: ritz.jacobians(TIME, Q, V, A, U, L),
        held=lambda: ritz.held(TIME, Q, V, U),
        energies=lambda: ritz.energies(TIME, Q, V)[0],
        states=states,
    )


def _objects(symbols: Sequence[Basic]) -> Trees:
    found = np.empty(len(symbols), dtype=object)
    found[:] = list(symbols)
    return found


def _inputs(slots: Sequence[InputSlot], shapes: Shapes) -> tuple[list[str], list[Basic]]:
    """Names of inputs, rates as F_t, and what stands in each entry of the loads."""
    names, entries = list[str](), list[Basic]()
    for slot in sorted((one for one in slots if not one.idle), key=lambda one: one.start):
        name = slot.name + ("_" + "t" * slot.derivative if slot.derivative else "")
        symbol = Symbol(name)
        if name not in names:
            names.append(name)
        if slot.points is None:
            entries += [symbol] * slot.size
            continue
        if slot.name not in shapes:
            raise FlexuraError(
                f"The load {slot.name}(x) needs its shape",
                advice=f"give values={{'{slot.name}': 'expression in x'}}",
                missing=(slot.name,),
            )
        entries += [symbol * float(one) for one in np.broadcast_to(shapes[slot.name](slot), slot.points.shape)]
    return names, entries
