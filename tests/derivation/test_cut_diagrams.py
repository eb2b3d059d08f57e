"""Diagrams of systems with members: their balances are the equations, on any motion, to first order in deflections.

Along the virtual motion of every coordinate, what all parts miss to be in balance is what its equation misses
(d'Alembert); connections do no work. Fields, coordinates, rates and accelerations are drawn at random and satisfy only
the geometric conditions; deflections are small, so that an error of first order is a hundred times what is allowed.
"""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings

import flexura as fx
from cut_balances import Motion, balanced
from flexura.derivation.cut_diagrams import CutLaws
from flexura.gallery import EXAMPLES, example
from flexura.symbolic.engine import SPINE, TIME, Symbol, exact, partial
from flexura.symbolic.jets import Jet
from random_models import Drawn, models

FAINT = 1e-9


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

    That work belongs to the loads that the connections really carry, and here they are drawn at random. A bent member
    that is measured from elsewhere is drawn in by what is not small where its field is drawn at random.
    """
    energies = model.lagrangian.of_small_motions
    ends = {symbol.name for f in energies.settled_boundary.values() for symbol in f.free_symbols}
    small = model.lagrangian.cutting().small
    own = any(name in small and name not in ends for name in energies.coordinates)
    far = {one.name for one in energies.spines if not small.issuperset(one.fields)}
    return own or any(not shift.spine or shift.spine in far for shift in energies.motion.shifts)


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
