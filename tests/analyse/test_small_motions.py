"""Motions far below the rounding of stiff forces: those of the linearised equations, as well as the run says."""

from __future__ import annotations

import numpy as np
import pytest

import flexura as fx

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
