"""Diagrams of systems with members: their balances are the equations, on any motion, to first order in deflections.

Along the virtual motion of every coordinate, what all parts miss to be in balance is what its equation misses
(d'Alembert); connections do no work. Fields, coordinates, rates and accelerations are drawn at random and satisfy only
the geometric conditions; deflections are small, so that an error of first order is a hundred times what is allowed.
"""

from __future__ import annotations

import os
import zlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings

import flexura as fx
from flexura.derivation.cut_diagrams import CutLaws, _way
from flexura.derivation.sections import end_loads
from flexura.derivation.surrogate import surrogate_rows
from flexura.gallery import EXAMPLES, example
from flexura.symbolic.engine import SPINE, TIME, Symbol, exact, partial
from flexura.symbolic.jets import Jet
from flexura.symbolic.kinematics.vectors import NULL, Vector, add, change, cross, dot, scale, subtract, turn
from random_models import Drawn, models

SMALL, FAINT = 1e-5, 1e-9
NODES, WEIGHTS = np.polynomial.legendre.leggauss(9)


def number_of(text: str, low: float = -1.0, high: float = 1.0) -> float:
    """The same number for the same word, whatever the order of words."""
    return low + (high - low) * (zlib.crc32(text.encode()) % 10007) / 10007


class Motion:
    """Numbers for everything at one instant: a random motion that satisfies the geometric conditions."""

    def __init__(self, laws: CutLaws, seed: int) -> None:
        self.laws, self.energies, self.seed = laws, laws.energies, str(seed)
        self.known: dict[str, float] = {}
        spines = {spine.name: spine for spine in self.energies.spines}
        self.ends = {name: [self(spine.start), self(spine.end)] for name, spine in spines.items()}
        self.shapes: dict[tuple[str, int], np.poly1d] = {}
        for spine in spines.values():
            for field in spine.fields:
                for t in range(3):
                    self.shapes[field, t] = self._shape(spine.name, field, t)

    def _shape(self, spine: str, field: str, t: int) -> np.poly1d:
        """A polynomial with given values and derivatives at both ends."""
        rows, right = [], []
        for end, x in zip("ab", self.ends[spine], strict=True):
            for order in range(4):
                rows.append([np.polyval(np.polyder(np.poly1d([1.0] + [0.0] * k), order), x) for k in range(8)])
                right.append(self._jet(Jet(field, order, t, end)))
        return np.poly1d(np.linalg.solve(np.array(rows), np.array(right))[::-1])

    def _jet(self, jet: Jet) -> float:
        if jet.end:
            label = Jet(jet.name, jet.x, 0, jet.end).label
            given = self.energies.settled_boundary.get(label)
            if given is not None:
                for _ in range(jet.t):
                    given = self.energies.jets.D_t(given)
                return self(given)
        name = jet.label
        size = SMALL if jet.name in self.laws.cut.small else 1.0
        return size * number_of(name + self.seed)

    def __call__(self, f, x: float = 0.0) -> float:
        """A tree at x."""
        f = exact(f) if isinstance(f, int | float) else f
        values = {SPINE: exact(x), TIME: exact(0.3)}
        for jet in self.energies.jets.inside(f):
            if (jet.name, jet.t) in getattr(self, "shapes", {}) and not jet.end:
                values[jet.symbol] = exact(float(np.polyval(np.polyder(self.shapes[jet.name, jet.t], jet.x), x)))
            else:
                values[jet.symbol] = exact(self._jet(jet))
        f = f.xreplace(values)
        idle = {one: exact(self.known.get(one.name, number_of(one.name, 0.5, 1.5))) for one in f.free_symbols}
        return float(f.xreplace(idle).n(real=True))

    def along(self, f, spine: str) -> float:
        """The integral over a piece."""
        start, end = self.ends[spine]
        places = start + (end - start) * (NODES + 1) / 2
        return float((end - start) / 2 * sum(w * self(f, x) for w, x in zip(WEIGHTS, places, strict=True)))


