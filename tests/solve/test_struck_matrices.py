"""Impulses on matrices and on discretised systems: rates jump, the work is booked, by every way to step."""

import numpy as np
import pytest
import scipy.sparse as sparse
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.linalg import expm

import flexura as fx

M, D, K = np.diag([2.0, 1.0]), np.array([[0.6, -0.2], [-0.2, 0.2]]), np.array([[9.0, -4.0], [-4.0, 4.0]])
G = np.array([[0.0, 0.3], [-0.3, 0.0]])
F = np.array([[1.0, 0.5], [0.0, -2.0]])
A = np.block([[np.zeros((2, 2)), np.eye(2)], [-np.linalg.solve(M, K), -np.linalg.solve(M, D + G)]])
START = np.array([0.1, 0.0, 0.0, -0.2])


def system(kind=np.asarray):
    return fx.SecondOrderSystem(kind(M), kind(D), kind(K), G=kind(G), F=F, inputs=("F", "P"), dofs=("a", "b"))


def state(t, hits):
    """By exponentials alone; a hit at the very start comes after the first time."""
    found = expm(A * t) @ START
    for at, J in hits:
        if t > at or t == at > 0:
            found = found + expm(A * (t - at)) @ np.concatenate([np.zeros(2), np.linalg.solve(M, F @ J)])
    return found


@settings(max_examples=15, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 29), st.floats(-3, 3), st.floats(-3, 3)), min_size=1, max_size=4))
def test_each_hit_is_a_jump_of_momentum(drawn):
    texts = {
        name: " + ".join(f"({one[k]!r})*impulse(t - {one[0] / 10!r})" for one in drawn)
        for k, name in ((1, "F"), (2, "P"))
    }
    t = np.arange(31) / 10
    run = fx.simulate(system(), t, (START[:2], START[2:]), texts)
    exact = np.array([state(one, [(k / 10, np.array([f, p])) for k, f, p in drawn]) for one in t])
    for column, name in enumerate(("a", "b", "a_t", "b_t")):
        assert run[name] == pytest.approx(exact[:, column], abs=1e-11)
    rates = np.array([-np.linalg.solve(M, K @ row[:2] + (D + G) @ row[2:]) for row in exact])
    assert run["b_tt"] == pytest.approx(rates[:, 1], abs=1e-10)
    assert run.energy.error < 1e-11


@pytest.mark.parametrize("method", ["exact", "explicit", "radau", "trapezoidal", "generalized_alpha"])
@pytest.mark.parametrize("at", [0.0, 0.5, 0.537])
def test_every_way_to_step_is_struck(method, at):
    t = np.linspace(0, 1, 401)
    kind = sparse.csr_matrix if method == "trapezoidal" else np.asarray
    run = fx.simulate(
        system(kind), t, (START[:2], START[2:]), {"F": f"2*impulse(t - {at})", "b": f"-impulse(2*t - {2 * at})"},
        method=method,
    )  # fmt: skip
    J = np.linalg.solve(F, [2.0, -0.5])
    exact = np.array([state(one, [(at, J)]) for one in t])
    precise = method not in ("trapezoidal", "generalized_alpha")
    assert run["a"] == pytest.approx(exact[:, 0], abs=1e-7 if precise else 2e-5)
    assert run["b_t"] == pytest.approx(exact[:, 3], abs=1e-7 if precise else 2e-4)
    assert run["b_t"][0] == START[3]
    before = state(at, [])[2:] if at else START[2:]
    work = np.array([2.0, -0.5]) @ (before + np.linalg.solve(M, [2.0, -0.5]) / 2)
    assert run.energy.supplied[-1] == pytest.approx(work, rel=1e-6 if precise else 1e-3)
    assert run.energy.error < (1e-7 if precise else 2e-2)


def test_beside_other_loads_and_for_all_columns():
    t = np.linspace(0, 2, 41)
    both, hit, pushed = (
        fx.simulate(system(), t, inputs=one)["b"]
        for one in ("3*impulse(t - 1) + sin(t)", 3 * fx.impulse(fx.time - 1), "sin(t)")
    )
    assert both == pytest.approx(hit + pushed, abs=1e-9)
    record = fx.simulate(system(), t, inputs={"F": "3*impulse(t - 0.99)", "P": np.sin(t)})["b"]
    alone = fx.simulate(system(), t, inputs={"F": "3*impulse(t - 0.99)"})["b"]
    assert record == pytest.approx(alone + fx.simulate(system(), t, inputs={"P": np.sin(t)})["b"], abs=1e-11)
    late = fx.simulate(system(), t, inputs={"F": "impulse(t - 2) + impulse(t - 5) + impulse(t + 1)"})
    assert np.all(late["a"] == 0)


def test_discretised_systems_are_struck_as_equations_are():
    bar = fx.RigidBody("p", m=2.0, I=0.1)
    swing = fx.derive(fx.Model(fx.Revolute(fx.ground, bar.at(0, 0.5), name="th"), fx.Gravity(), fx.Torque(bar, "tau")))
    beam = fx.EulerBernoulliBeam("b", EI=50.0, rho=1.2, length=1.0, internal_damping=1e-2)
    bent = fx.derive(fx.Model(fx.Fixed(fx.ground, beam.start), fx.Force(beam.end, "F")))
    t = np.linspace(0, 1, 11)
    for equations, name, seen in ((swing, "tau", "th"), (bent, "F", "w_b@b")):
        inputs = {name: "0.3*impulse(t - 0.25)"}
        made = fx.discretise(equations, order=8)
        seen = seen if seen in made.names else made.names[0]
        run = fx.simulate(equations, t, inputs=inputs, **({"order": 8} if equations is bent else {}))
        other = fx.simulate(made, t, inputs=inputs)
        expected = run[seen] if seen == "th" else run.place(beam, 1.0)
        assert other[seen] == pytest.approx(expected, abs=1e-8)
        assert other.energy.error < 1e-7


def test_what_has_no_mass_is_not_struck():
    light = fx.SecondOrderSystem(
        sparse.csr_matrix(np.diag([2.0, 0.0])), sparse.csr_matrix(D), sparse.csr_matrix(K), F=F, inputs=("F", "P")
    )
    t = np.linspace(0, 1, 201)
    with pytest.raises(fx.FlexuraError, match="no mass"):
        fx.simulate(light, t, inputs={"P": "impulse(t - 0.5)"}, method="trapezoidal")
    with pytest.raises(fx.FlexuraError, match="no plain factor"):
        fx.simulate(system(), t, inputs={"P": "impulse(t - 0.5)**2"})
    with pytest.raises(fx.FlexuraError, match="holds k"):
        fx.simulate(system(), t, inputs={"P": "impulse(t - k)"})
