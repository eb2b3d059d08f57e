"""Discretised equations of motion against direct quadrature, differences, and the energy balance."""

import os
import warnings

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings

import flexura as fx
from direct_action import Action, ledger_gap, numbers_for, residual, slope, some_state
from flexura import gallery
from flexura.discretisation.gather import Gathered
from flexura.discretisation.layout import Numbers, Unknowns
from flexura.discretisation.ritz import RitzSystem
from flexura.discretisation.system import TracedFunctions
from flexura.solve.discretise import motion_system
from random_systems import systems

NONLINEAR = ["rotating-arm", "von-karman", "two-link-arm", "slider-crank", "satellite", "double-pendulum", "knife-edge"]
DRIVEN = ["base-excitation", "rotating-blade"]
LINEAR = ["example-one", "cantilever", "timoshenko-tip-body", "portal-frame", "hinged-beams", "appendix-b-moving"]
MORE = "FLEXURA_MODEL_CASES" in os.environ
CASES = int(os.environ.get("FLEXURA_MODEL_CASES", "6"))


def discretised(name, order=5, elements=1):
    equations = fx.derive(gallery.example(name))
    values = numbers_for(equations)
    return equations, values, motion_system(equations, values, order, elements)


@pytest.mark.parametrize("name", ["rotating-arm", "two-link-arm", "von-karman", "base-excitation", "cantilever"])
def test_lagrange_by_differences_of_the_action_is_the_residual(name):
    equations, values, system = discretised(name, order=4, elements=2 if name == "rotating-arm" else 1)
    t, q, v, a, _, lam = some_state(system)
    expected = Action(equations, values, system).residual(t, q, v, a)
    found = residual(system, t, q, v, a, system.rest, lam)
    assert found == pytest.approx(expected, abs=2e-6 * np.abs(expected).max())


@pytest.mark.parametrize("name", NONLINEAR + DRIVEN + LINEAR)
def test_jacobians_are_the_slopes_of_the_residual(name):
    _, _, system = discretised(name)
    t, q, v, a, u, lam = some_state(system)
    K, C = system.jacobians(t, q, v, a, u, lam)
    size = max(np.abs(K).max(), np.abs(C).max())
    by_q = slope(lambda z: residual(system, t, z, v, a, u, lam), q)
    by_v = slope(lambda w: residual(system, t, q, w, a, u, lam), v)
    assert by_q == pytest.approx(K, abs=1e-8 * size)
    assert by_v == pytest.approx(C, abs=1e-8 * size)


@pytest.mark.parametrize("name", NONLINEAR + DRIVEN + LINEAR)
def test_ledger_closes_at_any_state(name):
    _, _, system = discretised(name)
    gap, size = ledger_gap(system)
    assert abs(gap) < 1e-8 * size


@settings(
    max_examples=CASES,
    deadline=None,
    database=None,
    derandomize=not MORE,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.generate],
)
@given(systems())
def test_random_systems_close_their_ledger_and_know_their_slopes(lagrangian):
    equations = fx.derive(lagrangian)
    system = motion_system(equations, numbers_for(equations), 4)
    gap, size = ledger_gap(system)
    assert abs(gap) < 1e-7 * size
    t, q, v, a, u, lam = some_state(system)
    K, C = system.jacobians(t, q, v, a, u, lam)
    rng = np.random.default_rng(5)
    d, h = rng.uniform(-1, 1, system.n), 1e-5
    largest = max(1.0, np.abs(K).max(), np.abs(C).max())
    for J, moved in ((K, (d, 0 * d)), (C, (0 * d, d))):
        ahead, behind = (residual(system, t, q + s * moved[0], v + s * moved[1], a, u, lam) for s in (h, -h))
        assert J @ d == pytest.approx((ahead - behind) / (2 * h), abs=1e-7 * largest * system.n)
    M, _ = system.evaluate(t, q, v, u)
    assert np.array_equal(M, M.T)