def rotated(frame, symbol) -> Vector:
    """By which axis a matrix turns as a coordinate grows: dR R^T."""
    rate = [change(row, lambda f: partial(f, symbol)) for row in frame]
    spin = [[dot(rate[i], frame[j]) for j in range(3)] for i in range(3)]
    return (spin[2][1], spin[0][2], spin[1][0])


class Virtual:
    """The virtual motion of one coordinate, or of one free value at an end."""

    def __init__(self, laws: CutLaws, motion: Motion, symbol: Symbol) -> None:
        self.laws, self.motion, self.symbol = laws, motion, symbol
        self.small = {unit: one.inside for one in laws.cut.holds for unit, _, _ in one.units}

    def slope(self, v: Vector) -> Vector:
        return change(v, lambda f: partial(f, self.symbol))

    def of(self, part, arm: Vector, small: Vector) -> tuple[Vector, Vector]:
        moved = self.slope(add(part.origin, turn(part.frame, arm)))
        slope = self.slope(small)
        turned = add(slope, scale(exact(1) / 2, cross(small, slope)))  # of a rotation vector, to first order
        return moved, add(rotated(part.frame, self.symbol), turn(part.frame, turned))

    def work(self, load, way: tuple[Vector, Vector], at: Vector, x: float = 0.0) -> float:
        moved = add(way[0], cross(way[1], subtract(load.point, at)))
        if load.kind == "reaction" and self.small[load.name]:
            moved = self.slope(load.point)  # a connection inside a frame joins places, to first order
        return self.motion(load.amount * (dot(load.force, moved) + dot(load.couple, way[1])), x)

    def missed(self) -> float:
        """What all parts together miss to be in balance."""
        found = sum(map(self.body, self.laws.cut.bodies))
        found += sum(self.piece(part) for parts in self.laws.cut.members.values() for part in parts)
        return found + sum(map(self.node, self.laws.cut.nodes))

    def body(self, part) -> float:
        moved, turned = way = self.of(part, part.arm, part.small)
        at = add(part.origin, turn(part.frame, part.arm))
        inertia = part.mass * dot(turn(part.frame, part.acceleration), moved)
        inertia += dot(turn(part.frame, part.turning), turned)
        return self.motion(inertia) - sum(self.work(load, way, at) for load in self.laws.on_body(part.name))

    def piece(self, part) -> float:
        moved, turned = self.of(part, part.arm, NULL)
        f = part.mass * dot(turn(part.frame, part.acceleration), moved) + dot(turn(part.frame, part.turning), turned)
        for load in self.laws.on_member(part.name):
            if load.spine == part.spine:
                f -= load.amount * dot(load.force, moved)
        return self.motion.along(f, part.spine)

    def node(self, node) -> float:
        """At an end: its loads against N, V, M; inside: against the jump, as far as it moves more than the member.

        At a free end the diagram has no N, V, M: that their formulas vanish there is the natural condition.
        """
        part = self.laws._piece(node)
        spine, end = node.ends[0]
        x = self.motion.ends[spine]["ab".index(end)]
        at = add(part.origin, turn(part.frame, node.arm))
        whole = self.of(part, node.arm, node.small)
        loads = self.laws.on_body(node.name)
        rigid = tuple(change(one, lambda f: f.xreplace({SPINE: exact(x)})) for one in self.of(part, part.arm, NULL))
        bent = tuple(subtract(one, other) for one, other in zip(whole, rigid, strict=True))
        total = -sum(self.work(load, whole, at, x) for load in loads)
        if len(node.ends) == 1 and loads:
            held = list(self.laws._at_end(node))
            return total + sum(self.work(load, bent, at, x) for load in held)
        for spine, end in node.ends:
            for motion, (_, load) in end_loads(self.laws.energies, spine).items():
                force, couple = (turn(part.frame, turn(part.own, one)) for one in _way(motion))
                value = self.motion(load, x) * (self.motion(dot(force, bent[0]) + dot(couple, bent[1]), x))
                total += value if end == "b" else -value
        return total


