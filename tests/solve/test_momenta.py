"""Where nothing acts from outside, momenta stay what they were: by hand on machines, by Noether on random trees."""

import os
from dataclasses import dataclass

import numpy as np
import pytest
import symengine
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import flexura as fx
from flexura.symbolic.engine import SPINE

CASES = int(os.environ.get("FLEXURA_MOTION_CASES", "4"))
T = np.linspace(0, 1, 41)
NODES, WEIGHTS = np.polynomial.legendre.leggauss(40)


def along(start, end):
    """Gauss's points and weights on a member."""
    return start + (NODES + 1) / 2 * (end - start), WEIGHTS * (end - start) / 2


def cross(a, b):
    """a x b of vectors in the plane, written as complex numbers."""
    return (a.conjugate() * b).imag


@dataclass(frozen=True)
class Arm:
    """A beam clamped to the hub at a distance from its centre, at an angle, perhaps with a body at its end."""

    field: str
    rho: float
    root: float
    length: float
    angle: float = 0.0
    m: float = 0.0
    I: float = 0.0

    def momenta(self, run):
        """Linear (complex) and angular momentum about ground's origin, to second order in the deflections.

        A particle sits at h + b: in its place on the straight arm, and bent off it. A slope at x draws all that lies
        beyond in by w_x^2/2 (theory, section 2), so the double integral is taken in the other order.
        """
        x, weight = along(0.0, self.length)
        w, w_t, slope, slope_t = (self._field(run, x, *how) for how in ((0, 0), (0, 1), (1, 0), (1, 1)))
        hub, hub_t = (one[:, None] for one in (run["X"] + 1j * run["Y"], run["X_t"] + 1j * run["Y_t"]))
        e1 = np.exp(1j * (run["theta"] + self.angle))[:, None]
        turn = 1j * run["theta_t"][:, None]
        linear, angular = self._at(self.rho * weight, x, hub, hub_t, e1, turn, w, w_t)
        end = np.array([self.length])
        tip, tip_t, tip_turn = (self._field(run, end, *how) for how in ((0, 0), (0, 1), (1, 1)))
        more = self._at(np.array([self.m]), end, hub, hub_t, e1, turn, tip, tip_t)
        linear, angular = linear + more[0], angular + more[1] + self.I * (turn.imag + tip_turn)[:, 0]
        beyond = self.rho * (self.length - x) + self.m
        moment = self.rho * ((self.length**2 - x**2) / 2) + self.m * self.length + self.root * beyond
        outboard, outboard_t = beyond * hub + moment * e1, beyond * hub_t + moment * turn * e1
        drawn, drawn_t = -(slope**2) / 2 * e1, -(slope * slope_t + slope**2 / 2 * turn) * e1
        linear = linear + (drawn_t * beyond) @ weight
        return linear, angular + (cross(outboard, drawn_t) + cross(drawn, outboard_t)) @ weight

    def _at(self, mass, x, hub, hub_t, e1, turn, w, w_t):
        place = hub + (self.root + x + 1j * w) * e1
        rate = hub_t + (self.root + x + 1j * w) * turn * e1 + 1j * w_t * e1
        return rate @ mass, cross(place, rate) @ mass

    def _field(self, run, x, derivative, rate):
        motion = run.motion
        return motion.whole.values(self.field, x, run.t, motion.q, motion.v if rate else None, derivative)


def momenta(run, m, I, arms):
    hub, hub_t = run["X"] + 1j * run["Y"], run["X_t"] + 1j * run["Y_t"]
    linear, angular = m * hub_t, I * run["theta_t"] + m * cross(hub, hub_t)
    for arm in arms:
        more = arm.momenta(run)
        linear, angular = linear + more[0], angular + more[1]
    return linear, angular


def strayed(history):
    """How far a history strays from its first value."""
    return np.abs(history - history[0]).max()