def test_constraint_levels_are_derivatives_of_each_other():
    _, _, system = discretised("slider-crank")
    t, q, v, a, _, _ = some_state(system)
    A, b = system.velocity(t, q)

    def along(h):
        return q + h * v + h * h / 2 * a

    h = 1e-4
    rate = (system.position(t + h, along(h)) - system.position(t - h, along(-h))) / (2 * h)
    assert A @ v + b == pytest.approx(rate, abs=1e-6)

    def speed(s):
        A, b = system.velocity(t + s, along(s))
        return A @ (v + s * a) + b

    assert A @ a + system.acceleration(t, q, v) == pytest.approx((speed(h) - speed(-h)) / (2 * h), abs=1e-6)


def test_nonholonomic_constraint_has_no_position_level():
    _, _, system = discretised("knife-edge")
    assert system.holonomic == (False,)
    assert system.position(0.0, np.zeros(3)).shape == (0,)
    A, b = system.velocity(0.0, np.array([0.0, 0.0, 0.4]))
    assert A[0] == pytest.approx([np.sin(0.4), -np.cos(0.4), 0.0])
    assert b == pytest.approx([0.0])


def test_accelerations_without_fields_are_those_of_the_equations():
    equations, values, system = discretised("double-pendulum")
    state = {"theta1": 0.3, "theta1_t": -0.2, "theta2": 1.1, "theta2_t": 0.7}
    expected = fx.accelerations(equations, state, values=values)
    M, f = system.evaluate(0.0, np.array([0.3, 1.1]), np.array([-0.2, 0.7]), system.rest)
    assert np.linalg.solve(M, f) == pytest.approx([expected["theta1"], expected["theta2"]], rel=1e-13)


def test_the_reaction_of_a_prescribed_motion_is_what_the_equations_say():
    cart, ball = fx.RigidBody("cart", m=2.0, I=0), fx.Mass("ball", m=0.5)
    model = fx.Model(
        fx.Slide(fx.ground, cart, along="x", name="s", motion="a*sin(3*t)"),
        fx.Slide(cart, ball, along="x", name="y"),
        fx.Spring(cart, ball, k=7.0, along="x"),
    )
    equations = fx.derive(model)
    system = motion_system(equations, {"a": 0.1})
    t, y, y_t = 0.4, 0.2, -0.3
    expected = fx.accelerations(equations, {"y": y, "y_t": y_t}, t, values={"a": 0.1})
    M, f = system.evaluate(t, np.array([y]), np.array([y_t]), system.rest)
    a = f / M[0]
    assert a == pytest.approx([expected["y"]])
    found = system.reactions(t, np.array([y]), np.array([y_t]), a, system.rest, np.zeros(0))
    assert found == pytest.approx([expected["Q_s"]])


def test_a_rotating_beam_held_stiff_has_the_inertia_of_a_rigid_one():
    equations = fx.derive(gallery.example("rotating-arm"))
    values = {"J": 0.3, "m": 0.2, "rho": 1.5, "EI": 2.0, "l": 1.2, "r0": 0.1}
    system = motion_system(equations, values)
    M, _ = system.evaluate(0.0, np.zeros(system.n), np.zeros(system.n), system.rest)
    bar = 1.5 * ((1.3**3 - 0.1**3) / 3)
    assert M[0, 0] == pytest.approx(0.3 + 0.2 * 1.3**2 + bar, rel=1e-14)


def test_distributed_input_is_projected_on_functions_and_coordinates():
    equations = fx.derive(gallery.example("example-one"))
    values = numbers_for(equations)
    system = motion_system(equations, values, 6)
    l = values["l"]
    u = system.loads(0.0, {"f": lambda x, t: x**2})
    load = system.evaluate(0.0, np.zeros(system.n), np.zeros(system.n), u)[1]
    q = np.zeros(system.n)
    q[system.names.index("q1")] = 1.0
    assert load @ q == pytest.approx(l**3 / 3)  # q1 moves every particle
    shape, missed = system.fit(0.0, {"q1": 0.0}, {"q3": lambda x: x**3 * (x - l)})
    assert missed < 1e-13
    assert load @ shape == pytest.approx(l**7 / 7 - l * l**6 / 6, rel=1e-12)  # int f w dx


def test_piecewise_properties_put_a_node_where_they_jump():
    w = fx.Field("w", length=2.0)
    EI = "Piecewise((3, x < 0.7), (1, True))"
    beam = fx.Lagrangian(density={w: f"w_t**2/2 - ({EI})*w_xx**2/2"}, boundary={w.at(0): 0, w.slope(0): 0})
    equations = fx.derive(beam)
    exact = fx.modes(equations, 4).frequencies
    assert fx.modes(equations, 4, method="ritz").frequencies == pytest.approx(exact, rel=1e-10)


