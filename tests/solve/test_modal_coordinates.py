"""Orthogonality of modes, and what a state holds of each: against closed forms and matrices by hand."""

import numpy as np
import pytest

import flexura as fx


def string():
    """Held at both ends: modes sqrt(2/(rho l)) sin(k pi x/l)."""
    wire = fx.String("s", tension=80.0, rho=0.5, length=2.0, field="w")
    return fx.derive(fx.Model(fx.Fixed(fx.ground, wire.start), fx.Fixed(fx.ground, wire.end)))


def test_a_plucked_string():
    """A triangle of height h holds 8 h/(pi k)^2 sin(k pi/2) of each sine, nothing of even ones."""
    modes = fx.modes(string(), 7)
    found = fx.modal_coordinates(modes, {"w": "0.1*(1 - abs(x - 1))"})
    k = np.arange(1, 8)
    amplitudes = [modes.shape(j)("w", 1 / (j + 1)) for j in range(7)]  # where the first arch is highest
    sines = 8 * 0.1 / (np.pi * k) ** 2 * np.sin(k * np.pi / 2)
    assert found.coordinates * amplitudes == pytest.approx(sines, abs=1e-12)
    assert 1e-6 < found.error < 1e-4  # a coarser grid has the kink inside a cell
    assert "bends sharply" in str(found)
    assert np.abs(amplitudes) == pytest.approx(1 / np.sqrt(0.5 * 2 / 2))
    assert found.left_out == pytest.approx(1 - 96 / np.pi**4 * np.sum(1 / k[::2] ** 4.0), abs=1e-10)
    assert found.orthogonality < 1e-10
    assert np.diagonal(found.masses) == pytest.approx(1.0)
    assert np.diagonal(found.stiffnesses) == pytest.approx(modes.frequencies**2)


def test_a_beam_with_a_body_and_a_spring():
    """The coordinates of a mode's own shape are 1 and 0; bodies at the ends take part in the products."""
    tip = fx.RigidBody("tip", m=0.7, I=0.02)
    beam = fx.EulerBernoulliBeam("b", EI=50.0, rho=1.2, length=1.0, field="w")
    model = fx.Model(fx.Fixed(fx.ground, beam.start), fx.Fixed(beam.end, tip), fx.Spring(fx.ground, tip, k=300.0))
    modes = fx.modes(fx.derive(model), 5)
    found = fx.modal_coordinates(modes)
    assert found.orthogonality < 1e-9
    assert np.isnan(found.coordinates).all()
    assert np.isnan(found.left_out)
    own = fx.modal_coordinates(modes, {"w": modes.shape(2).w})
    assert own.coordinates == pytest.approx(np.eye(5)[2], abs=1e-8)
    assert own.left_out == pytest.approx(0, abs=1e-9)
    x = np.linspace(0, 1, 2001)
    bent = fx.modal_coordinates(modes, {"w": "x**2"})  # the body moves by 1 and turns by 2
    for k in range(5):
        shape = modes.shape(k)
        exact = np.trapezoid(1.2 * x**2 * shape("w", x), x) + 0.7 * shape("w", 1.0) + 0.02 * 2 * shape("w", 1.0, 1)
        assert bent.coordinates[k] == pytest.approx(exact, abs=1e-6)


def test_matrices():
    M, K = np.diag([2.0, 1.0, 3.0]), np.array([[9.0, -4, 0], [-4, 7, -3], [0, -3, 3.0]])
    modes = fx.modes(fx.SecondOrderSystem(M, None, K), 3)
    u = np.array([0.3, -1.0, 0.5])
    found = fx.modal_coordinates(modes, u)
    X = np.array([[modes.shape(k)[name] for name in ("x0", "x1", "x2")] for k in range(3)])
    assert found.coordinates @ X == pytest.approx(u)
    assert found.left_out == pytest.approx(0, abs=1e-12)
    assert found.orthogonality < 1e-12
    pytest.importorskip("pandas")
    assert found.to_dataframe().shape == (3, 4)
    assert "orthogonal to" in str(found)


def test_what_has_no_plain_modes_is_refused():
    mass = fx.Mass("m", m=2.0)
    damped = fx.Model(
        fx.Slide(fx.ground, mass, name="y"), fx.Spring(fx.ground, mass, k=8.0), fx.Damper(fx.ground, mass, c="c")
    )
    with pytest.raises(fx.FlexuraError, match="damped"):
        fx.modal_coordinates(fx.modes(damped, 1, {"c": 0.4}), {"y": 1.0})
    assert fx.modal_coordinates(fx.modes(damped, 1, {"c": 0}), {"y": 1.0}).coordinates == pytest.approx([2**0.5])
    with pytest.raises(fx.FlexuraError, match="nothing is called"):
        fx.modal_coordinates(fx.modes(string(), 2), {"v": "x"})
    with pytest.raises(fx.FlexuraError, match="hold it at"):
        fx.modal_coordinates(fx.modes(string(), 2), {"w": "x"})
