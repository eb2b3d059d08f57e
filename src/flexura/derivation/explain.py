"""Where the terms of an equation come from: `fx.explain(equations, "theta")` tells the part and the effect of each.

    >>> print(fx.explain(equations, "q1"))
    inertia      cart   m x''
    stiffness    k1     k x

Every energy, loss and load of a part goes alone through the same derivation; what all of them give must add up to the
equation, which is checked: what they do not explain, if anything, is told as such.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import symengine

from flexura.arguments import checked_methods, nearest
from flexura.derivation.equations.equations import Equations
from flexura.derivation.equations.rows import Row, Sum
from flexura.derivation.equations.text import row_text
from flexura.derivation.routes import derive
from flexura.derivation.surrogate import surrogate_row
from flexura.energy.lagrangian import Lagrangian
from flexura.errors import FlexuraError
from flexura.parts.loads import Gravity
from flexura.symbolic.engine import ZERO, Basic, partial
from flexura.symbolic.integrals import terms
from flexura.symbolic.jets import Jet, Jets
from flexura.symbolic.kinematics.motion import Carried, ModelMotion
from flexura.symbolic.kinematics.vectors import NULL, add, dot, scale, turn
from flexura.symbolic.shorten import shorter
from flexura.symbolic.zero import verdict

EFFECTS = ("inertia", "Coriolis and centrifugal", "stiffening", "damping", "stiffness", "loads", "constraints")
"""The order in which terms are told."""
_NOTHING: Mapping[str, Any] = {
    "kinetic": ZERO,
    "potential": ZERO,
    "dissipation": ZERO,
    "density": {},
    "dissipation_density": {},
    "work": {},
    "work_density": {},
    "constraints": {},
}


@dataclass(frozen=True)
class ExplainedTerm:
    """What one part brings into an equation by one effect, all on the left side: as SymPy, and as text."""

    part: str
    effect: str
    formula: Any
    text: str


@checked_methods
@dataclass(frozen=True)
class Explanation:
    """The terms of one equation by kind; together they are its left side minus its right side."""

    row: str
    terms: tuple[ExplainedTerm, ...]

    def of(self, effect: str) -> tuple[ExplainedTerm, ...]:
        """The terms of one effect: `explanation.of("stiffness")`."""
        if effect not in EFFECTS:
            raise FlexuraError(f"There is no effect {effect!r}", advice=nearest(str(effect), EFFECTS))
        return tuple(one for one in self.terms if one.effect == effect)

    def __str__(self) -> str:
        if not self.terms:
            return f"{self.row}: no terms"
        first, second = (max(len(getattr(one, key)) for one in self.terms) for key in ("effect", "part"))
        lines = [f"  {one.effect:{first}}  {one.part:{second}}  {one.text}" for one in self.terms]
        return "\n".join([f"{self.row}: the sum of these is zero", *lines])


class _Piece(NamedTuple):
    """A share of the energies that belongs to one part; `effect` "" is told from the terms it gives."""

    part: str
    effect: str
    energies: Mapping[str, Any]


def explain(equations: Any, row: Any) -> Explanation:
    """Each term of the equation of a coordinate or field, with the part and the effect it comes from.

    Arguments:
        `equations`: a model or equations; `row`: the name of a coordinate or field.
    Returns fx.Explanation: print shows a table, `.of("loads")` the terms of one effect.

    >>> import flexura as fx
    >>> bob = fx.RigidBody("bob", m=2.0, I=0.1)
    >>> model = fx.Model(fx.Revolute(fx.ground, bob.at(0, 0.5), name="theta"), fx.Torque(bob, "tau"), fx.Gravity())
    >>> print(fx.explain(model, "theta"))
    theta: the sum of these is zero
      inertia  bob  (I_bob + m_bob/4) θ̈
      loads    bob  (1/2) m_bob g sin(θ)
      loads    tau  −τ
    """
    read = equations if isinstance(equations, Equations) else derive(equations)
    energies = read.lagrangian
    known = (*energies.moving, *energies.fields)
    if not isinstance(row, str) or row not in known:
        raise FlexuraError(f"There is no equation of {row!r} to explain", advice=nearest(str(row), known))
    found: dict[tuple[str, str], Sum] = {}
    left = surrogate_row(energies, row).residual
    for piece in (*_pieces(energies), *_conditions(energies)):
        share = surrogate_row(energies.changed(**{**_NOTHING, **piece.energies}), row).residual
        left = left - share
        for effect, part in _by_effect(share, piece.effect, energies.jets):
            key = effect, piece.part
            found[key] = found.get(key, Sum()) + part
    if not all(verdict(f) for f in left.parts()):
        for effect, part in _by_effect(left, "", energies.jets):
            found[effect, "not of one part"] = part
    told = [(key, value.map(_short)) for key, value in found.items()]
    ordered = sorted((one for one in told if not one[1].empty), key=lambda one: EFFECTS.index(one[0][0]))
    return Explanation(row, tuple(_term(part, effect, value, row, energies) for (effect, part), value in ordered))


def _short(f: Basic) -> Basic:
    short = shorter(f)
    return ZERO if verdict(short) else short


def _term(part: str, effect: str, value: Sum, row: str, energies: Lagrangian) -> ExplainedTerm:
    from flexura.derivation.equations.sympy_rows import rows_to_sympy

    made = Row("ordinary", row, value, Sum())
    formula = rows_to_sympy([made], energies)[0]
    return ExplainedTerm(part, effect, formula.lhs - formula.rhs, row_text(made, energies).removesuffix(" = 0"))


def _by_effect(share: Sum, effect: str, jets: Jets) -> Iterator[tuple[str, Sum]]:
    """The share of a part by effects: of motion, by the rates that its terms hold."""
    if effect:
        yield effect, share
        return
    for kind in EFFECTS[:2]:
        kept = share.map(_only(kind, jets))
        if not kept.empty:
            yield kind, kept


def _only(kind: str, jets: Jets) -> Callable[[Basic], Basic]:
    """What keeps the terms of one kind."""
    return lambda f: symengine.Add(*(one for one in terms(f.expand()) if _kind(one, jets) == kind))


def _kind(term: Basic, jets: Jets) -> str:
    orders = [jet.t for jet in jets.inside(term)]
    return EFFECTS[0] if any(t >= 2 for t in orders) else EFFECTS[1]


def _conditions(energies: Lagrangian) -> Iterator[_Piece]:
    for name, condition in energies.constraints.items():
        yield _Piece(name, "constraints", {"constraints": {name: condition}})


def _pieces(energies: Lagrangian) -> Iterator[_Piece]:
    motion = energies.motion
    if not isinstance(motion, ModelMotion):
        yield from _whole(energies)
        return
    gravity = _gravity(energies)
    members = {spine: name for name, spines in energies.members.items() for spine in spines}
    for one in motion.carried:
        part = members.get(one.spine, one.name)
        yield _Piece(part, "", _placed(one.spine, _kinetic(one)))
        yield _Piece(part, "loads", _placed(one.spine, one.mass * dot(gravity, one.position)))
    for spine, part in members.items():
        yield _Piece(part, "", {"density": {spine: motion.extra_kinetic.get(spine, ZERO)}})
        yield _Piece(part, "stiffness", {"density": {spine: -motion.stored.get(spine, ZERO)}})
        yield _Piece(part, "damping", {"dissipation_density": {spine: motion.lost.get(spine, ZERO)}})
    for shift in motion.shifts:
        energy = energies.jets.D_t(shift.amount) * shift.first + shift.amount * shift.second
        lost = {"dissipation_density": {shift.spine: shift.lost}} if shift.spine else {"dissipation": shift.lost}
        yield _Piece(members.get(shift.spine, "turning parts"), "stiffening", {**_placed(shift.spine, energy), **lost})
    for law in motion.springs:
        yield _Piece(law.name, "stiffness", {"potential": law.at(law.extent)})
    for law in motion.dampers:
        yield _Piece(law.name, "damping", {"dissipation": law.at(energies.jets.D_t(law.extent))})
    yield from _loads(motion, energies.jets)


def _placed(spine: str, energy: Basic) -> dict[str, Any]:
    return {"density": {spine: energy}} if spine else {"kinetic": energy}


def _kinetic(one: Carried) -> Basic:
    """Half m V^2 plus the energy of rotation, to second order in the deflections (theory, section 4)."""
    zeroth, first, second = one.spin
    moving = add(zeroth, first)
    turning = dot(moving, turn(one.inertia, moving)) / 2 + dot(zeroth, turn(one.inertia, second))
    return one.mass * one.speed_squared / 2 + turning


def _gravity(energies: Lagrangian) -> Any:
    things = energies.source.things if energies.source is not None else ()
    return add(NULL, *(scale(one.g.engine, one.along) for one in things if isinstance(one, Gravity)))


def _loads(motion: ModelMotion, jets: Jets) -> Iterator[_Piece]:
    for force in motion.forces:
        extent = force.extent if force.extent is not None else force.rate
        assert extent is not None
        yield _Piece(force.name, "loads", {"work": _worked(force.value, extent, jets)})
    for load in motion.line_loads:
        yield _Piece(load.name, "loads", {"work_density": {load.spine: _worked(load.value, load.extent, jets)}})
    for shift in motion.shifts:
        work = shift.follower_work(jets)
        turned = {"work_density": {shift.spine: work}} if shift.spine else {"work": work}
        yield _Piece("loads that turn", "loads", turned)


def _worked(value: Basic, extent: Basic, jets: Jets) -> dict[str, Basic]:
    """The generalized forces of a load along a position, or along the rate of one."""
    moved = jets.unknowns(extent)
    order = int(any(jet.t for jet in moved))
    return {
        Jet(jet.name, jet.x, 0, jet.end).label: value * partial(extent, jet.symbol) for jet in moved if jet.t == order
    }


def _whole(energies: Lagrangian) -> Iterator[_Piece]:
    """Energies that know no parts: by what they are."""
    yield _Piece("kinetic energy", "", {"kinetic": energies.kinetic})
    yield _Piece("potential", "stiffness", {"potential": energies.potential})
    yield _Piece("dissipation", "damping", {"dissipation": energies.dissipation})
    for spine, density in energies.density.items():
        moving: list[Basic] = []
        rest: list[Basic] = []
        for term in terms(density.expand()):
            (moving if any(jet.t for jet in energies.jets.unknowns(term)) else rest).append(term)
        yield _Piece(f"line of {spine}", "", {"density": {spine: symengine.Add(*moving)}})
        yield _Piece(f"line of {spine}", "stiffness", {"density": {spine: symengine.Add(*rest)}})
    for spine, lost in energies.dissipation_density.items():
        yield _Piece(f"line of {spine}", "damping", {"dissipation_density": {spine: lost}})
    yield _Piece("loads", "loads", {"work": energies.work, "work_density": energies.work_density})
