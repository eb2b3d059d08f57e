"""What textbooks teach, by their known values: iteration, Ritz, operators that are self-adjoint, measured damping."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import flexura as fx


def chain(n):
    masses = [fx.Mass(f"m{i}", m=1.0) for i in range(n)]
    springs = [fx.Spring(fx.ground, masses[0], k=1.0)]
    springs += [fx.Spring(a, b, k=1.0) for a, b in pairwise(masses)]
    return fx.Model(*(fx.Slide(fx.ground, one, name=f"q{i}") for i, one in enumerate(masses)), *springs)


def test_matrix_iteration_finds_the_modes_of_a_chain():
    found = fx.matrix_iteration(chain(3), 3)
    assert found.frequencies == pytest.approx(2 * np.sin(np.pi / 14 * np.array([1, 3, 5])), rel=1e-9)
    assert found.shapes.T @ found.shapes == pytest.approx(np.eye(3), abs=1e-5)
    assert np.all(np.diff(found.history[0]) <= 1e-12)  # Rayleigh's quotient falls
    system = fx.SecondOrderSystem(np.eye(2), None, [[2.0, -1.0], [-1.0, 1.0]])
    golden = (np.sqrt(5) - 1) / 2
    assert fx.matrix_iteration(system, 2).frequencies == pytest.approx([golden, 1 / golden])
    beam = fx.EulerBernoulliBeam("b", EI=1.0, rho=1.0, length=1.0)
    clamped = fx.Model(fx.Fixed(fx.ground, beam.start))
    assert fx.matrix_iteration(clamped).frequencies == pytest.approx([3.5160152685], rel=1e-9)
    with pytest.raises(fx.FlexuraError, match="moves freely"):
        fx.matrix_iteration(fx.SecondOrderSystem(np.eye(2), None, [[1.0, -1.0], [-1.0, 1.0]]))
    with pytest.raises(fx.FlexuraError, match="from 1 to 3"):
        fx.matrix_iteration(chain(3), 4)


def test_ritz_falls_to_the_exact_frequencies_from_above():
    beam = fx.EulerBernoulliBeam("b", EI="50*(1 - x/2)", rho=1.2, length=1.0)
    found = fx.ritz_convergence(fx.Model(fx.Fixed(fx.ground, beam.start)), 2, orders=(3, 4, 5, 7))
    assert np.all(found.errors > -1e-10)
    assert np.all(np.diff(found.frequencies, axis=0) < 0)
    assert found.errors[-1].max() < 1e-4
    with pytest.raises(fx.FlexuraError, match="no members"):
        fx.ritz_convergence(chain(2))


@pytest.mark.parametrize("trial", [["x**2"], ["x**2", "x**3"], ["x**3", "1 - cos(x)"]])
def test_trial_shapes_never_fall_below_the_exact_frequency(trial):
    """What Hermite's ends hold already adds nothing, not its rounding."""
    beam = fx.EulerBernoulliBeam("b", EI=1.0, rho=1.0, length=1.0, field="w")
    clamped = fx.derive(fx.Model(fx.Fixed(fx.ground, beam.start)))
    system = fx.discretise(clamped, basis={"w": trial})
    assert system.n == 2 + sum("cos" in one for one in trial)
    assert 3.516015 < fx.modes(system, 1).frequencies[0] <= 3.532732


def test_ends_are_self_adjoint_unless_a_load_follows():
    beam = fx.EulerBernoulliBeam("b", EI="EI", rho="rho", length="l", axial_force="-P", damping="d", field="w")
    tip = fx.RigidBody("tip", m="m", I="J")
    for model in (
        fx.Model(fx.Fixed(fx.ground, beam.start), fx.Fixed(beam.end, tip), fx.Spring(fx.ground, tip, k="k")),
        fx.Model(fx.Pin(fx.ground, beam.start), fx.Roller(fx.ground, beam.end)),
        fx.Model(beam),
    ):
        found = fx.self_adjoint(model)
        assert found, str(found)
        assert not found.unlike
    names = {beam.end: (None, "slope")}
    follower = fx.Model(fx.Fixed(fx.ground, beam.start), fx.Force(beam.end, "P*slope"), names=names)
    found = fx.self_adjoint(follower)
    assert not found
    assert found.operators["inertia"]
    assert [row[0] for row in found.unlike] == ["stiffness"]
    assert "P" in found.unlike[0][3]
    assert "held at 0" in str(fx.self_adjoint(fx.Model(fx.Fixed(fx.ground, beam.start))))


@settings(max_examples=20)
@given(st.floats(0.002, 0.15), st.floats(0.5, 40.0))
def test_measured_damping_is_that_of_one_mode(zeta, omega):
    t = np.linspace(0, 12 * 2 * np.pi / omega, 1500)
    x = 0.3 * np.exp(-zeta * omega * t) * np.cos(omega * np.sqrt(1 - zeta**2) * t) + 2.0
    found = fx.logarithmic_decrement(t, x, rest=2.0)
    assert found.damping_ratio == pytest.approx(zeta, rel=1e-4)
    assert found.frequency == pytest.approx(omega * np.sqrt(1 - zeta**2), rel=1e-6)
    assert found.scatter < 1e-4
    w = omega * np.linspace(0.5, 1.5, 4001)
    curve = 1 / (omega**2 - w**2 + 2j * zeta * omega * w)
    seen = fx.half_power(w, curve)
    assert seen.damping_ratios == pytest.approx([zeta], rel=1e-3)
    assert seen.frequencies == pytest.approx([omega * np.sqrt(1 - 2 * zeta**2)], rel=1e-5)


def test_what_was_not_measured_is_said():
    t = np.linspace(0, 1, 20)
    with pytest.raises(fx.FlexuraError, match="fewer than two maxima"):
        fx.logarithmic_decrement(t, np.exp(-t))
    with pytest.raises(fx.FlexuraError, match="half its power"):
        fx.half_power(t + 1, 1 / (100 - (t + 1) ** 2))
    with pytest.raises(fx.FlexuraError, match="no history"):
        fx.logarithmic_decrement(t, t[:5])


def test_matrix_iteration_does_not_pass_over_what_its_start_lacks():
    system = fx.SecondOrderSystem(np.eye(2), None, [[2.0, 1.0], [1.0, 2.0]])  # the lowest mode is (1, -1)
    with pytest.raises(fx.FlexuraError, match="holds nothing of 1 modes below"):
        fx.matrix_iteration(system)
    assert fx.matrix_iteration(system, 2, start=[1.0, 0.3]).frequencies == pytest.approx([1, np.sqrt(3)])