def built(arms, m, I):
    hub = fx.RigidBody("hub", m=m, I=I)
    parts = [fx.Free(fx.ground, hub, names=("X", "Y", "theta"))]
    for arm in arms:
        beam = fx.EulerBernoulliBeam(f"beam_{arm.field}", EI=30.0, rho=arm.rho, length=arm.length, field=arm.field)
        where = (arm.root * np.cos(arm.angle), arm.root * np.sin(arm.angle))
        parts.append(fx.Fixed(hub.at(*where), beam.start, angle=arm.angle))
        if arm.m:
            parts.append(fx.Fixed(beam.end, fx.RigidBody(f"body_{arm.field}", m=arm.m, I=arm.I)))
    return fx.derive(fx.Model(parts))


SATELLITE = (Arm("a", 0.3, 0.4, 2.0), Arm("b", 0.3, 0.4, 2.0, angle=np.pi))
BARBELL = (Arm("w", 0.5, 0.2, 1.2, m=1.5, I=0.04),)
STAR = tuple(Arm(f"w{k}", 0.4, 0.3, 0.8 + 0.2 * k, angle=k * 2 * np.pi / 3, m=0.2 * k, I=0.01 * k) for k in range(3))


@pytest.mark.parametrize("tolerance", [1e-9, 1e-10])
@pytest.mark.parametrize(
    ("arms", "start"),
    [
        (SATELLITE, {"theta_t": 1.0, "X_t": 0.3, "a": "0.01*x**2*(6 - 2*x + x**2/4)"}),
        (BARBELL, {"theta_t": -2.0, "Y_t": 0.5, "X": 3.0, "w": "0.03*x**2"}),
        (STAR, {"theta_t": 1.5, "Y_t": 0.2, "w1_t": "0.3*x**2"}),
    ],
    ids=["satellite", "barbell", "star"],
)
def test_momenta_by_hand(arms, start, tolerance):
    order = None if arms is SATELLITE else 5
    run = fx.simulate(built(arms, 5.0, 0.6), T, initial=start, order=order, tolerance=tolerance)
    linear, angular = momenta(run, 5.0, 0.6, arms)
    assert run.complete
    assert run.energy.error < tolerance
    assert max(np.ptp(run.place(arm.field, arm.length)) for arm in arms) > 0.02  # it does bend
    assert strayed(linear) < 10 * tolerance * np.abs(linear).max()  # what is asked for is the energies' accuracy
    assert strayed(angular) < 10 * tolerance * np.abs(angular).max()
    told = run.momentum
    assert told.linear[:, :2] == pytest.approx(np.column_stack([linear.real, linear.imag]), abs=1e-8)
    assert told.angular[:, 2] == pytest.approx(angular, abs=1e-8)
    assert set(told.errors) == {"x", "y", "about z"}
    assert told.error < 10 * tolerance


def test_loads_from_outside_give_momentum_and_inner_ones_none():
    hub, tip = fx.RigidBody("hub", m=2.0, I=0.3), fx.RigidBody("tip", m=0.5, I=0.02)
    beam = fx.EulerBernoulliBeam("beam", EI=30.0, rho=0.4, length=1.0)
    parts = [fx.Free(fx.ground, hub, names=("X", "Y", "theta")), fx.Fixed(hub, beam.start), fx.Fixed(beam.end, tip)]
    loads = [fx.Force(hub, "F", along="y"), fx.Torque(hub, "tau"), fx.Torque(tip, 0.3, reaction=hub), fx.Gravity(9.81)]
    inputs = {"F": "2*t", "tau": "sin(3*t)"}
    run = fx.simulate(fx.derive(fx.Model(*parts, *loads)), T[T <= 0.5], inputs=inputs, tolerance=1e-9)
    t, told = run.t, run.momentum
    assert told.linear[:, 0] == pytest.approx(0 * t, abs=1e-8)
    assert told.linear[:, 1] == pytest.approx(t**2 - 9.81 * 2.9 * t, abs=1e-7)
    assert not any("momentum" in note for note in run.notes)
    assert told.unchecked == ("z", "about x", "about y")  # the plane holds them
    assert "proves" in str(told)


