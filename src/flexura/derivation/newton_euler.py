"""Newton's and Euler's equations of every free body, with all reactions; then their elimination ([V] I.1).

Everything is seen from ground: accelerations are second derivatives of positions, Euler's equation is the rate of the
angular momentum about the mass centre. From the leaves inwards, what a joint passes on is the sum over all bodies that
hang on it of inertia minus loads; its part along the joint's free motion vanishes, and that is the equation of motion.

Convention for reactions: R_<joint>_x and M_<joint>_z are the force and the moment that p exerts on q at q's place, in
ground's axes. A joint is called by its coordinate's name if that was given, else <p>_<q>, as a weld is. A condition
written as fx.Constraint does not say on which bodies its load acts; it acts between p and q of the joints it names.

    >>> equations = fx.derive(model, method="newton_euler")
    >>> joint_reactions(equations)["R_theta_y"]
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import symengine

from flexura.derivation.equations.equations import Equations
from flexura.derivation.equations.rows import Row, Sum
from flexura.derivation.equations.steps import Step
from flexura.derivation.generalized import free_body_sentences
from flexura.energy.lagrangian import Lagrangian
from flexura.errors import FlexuraError
from flexura.symbolic.engine import ZERO, Basic, Symbol, exact, partial
from flexura.symbolic.jets import Jet
from flexura.symbolic.kinematics.motion import FreeBodies, FreeBody, FreeMotion, Hold, Wrench
from flexura.symbolic.kinematics.vectors import (
    AXES,
    NULL,
    Vector,
    add,
    change,
    cross,
    dot,
    scale,
    subtract,
    turn,
    turn_back,
)
from flexura.symbolic.shorten import shorter, tidied

Load = tuple[Vector, Vector]
"""A force and a moment."""

_PASSIVE = ("weight", "spring", "damper")
_ACTIVE = ("force", "torque", "cut")
_ALL = (*_PASSIVE, *_ACTIVE)


def newton_euler_refusal(energies: Lagrangian) -> FlexuraError | None:
    """Why Newton's and Euler's equations do not apply; None if they do."""
    free: FreeBodies | None = getattr(energies.motion, "free_bodies", None)
    if free is None:
        return FlexuraError(
            "The route 'newton_euler' needs bodies and joints, and this system was given by its energies alone",
            advice="use 'surrogate' or 'variational'",
        )
    if not free.refusal:
        return None
    return FlexuraError(f"The route 'newton_euler' does not apply: {free.refusal}", advice=free.advice)


def newton_euler_rows(energies: Lagrangian) -> tuple[Row, ...]:
    """The equation of motion of every coordinate, prescribed ones included, and the constraints."""
    laws = Laws(energies)
    constraints = [Row("constraint", name, Sum(f), Sum()) for name, f in energies.constraints.items()]
    return (*(laws.motion(name) for name in energies.mechanical), *constraints)


def joint_reactions(equations: Equations) -> dict[str, Any]:
    """The reactions at joints and welds in SymPy, by name: {"R_theta_x": Eq(R_theta_x, ...)}; also after JSON.

    >>> joint_reactions(fx.derive(pendulum, method="newton_euler"))["R_theta_y"].rhs
    """
    if equations.method != "newton_euler":
        raise FlexuraError(
            f"The route {equations.method!r} leaves the reactions out",
            advice="derive with method='newton_euler' to see them",
        )
    return equations.reactions


class Laws:
    """Newton's and Euler's laws for the free bodies of one system."""

    def __init__(self, energies: Lagrangian) -> None:
        """`energies` carry the motion; their energies are not read."""
        self.energies, self.jets = energies, energies.jets
        self.free: FreeBodies = energies.motion.free_bodies
        self.bodies = {body.name: body for body in self.free.bodies}
        self.rates = {body.name: self._rates(body) for body in self.free.bodies}
        self._held: dict[str, Load] = {}

    def _rates(self, body: FreeBody) -> Load:
        """Acceleration of the mass centre and rate of the angular momentum about it (Euler), in the body's axes."""
        D_t = self.jets.D_t
        acceleration = change(change(body.position, D_t), D_t)
        seen = change(turn_back(body.rotation, acceleration), shorter)
        spin = change(turn_back(body.rotation, body.spin), shorter)
        momentum = turn(body.inertia, spin)
        return seen, add(turn(body.inertia, change(spin, D_t)), cross(spin, momentum))

    def inertia(self, name: str) -> Load:
        """Mass times acceleration and the rate of the angular momentum, in ground's axes."""
        body, (acceleration, momentum) = self.bodies[name], self.rates[name]
        return scale(body.mass, turn(body.rotation, acceleration)), turn(body.rotation, momentum)

    def on(self, body: str, kinds: Iterable[str]) -> Iterator[Wrench]:
        """The loads of some kinds on a body."""
        return (one for one in self.free.wrenches if one.body == body and one.kind in kinds)

    # -- the equations of motion ---------------------------------------------------------------------------------

    def motion(self, name: str) -> Row:
        """What a joint passes on along one of its free motions: the equation of motion of that coordinate."""
        hold, free = next((h, f) for h in self.free.holds for f in h.free if f.name == name)
        left, right = ZERO, ZERO
        for one in hold.outboard:
            left += self._along(self.bodies[one], hold, free) - self._loads_along(one, _PASSIVE, hold, free)
            right += self._loads_along(one, _ACTIVE, hold, free)
        right = hold.sign * right + symengine.Add(*(Symbol(of) * share for of, share in self.constrained(name)))
        return Row("ordinary", name, Sum(shorter(hold.sign * left)), Sum(shorter(right)))

    def _along(self, body: FreeBody, hold: Hold, free: FreeMotion) -> Basic:
        """The part of a body's inertia along a free motion: force and moment about the joint, in the body's axes."""
        acceleration, momentum = self.rates[body.name]
        moved = add(free.along, cross(free.about, subtract(body.position, hold.point)))
        way, turned = (change(turn_back(body.rotation, one), shorter) for one in (moved, free.about))
        return body.mass * dot(acceleration, way) + dot(momentum, turned)

    def _loads_along(self, body: str, kinds: Iterable[str], hold: Hold, free: FreeMotion) -> Basic:
        total = ZERO
        for one in self.on(body, kinds):
            way = add(free.along, cross(free.about, subtract(one.point, hold.point)))
            total += shorter(one.amount) * shorter(dot(one.force, way) + dot(one.couple, free.about))
        return total

    def constrained(self, name: str) -> Iterator[tuple[str, Basic]]:
        """The written constraints that act on a coordinate, and how: multiplier and factor."""
        cuts = {one.name for one in self.free.wrenches if one.kind == "cut"}
        for multiplier, f in self.energies.constraints.items():
            rated = any(jet.t for jet in self.jets.unknowns(f))
            share = partial(f, Jet(name, t=1 if rated else 0).symbol)
            if multiplier not in cuts and share != 0:
                yield multiplier, share

    # -- reactions -----------------------------------------------------------------------------------------------

    def reactions(self) -> Iterator[Row]:
        """R_<joint>_x, ..., M_<joint>_z of every hold that statics determines."""
        for hold in self.free.holds:
            if hold.determined:
                yield from self._reaction(hold)

    def held(self, hold: Hold) -> Load:
        """What p exerts on q: what the bodies next to the hold need, and what the holds beyond pass on."""
        if len(self.loose(hold)) == 6:
            return NULL, NULL
        if hold.name not in self._held:
            beyond = self._beyond(hold)
            inside = {name for one in beyond for name in one.outboard}
            loads = [_moved(_times(one.sign, self.held(one)), one.point, hold.point) for one in beyond]
            for name in hold.outboard:
                if name not in inside:
                    loads.append(_moved(self.inertia(name), self.bodies[name].position, hold.point))
                    loads += [_times(-1, _moved(_load(one), one.point, hold.point)) for one in self.on(name, _ALL)]
            self._held[hold.name] = self._across(hold, _times(hold.sign, _total(loads)))
        return self._held[hold.name]

    def _beyond(self, hold: Hold) -> list[Hold]:
        """The next holds outwards."""
        mine = set(hold.outboard)
        inner = [one for one in self.free.holds if one.determined and set(one.outboard) < mine]
        return [one for one in inner if not any(set(one.outboard) < set(other.outboard) for other in inner)]

    def _across(self, hold: Hold, load: Load) -> Load:
        """Without the part along free motions, which vanishes."""
        force, moment = load
        for one in self.loose(hold):
            force = subtract(force, scale(dot(one.along, force), one.along))
            moment = subtract(moment, scale(dot(one.about, moment), one.about))
        return change(force, shorter), change(moment, shorter)

    def loose(self, hold: Hold) -> tuple[FreeMotion, ...]:
        """The motions along which a hold passes nothing on: neither driven nor under a written constraint."""
        driven = self.energies.prescribed
        loose = tuple(one for one in hold.free if one.name not in driven and not any(self.constrained(one.name)))
        return loose if len(hold.free) < 6 or len(loose) == 6 else ()

    def _reaction(self, hold: Hold) -> Iterator[Row]:
        loose = self.loose(hold)
        ways = {"R": [one.along for one in loose], "M": [one.about for one in loose]}
        for letter, load in zip("RM", self.held(hold), strict=True):
            for axis, f, e in zip("xyz", load, AXES, strict=True):
                value = tidied(self.energies.driven(f))
                usual = len(loose) < 6 and (not self.planar or letter + axis in ("Rx", "Ry", "Mz"))
                if value != 0 or (usual and not any(cross(e, way) == NULL != way for way in ways[letter])):
                    name = f"{letter}_{hold.name}_{axis}"
                    yield Row("reaction", name, Sum(Symbol(name)), Sum(value))

    @property
    def planar(self) -> bool:
        """Whether everything moves in the plane of x and y."""
        free = [one for hold in self.free.holds for one in hold.free]
        return all(one.along[2] == 0 and one.about[0] == 0 and one.about[1] == 0 for one in free)

    # -- the equations of each body ------------------------------------------------------------------------------

    def body_equations(self, unknown: Callable[[str], Basic]) -> Iterator[Row]:
        """Newton and Euler for each body by itself; `unknown` gives the symbol of a reaction, or zero."""
        for body in self.free.bodies:
            yield from self.balance(body, unknown)

    def balance(self, body: FreeBody, unknown: Callable[[str], Basic]) -> Iterator[Row]:
        """Newton and Euler for one body, the moments about its mass centre."""
        loads = [*self.on(body.name, _ALL), *self.reactions_on(body.name, unknown)]
        total = _total([_moved(_load(one), one.point, body.position) for one in loads])
        for left, right in zip(self.inertia(body.name), total, strict=True):
            for axis, a, b in zip("xyz", left, right, strict=True):
                if a != 0 or b != 0:
                    yield Row("ordinary", f"{body.name}_{axis}", Sum(shorter(a)), Sum(shorter(b)))

    def reactions_on(self, body: str, unknown: Callable[[str], Basic]) -> Iterator[Wrench]:
        """What joints and welds exert on a body, component by component: on q as named, on p the opposite."""
        for hold in self.free.holds:
            sign = {hold.p: -1, hold.q: 1}.get(body, 0)
            for letter, axis, e in ((letter, axis, e) for letter in "RM" for axis, e in zip("xyz", AXES, strict=True)):
                name = f"{letter}_{hold.name}_{axis}"
                amount = unknown(name) if sign else ZERO
                if amount != 0:
                    push, twist = (e, NULL) if letter == "R" else (NULL, e)
                    yield Wrench(name, "reaction", body, sign * amount, push, twist, hold.point)