def balanced(model: fx.Model, seed: int) -> int:
    """Every equation of a model against what its parts miss; gives how many."""
    energies = model.lagrangian
    small = energies.of_small_motions
    laws = CutLaws(small, energies.cutting())
    motion = Motion(laws, seed)
    motion.known = {row.name: sum(map(motion, row.right.parts())) for row in laws.formulas}
    rows = {row.name: row for row in surrogate_rows(small) if row.kind in ("ordinary", "natural")}
    for name in small.prescribed:
        rows.pop(name, None)  # what drives it works on it
    for name, row in rows.items():
        jet = small.jets.find(Symbol(name))
        missed = Virtual(laws, motion, jet.symbol).missed()
        total = row.left - row.right
        asked = motion(total.local) + sum(motion.along(f, spine) for spine, f in total.integrals.items())
        assert missed == pytest.approx(asked, abs=3e-8 * (1 + abs(asked))), name
    return len(rows)


def refused(model: fx.Model) -> bool:
    """Whether there are no diagrams, for a reason."""
    try:
        model.lagrangian.cutting()
    except fx.FlexuraError as error:
        return "There are no free-body diagrams" in str(error)
    return False


def loose(model: fx.Model) -> bool:
    """Whether bodies keep small motions of their own, or are drawn in by small turns.

    Connections then do work on motions of second order.

    That work belongs to the loads that the connections really carry, and here they are drawn at random.
    """
    energies = model.lagrangian.of_small_motions
    ends = {symbol.name for f in energies.settled_boundary.values() for symbol in f.free_symbols}
    small = model.lagrangian.cutting().small
    own = any(name in small and name not in ends for name in energies.coordinates)
    return own or any(not shift.spine for shift in energies.motion.shifts)


def built(drawn: Drawn) -> fx.Model | None:
    """With foreshortening: without it equations leave out what forces do on bent parts, and balances do not."""
    try:
        return drawn.build(True)
    except fx.FlexuraError:
        return None


BY_PARTS = [name for name in EXAMPLES if fx.derive(example(name)).lagrangian.geometry is not None]


@pytest.mark.parametrize("name", BY_PARTS)
def test_examples_by_parts_balance(name):
    assert balanced(example(name), 1) > 0


CASES = int(os.environ.get("FLEXURA_CUT_CASES", "17"))