def test_what_a_support_holds_is_not_claimed():
    cart, bob = fx.RigidBody("cart", m=1.0, I=0.1), fx.RigidBody("bob", m=0.5, I=0.1)
    parts = [
        fx.Slide(fx.ground, cart, along="x", name="x"),
        fx.Revolute(cart, bob.at(0, 0.4), name="phi"),
        fx.Gravity(9.81),
    ]
    run = fx.simulate(fx.derive(fx.Model(*parts)), T, initial={"phi": 0.5, "x_t": 0.2})
    assert tuple(run.momentum.errors) == ("x",)
    assert run.momentum.error < 1e-7
    assert run.momentum.linear[:, 0] == pytest.approx(np.full(len(T), run.momentum.linear[0, 0]), rel=1e-7)
    assert np.isnan(run.momentum.linear[:, 1]).all()
    assert "y" in run.momentum.unchecked
    held = fx.EulerBernoulliBeam("held", EI=30.0, rho=0.4, length=1.0)
    model = fx.Model(fx.Fixed(fx.ground, held.start), fx.Force(held.end, "F", along="y"))
    clamped = fx.simulate(fx.derive(model), T[:3], inputs={"F": 1.0})
    assert not clamped.momentum.errors
    assert clamped.momentum.error == 0.0


def test_written_energies_keep_the_momenta_of_what_no_equation_notices():
    q, p, r = fx.Coordinate("q"), fx.Coordinate("p"), fx.Coordinate("r")
    kinetic = q.t**2 + p.t**2 / 2 + q.t * p.t * fx.cos(p) / 3 + r.t**2
    equations = fx.derive(fx.Lagrangian(kinetic=kinetic, potential=-9 * fx.cos(p) + r**4, work={q: "F"}))
    run = fx.simulate(equations, T, values={"F": 0.7}, initial={"p": 1.0, "r_t": 0.4})
    assert run.momentum.generalized["q"] == pytest.approx(0.7 * T, abs=1e-7)
    assert tuple(run.momentum.errors) == ("q",)
    by_hand = 2 * run["q_t"] + run["p_t"] * np.cos(run["p"]) / 3
    assert run.momentum.generalized["q"] == pytest.approx(by_hand, abs=1e-9)


def test_shapes_without_rigid_motions_are_found_out(monkeypatch):
    """What the energies do not notice: the basis forgets rigid motions, and nobody asks what it leaves out."""
    from flexura.solve.runs import refine
    from flexura.solve.steppers import subspace

    monkeypatch.setattr(subspace, "_moving", lambda shapes, M: shapes[:, :0])
    nothing = refine.Missing({"w": 0.0}, {}, 0.0)
    monkeypatch.setattr(refine, "left_out", lambda whole, case, states, groups, weights: nothing)
    w = fx.Field("w", length=1.5)
    equations = fx.derive(fx.Lagrangian(density={w: w.t**2 - 15 * w.xx**2 - w.xx**4}, work={w.at(1.5): "F"}))
    run = fx.simulate(equations, T[:5], values={"F": 3.0}, tolerance=1e-6)
    assert run.energy.error < 1e-6
    assert run.momentum.error > 0.1
    assert any("momentum" in note and "does not follow" in note for note in run.notes)


def test_linear_equations_that_are_propagated_exactly():
    a, b = fx.Mass("a", m=1.0), fx.Mass("b", m=2.0)
    parts = [
        fx.Slide(fx.ground, a, along="x", name="x"),
        fx.Slide(fx.ground, b, along="x", name="y"),
        fx.Spring(a, b, k=5.0, along="x"),
    ]
    drag = fx.Damper(fx.ground, a, c=0.4, along="x")
    equations = fx.derive(fx.Model(*parts, drag, fx.Force(b, "F", along="x")))
    run = fx.simulate(equations, [0.0, 0.3, 7.0], inputs={"F": "sin(9*t)"}, initial={"x_t": 1.0})
    assert "Propagated exactly." in run.notes
    assert run.momentum.error < 1e-8
    assert run.momentum.linear[:, 0] == pytest.approx(run["x_t"] + 2 * run["y_t"])
    impulse = (1 - np.cos(9 * run.t)) / 9 - 0.4 * run["x"]
    assert run.momentum.linear[:, 0] - 1.0 == pytest.approx(impulse, abs=1e-9)