def test_flags_say_what_may_be_relied_on():
    flags = {name: discretised(name)[2] for name in ("cantilever", "rotating-blade", "rotating-arm", "knife-edge")}
    assert [one.linear for one in flags.values()] == [True, True, False, False]
    assert [one.constant_mass for one in flags.values()] == [True, True, False, True]
    assert [one.explicit_time for one in flags.values()] == [False, True, False, False]
    assert [one.steady for one in flags.values()] == [True, True, False, False]


def test_foreshortening_off_softens_a_turning_beam():
    hub = fx.RigidBody("hub", m=0, I=1.0)
    beam = fx.EulerBernoulliBeam("beam", EI=1.0, rho=1.0, length=1.0, field="w")
    turning = fx.Revolute(fx.ground, hub, name="theta", motion="Omega*t")
    found = {}
    for kept in (True, False):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            equations = fx.derive(fx.Model(turning, fx.Fixed(hub, beam.start), foreshortening=kept))
        system = motion_system(equations, {"Omega": 6.0})
        n = system.n
        K, _ = system.jacobians(0.0, *(np.zeros(n) for _ in range(3)), system.rest, np.zeros(0))
        M, _ = system.evaluate(0.0, np.zeros(n), np.zeros(n), system.rest)
        found[kept] = np.sort(np.linalg.eigvals(np.linalg.solve(M, K)).real)[0]
    assert found[False] == pytest.approx(3.5160152685**2 - 36.0, rel=1e-6)
    assert found[True] > 3.5160152685**2


def test_order_too_low_is_refused_and_the_advice_works():
    equations = fx.derive(gallery.example("cantilever"))
    values = numbers_for(equations)
    with pytest.raises(fx.FlexuraError, match=r"order is 2, but w bends, .* give order=3 \(Hermite\) or more"):
        motion_system(equations, values, order=2)
    assert motion_system(equations, values, order=3).n == 2
    for bad in (0, 2.5, True):
        with pytest.raises(fx.FlexuraError, match=r"elements is .*; give a whole number, 1 or more"):
            motion_system(equations, values, elements=bad)


def test_missing_values_are_named():
    equations = fx.derive(gallery.example("cantilever"))
    with pytest.raises(fx.FlexuraError, match=r"No value is known for .*EI"):
        fx.discretise(equations)


@pytest.mark.parametrize("name", ["rotating-arm", "slider-crank", "example-one", "rotating-blade", "cantilever"])
def test_compiled_as_a_whole_each_function_gives_what_it_gave(name):
    equations = fx.derive(gallery.example(name))
    values = numbers_for(equations)
    layout = Unknowns(equations.lagrangian, Numbers.of(equations.lagrangian, values), 5, 1)
    functions = TracedFunctions(RitzSystem(Gathered(layout)))
    t, q, v, a, u, lam = some_state(functions.system())
    calls = {"evaluate": (q, v, u), "jacobians": (q, v, a, u, lam), "held": (q, v, u), "energies": (q, v),
             "powers": (q, v, a, u, lam)}  # fmt: skip
    for call, vectors in calls.items():
        traced = getattr(functions, call)
        before = [np.array(one) for one in traced(t, *vectors)]
        traced.compile()
        for one, other in zip(before, traced(t, *vectors), strict=True):
            assert other.shape == one.shape
            assert other == pytest.approx(one, rel=1e-11, abs=1e-12 * np.abs(one).max(initial=1.0))


def test_numbers_without_a_real_value_are_refused():
    w = fx.Field("w", length=1.0)
    held = {w.at(0): 0, w.slope(0): 0}
    for stiffness in ("sqrt(a)", "sqrt(a + x)"):
        equations = fx.derive(fx.Lagrangian(density={w: f"w_t**2/2 - {stiffness}*w_xx**2/2"}, boundary=held))
        with pytest.raises(fx.FlexuraError, match="the density of w has a coefficient that is not a finite real"):
            motion_system(equations, {"a": -2.0})
        assert motion_system(equations, {"a": 2.0}).n == 7
