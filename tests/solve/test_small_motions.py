"""Motions far below the rounding of stiff forces: those of the linearised equations, as well as the run says."""

from __future__ import annotations

import numpy as np
import pytest

import flexura as fx
from flexura.solve.steppers.small import slow_modes

T = np.linspace(0, 2, 9)


def arm(k: float) -> fx.Equations:
    """A body on a hinge with a soft spring, a second one on it, held to ground by a stiff one beside a slide."""
    first, second = fx.RigidBody("first", m=1.2, I=0.1), fx.RigidBody("second", m=0.5, I=0.04)
    return fx.derive(
        fx.Model(
            first,
            second,
            fx.Revolute(fx.ground, first, name="a"),
            fx.Revolute(first.at(0.7, 0.2, 0.0), second, name="b"),
            fx.TorsionSpring(fx.ground, first, k=15.0),
            fx.TorsionSpring(first, second, k=k),
            fx.Force(second.at(0.4, 0.1, 0.0), value="F", along="y"),
        )
    )


@pytest.mark.parametrize("k", [20.0, 1e5, 1e9])
@pytest.mark.parametrize("force", ["sin(3*t)", "Piecewise((0, t < 0.5), (1, t < 0.7), (0, True))"])
def test_tiny_loads_move_a_stiff_machine_as_larger_ones_do(k, force):
    """A thousand million times the load, in steps, moves it as much further, to a part of its own size."""
    equations = arm(k)
    tiny = fx.simulate(equations, T, inputs={"F": f"1e-13*{force}"})
    assert any("linearised" in note for note in tiny.notes)
    small = fx.simulate(equations, T, inputs={"F": f"1e-4*{force}"}, method="radau", tolerance=1e-7)
    for name in ("a", "b") if k < 1e4 else ("a",):
        size = np.abs(small[name]).max()
        assert np.abs(1e9 * tiny[name] - small[name]).max() < (tiny.error.share + 3e-4) * size
    assert tiny.energy.error < 1e-6


@pytest.mark.parametrize("law", ["abs(x)**2.5", "x**2 + abs(x)**2.5*1e4"])
def test_what_does_not_fall_by_the_square_is_followed(law):
    x = fx.Coordinate("x")
    equations = fx.derive(fx.Lagrangian(kinetic=x.t**2 / 2, potential=law, work={x: fx.Input("F")}))
    run = fx.simulate(equations, T, inputs={"F": "1e-7*sin(t)"})
    assert not any("linearised" in note for note in run.notes)


def test_larger_motions_are_followed():
    run = fx.simulate(arm(20.0), T, inputs={"F": "0.1*sin(3*t)"})
    assert not any("linearised" in note for note in run.notes)


@pytest.mark.parametrize("unit", [1e-6, 1.0, 1e6])
def test_units_of_coordinates_do_not_matter(unit):
    """A pendulum with its angle in other units: the same motion, the same doubt."""
    runs = []
    for one in (1.0, unit):
        x = fx.Coordinate("x")
        V = f"2*(1 - cos({one}*x)) + 1e4*({one}*x)**3"
        work = {x: one * fx.Input("F")}
        equations = fx.derive(fx.Lagrangian(kinetic=one**2 * x.t**2 / 2, potential=V, work=work))
        runs.append(fx.simulate(equations, T, inputs={"F": "1e-13*sin(t)"}))
        assert any("linearised" in note for note in runs[-1].notes)
    assert unit * runs[1]["x"] == pytest.approx(runs[0]["x"], rel=1e-6, abs=1e-6 * np.abs(runs[0]["x"]).max())
    assert runs[1].error.share == pytest.approx(runs[0].error.share, rel=0.1)


def test_springs_of_one_side_are_followed():
    """Their force is as large as the motion, however small that is."""
    x = fx.Coordinate("x")
    V = "Piecewise((8*x**2, x > 0), (2*x**2, True)) + x**4"
    equations = fx.derive(fx.Lagrangian(kinetic=x.t**2 / 2, potential=V, work={x: fx.Input("F")}))
    run = fx.simulate(equations, T, inputs={"F": "1e-7*sin(3*t)"})
    assert not any("linearised" in note for note in run.notes)


@pytest.mark.parametrize("centre", [0.31, 1.234])
def test_loads_that_stiffen_for_a_moment_are_not_small(centre):
    """A pulse shorter than any regular look, that multiplies the coordinate."""
    x = fx.Coordinate("x")
    work = {x: fx.Input("F") * (1 + 1e6 * x)}
    equations = fx.derive(fx.Lagrangian(kinetic=x.t**2 / 2, potential="2*x**2", work=work))
    pulse = f"1e-3*exp(-((t - {centre})/1e-3)**2)"
    run = fx.simulate(equations, T, inputs={"F": pulse})
    assert not any("linearised" in note for note in run.notes)


def test_motions_that_grow_by_themselves_are_followed():
    x = fx.Coordinate("x")
    equations = fx.derive(fx.Lagrangian(kinetic=x.t**2 / 2, potential="-2*x**2 + x**4", work={x: fx.Input("F")}))
    run = fx.simulate(equations, T, inputs={"F": "1e-7*sin(3*t)"})
    assert not any("linearised" in note for note in run.notes)


@pytest.mark.parametrize("stiff", [1.0, 1e6, 1e12])
def test_frequencies_keep_their_digits_beside_free_motions(stiff):
    """A free body, and a chain of springs that are ever stiffer: the known squares, within their doubts."""
    known = np.array([0.0, 1.0, stiff**0.5, stiff])
    turn = np.linalg.qr(np.random.default_rng(3).normal(size=(4, 4)))[0]
    found = slow_modes(np.eye(4), turn @ np.diag(known) @ turn.T, 40.0)
    assert len(found.squares) == 4
    assert np.all(np.abs(np.sort(found.squares) - known) <= found.doubts[np.argsort(found.squares)] + 1e-15 * stiff)