def chain(stiffnesses, held):
    """Rods end to end with masses between, pushed at the end of the first; held by a spring or floating."""
    rods = [fx.Rod(f"r{k}", length=0.5 + 0.3 * k, EA=EA, rho=0.6 + 0.2 * k) for k, EA in enumerate(stiffnesses)]
    parts = []
    for k, (rod, mate) in enumerate(zip(rods, [*rods[1:], None], strict=True)):
        mass = fx.Mass(f"m{k}", m=0.3)
        parts += [fx.Fixed(rod.end, mass)] + ([fx.Fixed(mass, mate.start)] if mate else [])
    parts += [fx.Spring(fx.ground, rods[0].start, k=40.0, along="x")] * held
    return fx.Model(*parts, fx.Force(rods[0].end, "F", along="x"))


PUSH = "Piecewise((0, t < 0.01), (3, t < 0.02), (0, True))"


@pytest.mark.parametrize("held", [False, True])
@pytest.mark.parametrize("stiffnesses", [(300.0,), (1.4e9, 550.0, 3e6), (50.0, 6e10, 2e11)])
def test_chains_are_propagated_whatever_their_stiffness(stiffnesses, held):
    """A random state of them holds 1e12 times more in strains than in rates, and is compared all the same."""
    run = fx.simulate(fx.derive(chain(stiffnesses, held)), [0.0, 0.015, 0.03], inputs={"F": PUSH})
    assert "Propagated exactly." in run.notes
    assert not any("momentum" in note for note in run.notes)
    if not held:
        assert run.momentum.linear[:, 0] == pytest.approx([0.0, 0.015, 0.03], rel=1e-7)


@pytest.mark.parametrize("stiffnesses", [(300.0,), (900.0, 550.0), (700.0, 900.0, 400.0)])
def test_linear_equations_in_few_shapes_have_the_momenta_of_all_unknowns(stiffnesses, monkeypatch):
    """Coordinates of a chain are no unknowns of its shapes: they are read from all of them."""
    from flexura.solve.runs import refine

    equations, t = fx.derive(chain(stiffnesses, held=False)), [0.0, 0.1, 0.3]
    whole = fx.simulate(equations, t, inputs={"F": "sin(9*t)"})
    monkeypatch.setattr(refine, "exact_motion", lambda case: None)
    run = fx.simulate(equations, t, inputs={"F": "sin(9*t)"})
    assert "Propagated exactly." in run.notes
    assert any("shapes" in note for note in run.notes)
    impulse = (1 - np.cos(9 * np.array(t))) / 9
    for one in (run, whole):
        assert one.momentum.linear[:, 0] == pytest.approx(impulse, rel=1e-7)
        assert one.momentum.error < 1e-7
    size = np.ptp(whole["x_r0_end"])  # of which shapes may leave a part out
    assert run["x_r0_end"] == pytest.approx(whole["x_r0_end"], abs=1e-3 * size)
    assert max(run.error.time.values()) < 1e-6


# -- by Noether: p = dL/dq_t of X and Y, and of theta about the origin ------------------------------------------------