def unknown_reactions(laws: Laws, reactions: Iterable[Row]) -> Callable[[str], Basic]:
    """Which reactions there are: those that were found, and those of welds that statics leaves open."""
    known = {row.name for row in reactions}
    unsettled = {one.name for one in laws.free.holds if not one.determined}

    def unknown(name: str) -> Basic:
        return Symbol(name) if name in known or name[2:-2] in unsettled else ZERO

    return unknown


def _load(one: Wrench) -> Load:
    return scale(one.amount, one.force), scale(one.amount, one.couple)


def _total(loads: Iterable[Load]) -> Load:
    found = [(NULL, NULL), *loads]
    return add(*(force for force, _ in found)), add(*(moment for _, moment in found))


def _times(sign: int, load: Load) -> Load:
    return (scale(exact(sign), load[0]), scale(exact(sign), load[1])) if sign != 1 else load


def _moved(load: Load, start: Vector, end: Vector) -> Load:
    """The same load with its moment about another point."""
    return load[0], add(load[1], cross(subtract(start, end), load[0]))


def _vector(parts: Iterable[Basic]) -> Vector:
    x, y, z = parts
    return (x, y, z)


def newton_euler_steps(energies: Lagrangian, rows: tuple[Row, ...]) -> tuple[Step, ...]:
    """Free bodies, kinematics, equations of each body, elimination, reactions."""
    laws = Laws(energies)
    reactions = list(laws.reactions())
    unsettled = {one.name for one in laws.free.holds if not one.determined}
    told: list[tuple[str, str, Iterable[Row]]] = [
        ("Free bodies", " ".join(free_body_sentences(laws.free)), []),
        ("Positions and spins", "Seen from ground; differentiated, they give the accelerations.", _kinematics(laws)),
        (
            "Newton and Euler for each body",
            "Mass times acceleration of the mass centre, and the rate of the angular momentum about it. R and M are"
            " what p exerts on q at a joint, in ground's axes.",
            laws.body_equations(unknown_reactions(laws, reactions)),
        ),
        (
            "Elimination of the reactions",
            "From the leaves inwards: a joint passes on the inertia minus the loads of all that hangs on it; along its"
            " free motion that vanishes.",
            [row for row in rows if row.kind != "reaction"],
        ),
        ("Reactions", _reaction_sentence(unsettled), [*reactions, *(row for row in rows if row.kind == "reaction")]),
    ]
    return tuple(
        Step(i, title, text, tuple(content), energies, title == "Free bodies")
        for i, (title, text, content) in enumerate(told, 1)
    )


def _kinematics(laws: Laws) -> Iterator[Row]:
    for body in laws.free.bodies:
        for letter, vector in (("r", body.position), ("omega", body.spin)):
            for axis, f in zip("xyz", vector, strict=True):
                if f.expand() != 0:
                    name = f"{letter}_{body.name}_{axis}"
                    yield Row("ordinary", name, Sum(Symbol(name)), Sum(f))


def _reaction_sentence(unsettled: set[str]) -> str:
    told = "Put back, the equations of the bodies give the reactions: what p exerts on q, in ground's axes."
    if not unsettled:
        return told
    names = ", ".join(sorted(unsettled))
    return f"{told} The welds {names} form a loop, so statics alone does not share the load among them."
