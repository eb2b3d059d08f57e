"""How far members leave the theory of small deflections and strains, and what that may cost.

    >>> found = bending(equations, values, state)        # {"arm": Bending(deflection=0.31, slope=0.46, hinged=False)}
    >>> theory_errors(found), theory_notes(found)

Small-deflection members are right to second order: the error grows as (w/L)^2, with a factor of 1/3 (a cantilever under
an end moment) to 1 (under an end force), beside the elastica; the larger is taken. Where joints for large motions hang
on a member the second-order form loses terms of first order: 0.16 w/L (theory, section 7). Along its axis a member is
linear: whether forces and stretches are those of its first or of its last length is a difference of the size of the
strain, and at -1 nothing of it is left.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.derivation.equations.equations import Equations
from flexura.solve.runs.membrane import membrane
from flexura.solve.values import numbers, real
from flexura.symbolic.engine import SPINE, TIME, ZERO, Symbol, exact, partial
from flexura.symbolic.jets import Jet
from flexura.symbolic.kinematics.geometry import Bend
from flexura.symbolic.machine import machine_function
from flexura.systems.nonlinear import NonlinearSystem

Array = NDArray[np.float64]
_FAR, _STEEP = 0.1, 0.3  # deflections (of the length) and slopes, from which on small deflections are not small
_HINGED = 0.005  # deflections of a member that joints hang on
_SECOND, _FIRST = 1.0, 0.16  # errors by (w/L)^2 and by w/L
_PULLED = 0.01  # tension beside bending, or a deflection of what has no stretch, between ends that are held
_STRAINED = 0.1  # strains along the axis that are not small
_PLACES = 9


@dataclass(frozen=True)
class Bending:
    """The largest deflection of a member from the tangent at the held end, in lengths, and its largest slope.

    `strain` is its largest along the axis, negative where it is pressed.
    """

    deflection: float
    slope: float
    hinged: bool
    strain: float = 0.0
    membrane: float = 0.0
    """The force of the tension that bending would make between two ends that are held, beside that of bending."""
    unstretched: bool = False
    """Whether both ends are held along an axis that has no stretch."""

    @property
    def error(self) -> float:
        """What the theory may miss, as a part of the deflection or of the stretch; zero where it holds."""
        return max(self.bent, self.pulled, abs(self.strain) if abs(self.strain) >= _STRAINED else 0.0)

    @property
    def pulled(self) -> float:
        """What the tension of a member whose ends are held may take of its deflection."""
        return self.membrane / (1 + self.membrane) if self.membrane >= _PULLED else 0.0

    @property
    def impossible(self) -> bool:
        """Whether a member that does not stretch is bent between ends that do not come nearer."""
        return self.unstretched and self.deflection >= _PULLED

    @property
    def bent(self) -> float:
        """The same of bending alone."""
        size = max(self.deflection, self.slope / 1.5)  # a cantilever under an end force has the slope 1.5 w/L
        hinged = _FIRST * self.deflection if self.hinged and self.deflection >= _HINGED else 0.0
        bent = _SECOND * size**2 if self.deflection >= _FAR or self.slope >= _STEEP else 0.0
        return max(hinged, bent)


State = Mapping[str, Any]


def bending(equations: Equations, values: Mapping[str, Any] | None, state: State, t: Any = 0.0) -> dict[str, Bending]:
    """Of every member, at a state or at many: coordinates as numbers, fields as functions of x and derivative."""
    energies = equations.lagrangian
    geometry = getattr(energies, "geometry", None)
    if geometry is None:
        return {}
    given = {name: one for name, one in (values or {}).items() if name not in energies.inputs}
    known = {Symbol(name): exact(value) for name, value in numbers(equations, given).items()}
    found: dict[str, Bending] = {}
    for bend in geometry.bends:
        spine = energies.spine_of(bend.spine)
        ends = tuple(real(f.xreplace(known), "A place") for f in (spine.start, spine.end))
        one = _bent(bend, energies, known, ends, state, t)
        before = found.get(bend.member, Bending(0.0, 0.0, False))
        found[bend.member] = Bending(
            max(one.deflection, before.deflection),
            max(one.slope, before.slope),
            one.hinged or before.hinged,
            membrane=max(one.membrane, before.membrane),
            unstretched=one.unstretched or before.unstretched,
        )
    for member, spines in energies.members.items():
        strains = [one for spine in spines for one in _strains(spine, energies, known, state, t)]
        if strains:
            found[member] = replace(
                found.get(member, Bending(0.0, 0.0, False)), strain=max(strains, key=lambda one: (abs(one), one))
            )
    return found


def field_state(system: NonlinearSystem, t: Array, q: Array) -> dict[str, Any]:
    """The unknowns of a discretised system at many times as a state: numbers by name, fields as functions."""

    def field(name: str) -> Callable[..., Array]:
        return lambda x, derivative=0: system.values(name, x, t, q, None, derivative)

    return {name: q[:, i] for i, name in enumerate(system.names)} | {name: field(name) for name in system.fields}


def _strains(name: str, energies: Any, known: Mapping[Any, Any], state: State, t: Any) -> tuple[float, ...]:
    """The largest and the smallest strain along the axis of a line.

    None where it has no motion of its own along it, or energies in which the slope of that motion is no small strain:
    those are not quadratic in it. Where that is because sections turn far, it is how much longer the axis is.
    """
    carriers = energies.geometry.carriers.get(name, {})
    field = carriers.get("axial", "")
    moved = state.get(field)
    if not callable(moved):
        return ()
    slope = Jet(field, 1).symbol
    stiffness = partial(partial(energies.density[name], slope), slope)
    unknowns = {jet.label for jet in energies.jets.unknowns(stiffness)}
    if stiffness == 0 or (unknowns and carriers.get("rotation") not in unknowns):
        return ()
    spine = energies.spine_of(name)
    start, end = (real(f.xreplace(known), "A place") for f in (spine.start, spine.end))
    x = np.linspace(start, end, _PLACES)
    slopes = _lengths(name, energies, known, x, state, t) - 1 if unknowns else np.asarray(moved(x, 1), dtype=np.float64)
    return float(slopes.min(initial=0.0)), float(slopes.max(initial=0.0))


def _lengths(name: str, energies: Any, known: Mapping[Any, Any], x: Array, state: State, t: Any) -> Array:
    """How long the axis of a line is at each x, of what it was at rest: the size of the slope of its position."""
    line = next((one for one in energies.geometry.parts if one.spine == name), None)
    if line is None:
        return np.ones(1)
    jets = energies.jets
    squared = sum((jets.D_x(one) ** 2 for one in line.position), ZERO)
    return _along(squared, energies, known, x, state, t)[0]


def _along(
    squared: Any, energies: Any, known: Mapping[Any, Any], x: Array, state: State, t: Any
) -> tuple[Array, list[Any], Callable[[str, int], Array]]:
    """The root of a square at each x, the jets in it, and shapes of fields there."""
    squared = energies.followed(squared).xreplace(known)
    jets = energies.jets.unknowns(squared)
    shapes: dict[tuple[str, int], Array] = {}  # what several ask for is computed once

    def shape(name: str, order: int) -> Array:
        if (name, order) not in shapes:
            shapes[name, order] = np.asarray(state[name](x, order), dtype=np.float64)
        return shapes[name, order]

    columns = [_jet(jet, state, shape) for jet in jets]
    rows = np.broadcast_arrays(np.asarray(t, dtype=np.float64)[..., None], x, *columns)
    made: Callable[[Array], Array] = machine_function(
        [TIME, SPINE, *(jet.symbol for jet in jets)], [squared], backend="lambda"
    )
    found = np.sqrt(np.abs(np.asarray(made(np.ascontiguousarray(np.stack(rows, axis=-1))), dtype=np.float64)))
    return found, list(jets), shape


def _bent(
    bend: Bend, energies: Any, known: Mapping[Any, Any], ends: tuple[float, ...], state: State, t: Any
) -> Bending:
    start, end = ends
    x = np.linspace(start, end, _PLACES)
    slopes, jets, shape = _along(bend.squared, energies, known, x, state, t)
    held = -1 if bend.outward < 0 else 0
    fields = dict.fromkeys(jet.name for jet in jets if jet.name in energies.fields and not jet.end)
    moved = [name for name in fields if callable(state.get(name))]
    parts = [_from_tangent(shape(name, 0), shape(name, 1)[..., [held]], x - x[held], held) for name in moved]
    deflection = np.sqrt(sum((part**2 for part in parts), np.zeros(1))).max(initial=0.0)
    found = Bending(float(deflection / (end - start)), float(slopes.max(initial=0.0)), bend.hinged)
    if not bend.held:
        return found
    axial = energies.geometry.carriers.get(bend.spine, {}).get("axial", "")
    if axial not in energies.fields:
        return replace(found, unstretched=True)
    return replace(found, membrane=membrane(bend, axial, energies, known, ends, state))


def _from_tangent(values: Array, slope: Array, away: Array, held: int) -> Array:
    return values - values[..., [held]] - slope * away


def _jet(jet: Any, state: State, shape: Callable[[str, int], Array]) -> Array:
    value = state[jet.name] if jet.name in tuple(state) else 0.0
    if not callable(value):
        return np.asarray(value, dtype=np.float64)[..., None]
    found = shape(jet.name, jet.x)
    return found[..., [-1 if jet.end == "b" else 0]] if jet.end else found


def theory_errors(found: Mapping[str, Bending]) -> dict[str, float]:
    """The errors of members that leave their theory, as parts of their deflection."""
    return {name: min(1.0, one.error) for name, one in found.items() if one.error > 0}


def theory_notes(found: Mapping[str, Bending]) -> list[str]:
    """One sentence for each member that leaves its theory."""
    bent = [_told(name, one) for name, one in found.items() if one.bent > 0 and one.bent >= one.pulled]
    bent += [_pulled(name, one) for name, one in found.items() if one.pulled > one.bent]
    bent += [_impossible(name, one) for name, one in found.items() if one.impossible]
    return bent + [_strained(name, one.strain) for name, one in found.items() if abs(one.strain) >= _STRAINED]


def _pulled(name: str, one: Bending) -> str:
    """Of a member that would be pulled tight."""
    return (
        f"The member {name} deflects by {one.deflection:.2g} of its length and is held along its axis at both ends:"
        f" the tension that comes with it is left out, and would take about {one.pulled:.1g} of the deflection; make it"
        " an fx.ExactBeam, lower the load, or let one end slide with fx.Roller."
    )


def _impossible(name: str, one: Bending) -> str:
    """Of one that has no stretch to bend by."""
    return (
        f"The member {name} deflects by {one.deflection:.2g} of its length, is held along its axis at both ends and has"
        " no EA: what it would have to stretch by is left out; give it EA to be told how much that is, or let one end"
        " slide with fx.Roller."
    )


def _strained(name: str, strain: float) -> str:
    """Of a member that is pressed or stretched far."""
    how = f"The member {name} is {'pressed' if strain < 0 else 'stretched'} by {abs(strain):.2g} of its length"
    cure = "stiffen it, lower the load, or write its energies for large strains."
    if strain <= -1:
        return (
            f"{how}, so that nothing of it is left: its theory is for small strains, and no such state exists; {cure}"
        )
    return f"{how}: its theory is for small strains, and may be off by about {abs(strain):.1g} of that; {cure}"


def _told(name: str, one: Bending) -> str:
    sizes = f"The member {name} deflects by {one.deflection:.2g} of its length, with slopes up to {one.slope:.2g}"
    if one.hinged and _FIRST * one.deflection >= one.bent:
        return (
            f"{sizes}, and joints hang on it: its shortening is kept to second order only, which may be off by about"
            f" {one.bent:.1g} of the deflection; stiffen it, or weld what hangs on it."
        )
    return (
        f"{sizes}: its theory is for small deflections, and may be off by about {one.bent:.1g} of the deflection;"
        " stiffen it, lower the load, or write its energies for large ones."
    )
