"""Outputs along a run: motions of places, internal loads of members, from the states that the run went through.

>>> RunOutputs(motion)(fx.Motion(beam.end, along="x")), run[fx.Internal(beam, 0, "moment")]
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from flexura.derivation.sections import carriers_of, forces_along, section_loads
from flexura.errors import FlexuraError, warn
from flexura.solve.runs.positions import Positions
from flexura.solve.runs.rates import Rates
from flexura.solve.runs.reactions import RunStates
from flexura.solve.runs.section_turns import Series, by_quaternion, by_vectors, full_turns, vectors_of
from flexura.symbolic.engine import SPINE, TIME, ZERO, Basic, Symbol, exact
from flexura.symbolic.jets import Jet
from flexura.symbolic.kinematics.vectors import IDENTITY, Matrix, slope
from flexura.symbolic.machine import machine_function
from flexura.symbolic.outputs import Internal, Motion, Weighted, only_motion

Array = NDArray[np.float64]
_AGREE = 1e-6  # rad, between an angle that coordinates add up to and the axes themselves


class States(RunStates, Protocol):
    """What outputs read of a run, beyond what reactions do."""

    @property
    def driven(self) -> Array:
        """Prescribed coordinates and their derivatives."""

    def position(self, place: Any) -> Array:
        """Where a place is."""

    def place_on(self, member: Any, s: Any) -> tuple[str, float]:
        """The spine just before s, and x on it."""


@dataclass(frozen=True)
class RunOutputs:
    """Outputs of one run."""

    states: States

    def __call__(self, output: Motion | Internal | Weighted) -> Array:
        """Its history."""
        if isinstance(output, Weighted):
            shares = output.known(self._carried(output.terms[0][0]))
            return np.asarray(sum(share * self._internal(one) for one, share in shares))
        if isinstance(output, Internal):
            return self._internal(output)
        return Rates(self).history(output) if output.rate else self._motion(output)

    def only(self, place: Any) -> Motion:
        """The motion of a body that has one."""
        point = self.places.point(place)
        moving = [bool(self.states.equations.lagrangian.jets.unknowns(f)) for f in point.trees]
        return only_motion(place, (axis for axis, one in zip("xyz", moving, strict=True) if one))

    # -- motions ---------------------------------------------------------------------------------------------------

    def _motion(self, output: Motion) -> Array:
        if output.about is not None:
            return self._turn(output)
        assert output.along is not None
        along = np.array([float(one) for one in output.along])
        place, still = self.states.position(output.place), self.reference(output.place)
        if output.relative_to is None:
            self._tell_zero(output)
            return np.asarray((place - still) @ along)
        other = output.relative_to
        axes, at_rest = self.axes(other), self.axes(other, still=True)
        away = np.einsum("tji,tj->ti", axes, place - self.states.position(other))
        return np.asarray((away - at_rest.T @ (still - self.reference(other))) @ along)

    def _tell_zero(self, output: Motion) -> None:
        """Say that nothing moves a place along an axis."""
        point = self.places.point(output.place)
        seen = [f for f, a in zip(point.trees, output.along or (), strict=False) if a != 0]
        if not point.drawn and not any(self._jets(f) or TIME in f.free_symbols for f in seen):
            warn(f"The {output!r} is zero by construction: nothing in the model moves that way.")

    def _turn(self, output: Motion) -> Array:
        """In the plane the sum of all angles, in space the component of the rotation vector."""
        about = np.array([float(one) for one in output.about or ()])
        places = [output.place] if output.relative_to is None else [output.place, output.relative_to]
        axes = [(self.axes(one), self.axes(one, still=True)) for one in places]
        turned, still = axes[0]
        if len(axes) > 1:
            turned, still = np.einsum("tji,tjk->tik", axes[1][0], turned), axes[1][1].T @ still
        spin = turned @ still.T
        in_space = about if len(axes) == 1 else axes[1][1] @ about
        summed = self.summed(places[0], in_space)
        if len(places) > 1:
            summed = summed - self.summed(places[1], in_space)
        planar = np.abs(spin @ about - about).max(initial=0.0) < 1e-9
        if not planar:
            return np.asarray(_rotation_vectors(spin) @ about)
        across = np.linalg.svd(about[None])[2][1]
        other = np.cross(about, across)
        angle = np.arctan2(spin @ across @ other, spin @ across @ across)
        off = np.mod(angle - summed + np.pi, 2 * np.pi) - np.pi
        agree = np.abs(off).max(initial=0.0) < _AGREE
        angle = np.asarray(summed + off if agree else angle)
        if agree and not any(self._turns_far(one) for one in places):
            return angle
        return full_turns(self.states.t, angle, Rates(self).history(output.differentiated(1)), repr(output))

    def summed(self, place: Any, about: Array) -> Array:
        """What the coordinates turn a place by about an axis, to first order: in the plane, all of it."""
        rotation, spine, x = self.rotation(place)
        rest = _numbers(rotation, self._still())
        total = np.zeros(len(self.states.t))
        jets = {jet.label: jet for row in rotation for f in row for jet in self._jets(f)}
        for jet in jets.values():
            a, b, c = (slope(row, jet.symbol) for row in rotation)
            small = _numbers((a, b, c), self._still()) @ rest.T
            total += np.array([small[2, 1], small[0, 2], small[1, 0]]) @ about * self.value(jet, x)
        vectors, far = self._section(spine, x, 0)
        return total + (vectors_of(vectors) if far else vectors) @ (rest.T @ about)

    def _turns_far(self, place: Any) -> bool:
        """Whether it is a section that turns by a quaternion, which does not tell full turns."""
        spine = self.rotation(place)[1]
        return bool(spine) and "length" in carriers_of(self.states.equations.lagrangian, spine)

    def _section(self, spine: str, x: float, rate: int) -> tuple[Array, bool]:
        """The rotation of a section in its member's axes as small vectors, (times, 3), or quaternions; or a rate."""
        carried = carriers_of(self.states.equations.lagrangian, spine) if spine else {}
        none = np.zeros(len(self.states.t))
        found = {
            motion: self.value(replace(jet, t=jet.t + rate), x) for motion, jet in carried.items() if motion in _TURNS
        }
        vectors = np.column_stack([found.get("twist", none), -found.get("tilt", none), found.get("rotation", none)])
        if "length" not in found:
            return vectors, False
        return np.column_stack([found["length"] / 2 + (rate == 0), vectors / 2]), True

    def section_axes(self, spine: str, x: float, rates: int = 2) -> Series:
        """How a section is turned in the axes of its member, (times, 3, 3), and the rates of that."""
        seen = [self._section(spine, x, k) for k in range(rates + 1)]
        turned = [one for one, _ in seen]
        return by_quaternion(turned) if seen[0][1] else by_vectors(turned)

    def axes(self, place: Any, still: bool = False) -> Array:
        """The axes of what a place lies on, (times, 3, 3), or at rest (3, 3)."""
        rotation, spine, x = self.rotation(place)
        if still:
            return _numbers(rotation, self._still())
        found = np.stack([np.column_stack([self.tree(f, x) for f in row]) for row in rotation], axis=1)
        return np.asarray(found @ self.section_axes(spine, x, 0)[0]) if spine else np.asarray(found)

    def rotation(self, place: Any) -> tuple[Matrix, str, float]:
        """The axes of a place as trees, its spine and x if it lies on a member."""
        positions = self.places
        anchor = positions.anchor(place)
        energies = self.states.equations.lagrangian
        if anchor.part == "ground":
            return IDENTITY, "", 0.0
        if anchor.part in energies.members:
            spine, x = self.states.place_on(anchor.part, anchor.point[0])
            located = next(one for one in positions.geometry.parts if one.spine == spine)
            return located.rotation, spine, x
        body = next((one for one in positions.geometry.parts if one.name == anchor.part and not one.spine), None)
        if body is None:
            positions.anchored(anchor)  # says what there is
        assert body is not None
        return body.rotation, "", 0.0

    def reference(self, place: Any) -> Array:
        """Where a place is in the reference configuration."""
        positions = self.places
        anchor = positions.anchor(place)
        point = positions.anchored(anchor).trees
        here = self._still() | {SPINE: exact(self._x(anchor))}
        return np.array([float(f.xreplace(here).n(53, real=True)) for f in point])

    def _x(self, anchor: Any) -> float:
        on_member = anchor.part in self.states.equations.lagrangian.members
        return self.states.place_on(anchor.part, anchor.point[0])[1] if on_member else 0.0

    @cached_property
    def places(self) -> Positions:
        """Places with prescribed coordinates by their names, not as functions of time."""
        energies = self.states.equations.lagrangian
        free = energies.changed(coordinates=energies.moving, prescribed={})
        known = {name: one for name, one in self.states.known.items() if name in energies.parameters}
        return Positions(replace(self.states.equations, lagrangian=free), known)

    def _still(self) -> dict[Symbol, Basic]:
        energies = self.states.equations.lagrangian
        moving = {jet.symbol for f in self.places.geometry.trees() for jet in energies.jets.unknowns(f)}
        return dict.fromkeys(moving, ZERO) | {TIME: ZERO}

    # -- internal loads --------------------------------------------------------------------------------------------

    def _carried(self, output: Internal) -> set[str]:
        """What the member can tell that its section there carries."""
        energies, spine = self.states.equations.lagrangian, self.states.place_on(output.name, output.s)[0]
        far = {"axial", "shear"} if forces_along(energies, spine) is not None else set()
        return far | set(section_loads(energies, spine))

    def _internal(self, output: Internal) -> Array:
        spine, x = self.states.place_on(output.name, output.s)
        energies = self.states.equations.lagrangian
        if output.kind in ("axial", "shear") and (forces := forces_along(energies, spine)) is not None:
            return self._turned_force(output.kind, spine, x, *forces)
        loads = section_loads(energies, spine)
        if output.kind not in loads:
            output.refuse(loads)
        load = loads[output.kind]
        if load.steady is None:
            raise FlexuraError(
                f"The axial force of {output.name} is known only up to the one it was given, because these equations"
                " do not tell it from what its motion adds",
                advice="derive the equations from the model, and simulate these",
            )
        return self.tree(load.own + load.steady, x)

    def _turned_force(self, kind: str, spine: str, x: float, along: Basic, across: Basic, turned: Jet) -> Array:
        """The force along or across a section that turns far, by the polynomial through those at its strain points."""
        points, count = self.states.whole.strain_points.get(spine, (np.array([x]), 1))
        blocks = points.reshape(-1, count)
        ends = (blocks[1:, 0] + blocks[:-1, -1]) / 2  # between the points of neighbouring elements
        here = blocks[int(np.searchsorted(ends, x))]
        total = np.zeros(len(self.states.t))
        for at in here:
            others = here[here != at]
            angle = self._heading(spine, at) + self.value(turned, at)
            x_force, y_force = self.tree(along, at), self.tree(across, at)
            tension, shear = (
                x_force * np.cos(angle) + y_force * np.sin(angle),
                y_force * np.cos(angle) - x_force * np.sin(angle),
            )
            total += np.prod((x - others) / (at - others)) * (tension if kind == "axial" else shear)
        return total

    def _heading(self, spine: str, x: float) -> float:
        """How the axis of a member is turned at rest, in its own axes."""
        located = next(one for one in self.places.geometry.parts if one.spine == spine)
        jets = self.states.equations.lagrangian.jets
        known = {Symbol(name): exact(value) for name, value in self.states.known.items()}
        trees = [jets.D_x(one) for one in located.position]
        still = {jet.symbol: ZERO for f in trees for jet in jets.unknowns(f)} | {TIME: ZERO, SPINE: exact(x)}
        slope_at_rest = np.array([float(f.xreplace(still).xreplace(known).n(53, real=True)) for f in trees])
        own = _numbers(located.rotation, self._still()).T @ slope_at_rest
        return float(np.arctan2(own[1], own[0]))

    # -- values ----------------------------------------------------------------------------------------------------

    def _jets(self, f: Basic) -> list[Jet]:
        return self.states.equations.lagrangian.jets.unknowns(f)

    def tree(self, f: Basic, x: float) -> Array:
        """A tree along the run, at x."""
        known = {Symbol(name): exact(value) for name, value in self.states.known.items()}
        f = f.xreplace(known).xreplace({SPINE: exact(x)})
        jets = self._jets(f)
        left = sorted(one.name for one in f.free_symbols - {jet.symbol for jet in jets} - {TIME})
        if left:
            raise FlexuraError(
                f"The output holds {', '.join(left)}", advice="give values for them", missing=tuple(left)
            )
        function = machine_function([TIME, *(jet.symbol for jet in jets)], [f + ZERO], backend="lambda")
        columns = [self.states.t, *(self.value(jet, x) for jet in jets)]
        return np.asarray(function(np.ascontiguousarray(np.column_stack(columns))), dtype=np.float64)[:, 0]

    def value(self, jet: Jet, x: float) -> Array:
        """A jet along the run."""
        states, whole = self.states, self.states.whole
        if jet.name in whole.multiplier_fields and not jet.t:
            table = whole.multiplier_fields[jet.name].matrix(np.array([x]), jet.x)
            return np.asarray((states.solved[1] @ table.T)[:, 0])
        if jet.name in whole.prescribed:
            return np.asarray(states.driven[jet.t][:, whole.prescribed.index(jet.name)])
        at_end = Jet(jet.name, jet.x, 0, jet.end).label
        if at_end in whole.names:
            return np.asarray((states.q, states.v, states.solved[0])[jet.t][:, whole.names.index(at_end)])
        where = x if not jet.end else (whole.fields[jet.name].start, whole.fields[jet.name].end)[jet.end == "b"]
        if jet.t < 2:
            return np.asarray(whole.values(jet.name, where, states.t, states.q, (None, states.v)[jet.t], jet.x)[:, 0])
        if whole.fields[jet.name].lift is not None:
            raise FlexuraError(
                f"The acceleration of {jet.name} along its member is not known in this run",
                advice="ask for another output",
            )
        matrix = whole.fields[jet.name].matrix(np.array([where]), jet.x)
        found = states.solved[0] @ matrix[:, : whole.n].T
        driven = states.driven[2] @ matrix[:, whole.n :].T if whole.prescribed else 0.0
        return np.asarray((found + driven)[:, 0])


_TURNS = ("twist", "tilt", "rotation", "length")


def _numbers(matrix: Matrix, at: Mapping[Symbol, Basic]) -> Array:
    return np.array([[float(f.xreplace(dict(at)).n(53, real=True)) for f in row] for row in matrix])


def _rotation_vectors(matrices: Array) -> Array:
    """The rotation vector of each rotation, at most half a turn long."""
    from scipy.spatial.transform import Rotation

    return np.asarray(Rotation.from_matrix(matrices).as_rotvec())
