"""A nonlinear system as numbers: inputs by slot, fields from unknowns, unknowns from shapes."""

import numpy as np
import pytest

import flexura as fx
from flexura import gallery
from flexura.solve.discretise import motion_system


@pytest.fixture(scope="module")
def shaken():
    """A cantilever whose root is shaken, with a tip mass and a distributed load."""
    base, tip = fx.RigidBody("base", m=1.0, I=0), fx.Mass("tip", m=0.3)
    beam = fx.EulerBernoulliBeam("beam", EI=2.0, rho=1.0, length=1.5, field="w")
    model = fx.Model(
        fx.Slide(fx.ground, base, name="y", motion="0.2*sin(3*t)"),
        fx.Fixed(base, beam.start),
        fx.Fixed(beam.end, tip),
        fx.DistributedForce(beam, "f(x)"),
        fx.Force(tip, "F"),
        names={beam.end: "w_tip"},
    )
    return motion_system(fx.derive(model), order=6)


def test_loads_fill_their_slots(shaken):
    slots = {slot.name: slot for slot in shaken.slots}
    assert slots["F"].points is None
    u = shaken.loads(0.5, {"F": lambda t: 2 * t, "f": lambda x, t: x * t})
    assert u[slots["F"].where] == pytest.approx([1.0])
    assert u[slots["f"].where] == pytest.approx(slots["f"].points * 0.5)
    assert shaken.loads(0.5, {"f": 3.0})[slots["f"].where] == pytest.approx(3.0)
    assert not shaken.loads(0.0, {}).any()
    assert len(u) == shaken.load_size


def test_fit_finds_what_was_given_and_values_give_it_back(shaken):
    q, missed = shaken.fit(0.0, {}, {"w": lambda x: 0.1 * x**2})
    assert missed < 1e-13
    assert q[shaken.names.index("w_tip")] == pytest.approx(0.1 * 1.5**2)  # the end follows
    x = np.linspace(0, 1.5, 6)
    assert shaken.values("w", x, 0.0, q) == pytest.approx(0.1 * x**2, abs=1e-14)
    assert shaken.values("w", x, 0.0, q, derivative=2) == pytest.approx(0.2 + 0 * x, abs=1e-12)
    v, _ = shaken.fit_rates(0.0, q, {}, {"w": lambda x: x**3})
    assert shaken.values("w", x, 0.0, q, v) == pytest.approx(x**3, abs=1e-13)
    both = shaken.values("w", x, [0.0, 0.0], np.array([q, 2 * q]))
    assert both == pytest.approx(np.array([0.1 * x**2, 0.2 * x**2]), abs=1e-14)


def test_fit_says_what_a_shape_misses(shaken):
    _, missed = shaken.fit(0.0, {}, {"w": lambda x: 1.0 + 0 * x})  # the root cannot move
    assert missed > 0.01
    q, _ = shaken.fit(0.0, {"w_tip": 0.0}, {"w": lambda x: x**2 * (x - 1.5)})
    assert q[shaken.names.index("w_tip")] == 0.0


def test_end_values_that_are_not_linear_are_lifted():
    q, w = fx.Coordinate("q"), fx.Field("w", length=1.0)
    lagrangian = fx.Lagrangian(
        kinetic=q.t**2 / 2,
        density={w: w.t**2 / 2 - w.x**2 / 2},
        boundary={w.at(0): fx.sin(q) + fx.time**2, w.at(1.0): 0},
    )
    system = motion_system(fx.derive(lagrangian), order=3)
    state, rate, x = np.array([0.4, 0.1, 0.0]), np.array([0.5, 0.0, 0.0]), np.array([0.0, 1.0])
    assert system.values("w", x, 0.3, state) == pytest.approx([np.sin(0.4) + 0.09, 0.0], abs=1e-14)
    assert system.values("w", x, 0.3, state, rate) == pytest.approx([np.cos(0.4) * 0.5 + 0.6, 0.0], abs=1e-14)
    found, missed = system.fit(0.3, {"q": 0.4}, {"w": lambda x: (np.sin(0.4) + 0.09) * (1 - x) + x * (1 - x)})
    assert missed < 1e-12
    assert found[0] == 0.4


def test_prescribed_motion_comes_with_its_rates():
    equations = fx.derive(gallery.example("base-excitation"))
    system = motion_system(equations, dict.fromkeys(equations.lagrangian.parameters, 1.0))
    p, p_t, p_tt = system.motion(0.3)
    assert (p[0], p_t[0], p_tt[0]) == pytest.approx((np.sin(0.3), np.cos(0.3), -np.sin(0.3)))


def test_unknown_names_are_refused(shaken):
    with pytest.raises(fx.FlexuraError, match="The system has no field 'v'; its fields are: w"):
        shaken.values("v", 0.0, 0.0, np.zeros(shaken.n))
    with pytest.raises(fx.FlexuraError, match="The system has no unknown 'nope'; it has w_tip"):
        shaken.fit(0.0, {"nope": 1.0}, {})