def conjugate(equations, name):
    """The momentum of a coordinate along a run: dL/dq_t of the rigid part, and of densities by Gauss's rule."""
    energies = equations.lagrangian
    rate = symengine.Symbol(f"{name}_t")
    numbers = {symengine.Symbol(key): one for key, one in equations.values.items()}

    def value(run):
        total = _evaluated(energies.kinetic.diff(rate).subs(numbers), run, np.zeros(1))[:, 0]
        for spine in energies.spines:
            owner = run.motion.whole.fields[spine.fields[0]]
            x, weight = along(owner.start, owner.end)
            total = total + _evaluated(energies.density[spine.fields[0]].diff(rate).subs(numbers), run, x) @ weight
        return total

    return value


def _evaluated(tree, run, x):
    """A tree in jets at the times of a run and places x: (times, places)."""
    symbols = sorted(tree.free_symbols, key=str)
    if not symbols:
        return np.full((len(run.t), len(x)), float(tree))
    columns = [np.broadcast_to(_jet(str(one), run, x), (len(run.t), len(x))).ravel() for one in symbols]
    found = symengine.Lambdify(symbols, [tree])(np.column_stack(columns))
    return np.asarray(found).reshape(len(run.t), len(x))


def _jet(label, run, x):
    motion = run.motion
    if label == str(SPINE):
        return x
    if label in run.histories:
        return run[label][:, None]
    fields = motion.equations.lagrangian.fields
    jet, _, end = label.partition("@")
    name, order = (jet, "") if jet in fields else jet.rsplit("_", 1)
    if end:
        spine = motion.equations.lagrangian.spine_of(name)
        x = np.array([getattr(motion.whole.fields[spine.fields[0]], {"a": "start", "b": "end"}[end])])
    return motion.whole.values(name, x, run.t, motion.q, motion.v if "t" in order else None, order.count("x"))


@st.composite
def trees(draw):
    """A floating hub with arms, some jointed, some springy, some that carry another."""
    number = st.floats(0.3, 1.5).map(lambda one: round(one, 2))
    hub = fx.RigidBody("hub", m=draw(number), I=draw(number))
    parts, places, start = [fx.Free(fx.ground, hub, names=("X", "Y", "theta"))], [hub.at(0.2, 0.1)], {}
    for k in range(draw(st.integers(1, 3))):
        root = draw(st.sampled_from(places))
        beam = fx.EulerBernoulliBeam(f"beam{k}", EI=40.0, rho=draw(number), length=draw(number), field=f"w{k}")
        if draw(st.booleans()):
            motor = fx.RigidBody(f"motor{k}", m=draw(number), I=0.3 * draw(number))
            parts += [fx.Revolute(root, motor, name=f"phi{k}"), fx.Fixed(motor, beam.start)]
            parts += [fx.TorsionSpring(root, motor, k=5.0)] * draw(st.booleans())
            start[f"phi{k}_t"] = draw(st.floats(-1, 1))
        else:
            parts.append(fx.Fixed(root, beam.start, angle=draw(st.sampled_from([0, 1, -2]))))
        tip = fx.RigidBody(f"tip{k}", m=draw(number), I=0.2 * draw(number))
        parts.append(fx.Fixed(beam.end, tip))
        places.append(tip)
    return fx.Model(parts), start


@settings(
    max_examples=CASES,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    derandomize=True,
    phases=[Phase.explicit, Phase.generate],
)
@given(trees())
def test_momenta_of_floating_trees(drawn):
    model, start = drawn
    equations = fx.derive(model)
    initial = {"X_t": 0.4, "Y_t": -0.2, "theta_t": 0.7, **start}
    run = fx.simulate(equations, T[T <= 0.3], initial=initial, order=4, tolerance=1e-9)
    assert run.complete, run.message
    p = {name: conjugate(equations, name)(run) for name in ("X", "Y", "theta")}
    angular = p["theta"] + run["X"] * p["Y"] - run["Y"] * p["X"]
    linear = np.hypot(p["X"], p["Y"]).max()
    assert max(strayed(p["X"]), strayed(p["Y"])) < 1e-8 * linear
    assert strayed(angular) < 1e-8 * (np.abs(angular).max() + linear)  # the arms are about a metre long
