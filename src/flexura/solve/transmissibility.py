"""How much of a prescribed motion arrives: responses per unit of it, absolute along its own axis.

>>> fx.transmissibility(equations, omega, "z", machine)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flexura.arguments import Measured
from flexura.derivation.equations.equations import Equations
from flexura.derivation.opened import opened_linear, prescribed_motions
from flexura.derivation.routes import can_be_derived, small_equations_of
from flexura.errors import FlexuraError
from flexura.solve.frequency_response import frequency_response
from flexura.symbolic.engine import TIME, ZERO, Symbol, partial
from flexura.symbolic.kinematics.vectors import NULL, Vector, change, cross, slope, unit
from flexura.symbolic.outputs import Motion
from flexura.symbolic.zero import verdict


def transmissibility(
    equations: Any, omega: Measured, motion: str, output: Any, values: Mapping[str, Any] | None = None
) -> Any:
    """The response to a unit of a prescribed motion, exact at every frequency.

    Arguments:
        `equations`: a model or equations; `omega`: frequencies in rad/s, (n,).
        `motion`: the name of a prescribed motion, its coordinate's or its input's.
        `output`: a body or a place means its absolute motion along the axis of the prescribed one; a coordinate's name
            and fx.Motion, fx.Reaction, fx.Internal mean what they always do. One or a list.
        `values`: numbers for parameters without one.
    Returns a complex array (n,), or (n, outputs) for a list.

    >>> import flexura as fx
    >>> base, mass = fx.RigidBody("base", m=0, I=0), fx.Mass("m", 2.0)
    >>> shaken = fx.Slide(fx.ground, base, motion="z(t)")
    >>> model = fx.Model(shaken, fx.Slide(fx.ground, mass, name="y"), fx.Spring(base, mass, k=8.0))
    >>> abs(fx.transmissibility(model, [1.0], "z", mass)).round(6).tolist()    # 1/(1 - (1/2)**2)
    [1.333333]
    """
    if not can_be_derived(equations):
        raise FlexuraError(
            "fx.transmissibility is asked of matrices, which hold no prescribed motion", advice="give equations"
        )
    equations = small_equations_of(equations)
    known = prescribed_motions(equations)
    if motion not in known:
        raise FlexuraError(
            f"There is no prescribed motion {motion!r}",
            advice=f"there is {', '.join(known)}" if known else "give a Slide or Revolute a motion",
        )
    outputs = output if isinstance(output, list) else [output]
    axis = _axis(equations, motion, values) if any(map(_is_place, outputs)) else NULL
    seen = [_absolute(one, axis) if _is_place(one) else one for one in outputs]
    return frequency_response(equations, omega, motion, seen if isinstance(output, list) else seen[0], values)


def _is_place(output: Any) -> bool:
    on_member = hasattr(output, "member") and hasattr(output, "position")
    return on_member or hasattr(output, "offset") or hasattr(output, "tensor")


def _absolute(place: Any, axis: Vector) -> Motion:
    return Motion(place, along=[float(one) for one in axis])


def _axis(equations: Equations, motion: str, values: Mapping[str, Any] | None) -> Vector:
    """The direction in which a motion moves what it carries."""
    energies = opened_linear(equations, motion, values).lagrangian
    rest = {Symbol(name): one.value for name, one in energies.parameters.items() if one.value is not None}
    given = {Symbol(name): one for name, one in (values or {}).items() if isinstance(one, int | float)}
    axis = NULL
    for part in energies.geometry.parts if energies.geometry else ():
        moved = slope(change(part.position, energies.driven), Symbol(motion))
        still = {jet.symbol: ZERO for f in moved for jet in energies.jets.unknowns(f)}
        way = change(moved, lambda f, still=still: f.xreplace(still).xreplace({**rest, **given}))  # type: ignore[misc]
        if any(Symbol(motion) in energies.driven(f).free_symbols for row in part.rotation for f in row):
            axis = NULL  # it turns
            break
        if way == NULL:
            continue
        axis = axis if axis != NULL else way
        turning = any(TIME in f.free_symbols and not verdict(partial(f, TIME)) for f in way)
        if turning or any(not verdict(f) for f in cross(axis, way)) or any(f.free_symbols for f in way):
            axis = NULL
            break
    if axis == NULL:
        raise FlexuraError(
            f"The motion {motion} has no one axis along which it moves what it carries",
            advice="say what to look at with fx.Motion(place, along=...) or fx.Motion(place, about=...)",
        )
    return unit(axis)
