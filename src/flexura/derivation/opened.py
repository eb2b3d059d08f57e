"""Linear equations in which prescribed motions are coordinates again: what a unit of such a motion does.

>>> opened_linear(equations, "z", values)        # z enters like a coordinate; what drives it balances its row
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from flexura.derivation.equations.equations import Equations
from flexura.derivation.linearise import small_motions
from flexura.derivation.routes import derive, small_equations_of
from flexura.energy.lagrangian import Lagrangian
from flexura.errors import FlexuraError
from flexura.symbolic.engine import ZERO, Basic, Symbol
from flexura.symbolic.kinematics.vectors import Vector

Vectors = tuple[Vector, ...]
Way = tuple[str, Vector]
"""Along or about, and the axis."""
GAP = "$gap1"


def prescribed_motions(equations: Equations) -> tuple[str, ...]:
    """The names of prescribed motions: coordinates, and inputs that they are given by."""
    energies = _original(equations.lagrangian)
    inside = {symbol.name for f in energies.prescribed.values() for symbol in f.free_symbols}
    return (*energies.prescribed, *(name for name in energies.inputs if name in inside))


def opened_linear(equations: Equations, name: str, values: Mapping[str, Any] | None) -> Equations:
    """Small motions with a prescribed motion as one of the coordinates."""
    return _linear(opened(_original(equations.lagrangian.of_small_motions), name), equations, (name,), values)


def released(equations: Equations, connection: Any, along: Vectors, about: Vectors) -> Lagrangian:
    """The original energies with a connection giving way along and about axes of ground: $gap1, ... stay zero."""
    energies = _original(equations.lagrangian)
    if energies.release is None:
        raise FlexuraError(
            "These equations do not know what their connections exert, because they were written as energies or read"
            " from a file",
            advice="derive them from the fx.Model, and ask those",
        )
    parted: Lagrangian = energies.release(connection, along, about)
    return parted


def released_linear(
    equations: Equations, connection: Any, way: Way, values: Mapping[str, Any] | None, motion: str = ""
) -> Equations:
    """Small motions with a gap along or about one axis as the coordinate $gap1, and a prescribed motion as another."""
    keyword, axis = way
    ways: tuple[Vectors, Vectors] = ((axis,), ()) if keyword == "along" else ((), (axis,))
    energies = opened(released(small_equations_of(equations), connection, *ways), GAP)
    held = (GAP, motion) if motion else (GAP,)
    return _linear(opened(energies, motion) if motion else energies, equations, held, values)


def opened(energies: Lagrangian, name: str) -> Lagrangian:
    """The same energies with a prescribed motion as a coordinate: itself, or the input that it is given by."""
    prescribed = {one: f for one, f in energies.prescribed.items() if one != name}
    inputs = {one: of for one, of in energies.inputs.items() if one != name}
    return energies.changed(
        coordinates=(*energies.coordinates, name), prescribed=prescribed, inputs=inputs, source=None, motion=None
    )


def _original(energies: Lagrangian) -> Lagrangian:
    return energies if energies.origin is None else energies.origin.energies


def _linear(
    energies: Lagrangian, equations: Equations, held: tuple[str, ...], values: Mapping[str, Any] | None
) -> Equations:
    """About the state that the equations are about."""
    origin = equations.lagrangian.origin
    if origin is not None:
        about, given = origin.about, origin.values
    elif energies.linear:
        return derive(energies, "surrogate")
    else:
        about, given = {}, {name: one for name, one in (values or {}).items() if name not in energies.inputs}
    return derive(small_motions(energies, about, given, held), "surrogate")


def free_of_time(equations: Equations) -> Equations:
    """Linear equations without what only time drives: loads and motions that the answer is not about.

    Their amplitudes and frequencies need no values then.
    """
    energies = equations.lagrangian
    driven = (energies.work, *energies.work_density.values(), energies.boundary, energies.constraints)
    if not any(_free(f, energies) != f for trees in driven for f in trees.values()):
        return equations

    def each(trees: Mapping[str, Basic]) -> dict[str, Basic]:
        return {name: _free(f, energies) for name, f in trees.items()}

    free = energies.changed(
        work=each(energies.work),
        work_density={spine: each(loads) for spine, loads in energies.work_density.items()},
        boundary=each(energies.boundary),
        constraints=each(energies.constraints),
    )
    return replace(derive(free, "surrogate"), method=equations.method)


def _free(f: Basic, energies: Lagrangian) -> Basic:
    """What is left of a load without its part that holds neither unknowns nor inputs."""
    off: dict[Symbol, Basic] = {jet.symbol: ZERO for jet in energies.jets.inside(f)}
    off |= {Symbol(name): ZERO for name in energies.inputs}
    alone = f.xreplace(off)
    return f if alone == 0 else (f - alone).expand()
