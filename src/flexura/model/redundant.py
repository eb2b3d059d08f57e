"""Coordinates that describe one motion twice: a joint turns a particle, and the beam on it may turn by itself.

>>> refuse_described_twice(placed, data, bodies)

Such a joint's coordinate has a rigid motion of what it carries as its twin. Both together move nothing: no inertia, no
stiffness, no damping. That is a question of rank, asked exactly in the reference configuration, of the few joints
whose own body does not resist them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from flexura.errors import FlexuraError
from flexura.model.energies import kinetic
from flexura.model.frames import Frame
from flexura.model.placing import Placed
from flexura.model.structure import Segment, Spot
from flexura.parts.bodies import Body
from flexura.parts.joints import Coupling
from flexura.symbolic.engine import SPINE, ZERO, Basic, Symbol, exact, partial
from flexura.symbolic.jets import Jet, Jets
from flexura.symbolic.kinematics.motion import Carried
from flexura.symbolic.zero import last_column_depends, verdict

_PLACES = (exact(0.2), exact(0.5), exact(0.9))  # of a line: rigid motions are linear along it


def refuse_described_twice(placed: Placed, data: Mapping[str, Any], bodies: Iterable[Carried]) -> None:
    """Refuse a joint's coordinate whose motion the parts it carries can make by themselves."""
    by_name = {one.name: one for one in bodies}
    for frame in placed.frames:
        anchor = frame.assembly.anchor
        if frame.joint is None or anchor is None or not isinstance(anchor.part, Body):
            continue
        body = by_name.get(anchor.part.name)
        if body is None or not _yields(frame.joint.source, body, anchor):
            continue
        energy = _at_rest(kinetic(body), placed.jets, rates=True)
        for name in filter(None, placed.joint_names[id(frame.joint.source)]):
            rate = Jet(name, t=1).symbol
            if name in placed.prescribed or not verdict(partial(partial(energy, rate), rate)):
                continue
            if _Twins(placed, frame, name, data).found:
                raise FlexuraError(
                    f"The coordinate {name} of {frame.joint.source!r} and the motion of what {anchor.part.name}"
                    f" carries describe one motion twice, because {anchor.part.name} has no inertia that {name} moves",
                    advice=f"let the joint act on the member itself, or give {anchor.part.name} an inertia",
                    part=repr(frame.joint.source),
                )


def _yields(joint: Coupling, body: Carried, anchor: Spot) -> bool:
    """Whether a body may not resist a joint: told by what it lacks, since its energy is long in a long chain."""
    if any(one != 0 for row in body.inertia for one in row):
        return False
    return body.mass == 0 or (bool(joint.free_axes) and all(one == 0 for one in anchor.point))


@dataclass(frozen=True)
class _Twins:
    """Whether one joint's coordinate and the small motions in its frame, together, can move without any effect."""

    placed: Placed
    frame: Frame
    name: str
    data: Mapping[str, Any]

    @property
    def found(self) -> bool:
        """The column of the joint's coordinate depends on the others."""
        return last_column_depends([*others, own] for own, *others in self._rows())

    @property
    def _coordinates(self) -> list[str]:
        return [self.name, *(name for name, _, _ in self.frame.motions.coordinates)]

    @property
    def _segments(self) -> list[Segment]:
        return [one for one in self.frame.assembly.parts if isinstance(one, Segment)]

    @property
    def _unknowns(self) -> list[Symbol]:
        """Displacements of the coordinates, and a + b x of each field."""
        fields = [field.name for seg in self._segments for field in seg.fields]
        return [Symbol(f"${name}") for name in self._coordinates] + [
            Symbol(f"${kind}.{name}") for name in fields for kind in ("a", "b")
        ]

    def _rigid(self, jet: Jet) -> Basic:
        """A jet, or its rate, in a motion that is linear along each member of the frame and zero elsewhere."""
        if jet.name in self._coordinates:
            return Symbol(f"${jet.name}")
        seg = next((one for one in self._segments if jet.name in [field.name for field in one.fields]), None)
        if seg is None or jet.x > 1:
            return ZERO
        a, b = Symbol(f"$a.{jet.name}"), Symbol(f"$b.{jet.name}")
        at = {"": SPINE, "a": seg.start.engine, "b": seg.end.engine}[jet.end[:1]]
        return b if jet.x else a + b * at

    def _rows(self) -> Iterator[list[Basic]]:
        """What vanishes in a motion without effect: gradients of energies, gaps of boundary values and conditions."""
        data, spines = self.data, {seg.spine: seg for seg in self.placed.structure.segments}
        for f, rates in ((data["kinetic"], True), (data["dissipation"], True), (data["potential"], False)):
            yield from self._gradient(f, rates)
        for spine, f in (*data["density"].items(), *data["dissipation_density"].items()):
            seg = spines[spine]
            for share in _PLACES:
                here = seg.start.engine + share * (seg.end.engine - seg.start.engine)
                for rates in (True, False):
                    yield from self._gradient(f, rates, here)
        jets = self.placed.jets
        for label, f in data["boundary"].items():
            end = jets.find(Symbol(label))
            if end is not None and any(end.name in [field.name for field in seg.fields] for seg in self._segments):
                yield self._coefficients(self._rigid(end) - self._first_order(f))
        for f in data["constraints"].values():
            yield self._coefficients(self._first_order(f))

    def _first_order(self, f: Basic) -> Basic:
        jets = self.placed.jets
        slopes = [(jet, _at_rest(partial(f, jet.symbol), jets)) for jet in jets.unknowns(f)]
        return sum((slope * self._rigid(replace(jet, t=0)) for jet, slope in slopes), ZERO)

    def _gradient(self, f: Basic, rates: bool, x: Basic | None = None) -> Iterator[list[Basic]]:
        """The gradient of the second-order part of an energy, in rates or in displacements, over the unknowns."""
        jets = self.placed.jets
        moving = {jet.symbol: self._rigid(replace(jet, t=0)) for jet in jets.unknowns(f) if (jet.t > 0) == rates}
        still = {jet.symbol: ZERO for jet in jets.unknowns(f) if (jet.t > 0) != rates}
        inside = f.xreplace(still).xreplace(moving)
        inside = inside.xreplace({SPINE: x}) if x is not None else inside
        zero = dict.fromkeys(self._unknowns, ZERO)
        for symbol in self._unknowns:
            slope = partial(inside, symbol)
            if slope != 0:
                yield [partial(slope, other).xreplace(zero) for other in self._unknowns]

    def _coefficients(self, f: Basic) -> list[Basic]:
        return [partial(f, symbol) for symbol in self._unknowns]


def _at_rest(f: Basic, jets: Jets, rates: bool = False) -> Basic:
    """A tree in the reference configuration; rates may stay."""
    return f.xreplace({jet.symbol: ZERO for jet in jets.unknowns(f) if not (rates and jet.t)})