@pytest.mark.parametrize(("spatial", "count"), [(False, CASES - CASES * 5 // 17), (True, CASES * 5 // 17)])
def test_random_models_balance(spatial, count):
    told = []

    @settings(
        max_examples=count,
        database=None,
        deadline=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate],
    )
    @given(models(spatial=spatial, size=(2, 3)))
    def holds(drawn: Drawn) -> None:
        model = built(drawn)
        if model is None or refused(model) or loose(model):
            told.append(0)
            return
        told.append(balanced(model, 2))

    holds()
    assert sum(map(bool, told)) > 0.4 * len(told)


def test_an_exact_mode_balances_every_part():
    """Numbers of another kind: frequencies and shapes by Wittrick and Williams, accelerations -omega^2 x shape."""
    left, beam = (fx.EulerBernoulliBeam(name, EI=2.0, rho=1.5, length=1.0, EA=900.0) for name in ("left", "beam"))
    body = fx.RigidBody("body", m=0.7, I=0.02)
    model = fx.Model(
        fx.Fixed(fx.ground, left.start, angle="90 deg"),
        fx.Fixed(left.end, beam.start, angle="-90 deg"),
        fx.Fixed(beam.end, body),
        fx.Spring(body, fx.ground, k=30.0),
    )
    modes = fx.modes(model, 3)
    energies = model.lagrangian
    laws = CutLaws(energies, energies.cutting())
    assert [row.name for row in laws.at_ends("left")][:3] == ["N_left_start", "V_left_start", "M_left_start"]
    for k in range(3):
        shape, omega = modes.shape(k), modes.frequencies[k]
        motion = OfMode(laws, shape, omega)
        motion.known = {row.name: motion(row.right.local) for row in laws.formulas}
        for name in laws.cut.members:
            for row in laws.of_member(name):
                sides = [motion(s.local) + sum(motion.along(f, w) for w, f in s.integrals.items()) for s in row.sides]
                assert sides[0] == pytest.approx(sides[1], rel=1e-6, abs=FAINT * 1e-6 * omega**2), (k, row.name)
        (part,) = laws.cut.bodies
        known = {row.name: row for row in laws.at_ends("beam")}
        # what the beam's end carries is what the body takes: R = -(N, V, M)
        for letter, unit in (("N", "R_beam_body_x"), ("V", "R_beam_body_y"), ("M", "M_beam_body_z")):
            motion.known[unit] = -motion(known[f"{letter}_beam_end"].left.local)
        for row in laws.of_body(part):
            assert motion(row.left.local) == pytest.approx(
                motion(row.right.local), rel=1e-6, abs=FAINT * 1e-6 * omega**2
            )


class OfMode(Motion):
    """A mode at its largest deflection."""

    def __init__(self, laws: CutLaws, shape, omega: float) -> None:
        self.laws, self.energies, self.seed, self.known = laws, laws.energies, "", {}
        self.shape, self.omega = shape, omega
        self.ends = {one.name: [self(one.start), self(one.end)] for one in self.energies.spines}

    def _jet(self, jet: Jet) -> float:
        value = self.shape[jet.name] if jet.name in self.shape.coordinates else None
        if value is None:
            spine = self.energies.spine_of(jet.name)
            value = self.shape(jet.name, self.ends[spine.name][jet.end == "b"], jet.x)
        return FAINT * float(np.real(value)) * {0: 1.0, 1: 0.0, 2: -(self.omega**2)}[jet.t]

    def __call__(self, f, x: float = 0.0) -> float:
        f = exact(f) if isinstance(f, int | float) else f
        values = {SPINE: exact(x), TIME: exact(0)}
        for jet in self.energies.jets.inside(f):
            inside = jet.name in self.energies.fields and not jet.end
            share = {0: 1.0, 1: 0.0, 2: -(getattr(self, "omega", 0.0) ** 2)}[jet.t]
            value = FAINT * float(np.real(self.shape(jet.name, x, jet.x))) * share if inside else self._jet(jet)
            values[jet.symbol] = exact(value)
        known = {one.name: one.value for one in self.energies.parameters.values() if one.value is not None}
        f = f.xreplace(values)
        return float(f.xreplace({one: exact((known | self.known)[one.name]) for one in f.free_symbols}).n(real=True))


def test_a_member_is_told_with_its_loads_and_the_formulas_of_its_ends():
    beam, tip = fx.EulerBernoulliBeam("beam", EI="EI", rho="rho", length="l", foundation="k"), fx.Mass("tip", "m")
    model = fx.Model(
        fx.Fixed(fx.ground, beam.start),
        fx.Fixed(beam.end, tip),
        fx.DistributedForce(beam, "f"),
        fx.Gravity("g"),
        fx.Force(beam.at("l/2"), "F"),
    )
    diagrams = fx.free_bodies(model)
    assert [one.body for one in diagrams] == ["tip", "beam"]
    loads = {one.name: one for one in diagrams["beam"].loads if one.along}
    assert set(loads) == {"weight", "f", "foundation"}
    assert str(loads["foundation"].amount).startswith("-k*")
    assert str(diagrams.reactions["V_beam_start"]) == "-EI*Subs(Derivative(w_beam_1(x, t), (x, 3)), x, 0)"
    assert "M_beam_end" in diagrams.reactions
    assert {one.name for one in diagrams["beam"].loads} >= {"F", "N_beam_start", "V_beam_end"}
    assert "beam_about z" in str(diagrams["beam"])
    picture = fx.plot(diagrams)
    names = {artist.get_gid() for artist in picture.axes[0].get_children()}
    assert {"beam", "beam.f", "beam.weight", "beam.V_beam_end", "beam.F", "tip", "tip.R_beam_2_tip_y"} <= names


def test_small_turns_of_a_pinned_body_are_cut_free_with_the_pull_of_its_weight():
    """I theta'' = -m g d theta about the mass centre with R_y = m g: a pendulum whose pin leaves a small motion."""
    bar = fx.RigidBody("bar", m="m", I="I")
    diagrams = fx.free_bodies(fx.Model(fx.Pin(fx.ground, bar.at(0, "d")), fx.Gravity("g")))
    rows = {row.name: row for row in diagrams["bar"].rows}
    assert str(rows["bar_y"].right.local) in ("R_ground_bar_y - g*m", "-g*m + R_ground_bar_y")
    moment = rows["bar_about z"].right.local
    turned = partial(moment, Symbol("theta_bar"))
    assert (turned + Symbol("d") * Symbol("R_ground_bar_y")).expand() == 0


def test_motions_on_which_nothing_depends_are_in_no_diagram():
    body = fx.RigidBody("body", m="m", I=0)
    spring = fx.Spring(body, fx.ground, k="k")
    diagrams = fx.free_bodies(fx.Model(fx.Roller(fx.ground, body, along=(3, -4, 0)), spring))
    assert not any("theta_body" in str(f) for row in diagrams["body"].rows for f in row.right.parts())
    assert diagrams.energies.coordinates == ("y_body",)


@pytest.mark.parametrize(
    ("part", "words"),
    [
        (lambda beam, hub: fx.Constraint("y_t - 1"), r"a condition written by hand"),
        (lambda beam, hub: fx.Stop(fx.ground, hub, gap=1.0), r"a contact with members has none"),
    ],
)
def test_what_has_no_diagram_says_why(part, words):
    hub = fx.RigidBody("hub", m=1.0, I=1.0)
    beam = fx.EulerBernoulliBeam("beam", EI=1.0, rho=1.0, length=1.0)
    joint = fx.Slide(fx.ground, hub, name="y")
    model = fx.Model(joint, fx.Fixed(hub, beam.start), part(beam, hub))
    with pytest.raises(fx.FlexuraError, match=words):
        fx.free_bodies(model)


@pytest.mark.parametrize("at", [None, (0.4, 0.7)])
@pytest.mark.parametrize("along", ["y", "x", (3, 4, 0)])
@pytest.mark.parametrize("turned", [False, True])
def test_springs_of_bodies_that_turn_a_little_balance_far_from_rest_or_are_refused(at, along, turned):
    """The stretch is not small where a joint has moved the whole: the turn of the axis is then felt at first order."""
    a, c = fx.RigidBody("a", m="m_a", I="I_a"), fx.RigidBody("c", m="m_c", I="I_c")
    beam = fx.EulerBernoulliBeam("beam", EI="EI", rho="rho", length="l", EA="EA")
    place = fx.ground if at is None else fx.ground.at(*at)
    joint = fx.Revolute(fx.ground, a, name="q") if turned else fx.Slide(fx.ground, a, name="q")

    def model(*ends):
        links = fx.Spring(*ends, k="K", along=along), fx.Damper(*ends, c="b", along=along)
        return fx.Model(joint, fx.Fixed(a, beam.start), fx.Fixed(beam.end, c), *links)

    stays = not turned and along != (3, 4, 0)  # the turn does not enter the stretch
    if stays:
        assert balanced(model(c, place), 3) == 4
    else:
        with pytest.raises(fx.FlexuraError, match=r"joints stretch Spring\(c, .*\) far.*; name its other place first"):
            fx.free_bodies(model(c, place))
    assert balanced(model(place, c), 3) == 4  # as it is advised


def test_example_one_of_the_files_balances():
    assert balanced(fx.read_model(Path(__file__).parents[2] / "examples" / "example_one.toml"), 4) == 4
