"""The hunt's own motion after a push, against integrals that are known for one mass."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import quad

from hunt.direct import Direct, Relative
from hunt.machine import GROUND, Machine
from hunt.pulse import Bell, Box, pushed

M = 0.7


def _gone(k: float, c: float, age: float) -> float:
    """What a mass on a spring and a damper has moved this long after a blow of one."""
    if not k:
        return age / M if not c else (1 - math.exp(-c * age / M)) / c
    s = np.roots([M, c, k]).astype(complex)
    return float(((np.exp(s[0] * age) - np.exp(s[1] * age)) / (M * (s[0] - s[1]))).real)


@pytest.mark.parametrize(
    "push", [Box(1.1, 0.2), Bell(1.1, 0.2), Bell(0.4, 0.3)], ids=["box", "bell", "cut off at t = 0"]
)
@pytest.mark.parametrize(("k", "c"), [(3.0, 0.0), (3.0, 0.4), (0.0, 0.0), (0.0, 2.0), (40.0, 30.0)])
def test_one_mass_follows_the_integral_of_its_blows(push, k, c):
    machine = Machine()
    machine.part("body", "RigidBody", m=M, I=1.0)
    machine.join("Slide", GROUND, ("body",), along="y", name="q")
    machine.spring("Spring", GROUND, ("body",), k=k, along="y")
    machine.spring("Damper", GROUND, ("body",), c=c, along="y")
    machine.load("Force", ("body",), value="F", along="y")
    direct = Direct(machine)
    row = direct.reading(Relative(("body",), GROUND, (0, 1, 0)))
    times = np.array([1.6, 2.5, 30.0])  # the first while the bells still ring
    found, largest, _ = pushed(direct, direct.force(*machine.loads[0]), [row], 1.0, push, times)
    ends = [push.centre - push.reach * push.width, push.centre + push.reach * push.width]
    expected = [
        quad(
            lambda tau, t=t: float(push.at(np.array(tau))) * _gone(k, c, t - tau),
            max(ends[0], 0.0), min(ends[1], t), points=[push.centre], limit=200,
        )[0]
        for t in times
    ]  # fmt: skip
    assert np.abs(found[:, 0] - expected).max() < 1e-5 * largest


@pytest.mark.parametrize("stiff", [1e8, 1e14])
def test_what_is_fast_beside_a_bell_gives_way_and_is_at_rest_again(stiff):
    machine = Machine()
    machine.part("rod", "Rod", EA=stiff, rho=1.0, length=1.0)
    machine.join("Fixed", GROUND, ("rod", 0.0))
    machine.load("Force", ("rod", 1.0), value="F", along="x")
    direct = Direct(machine)
    row = direct.reading(Relative(("rod", 1.0), GROUND, (1, 0, 0)))
    found, largest, doubt = pushed(
        direct, direct.force(*machine.loads[0]), [row], 1.0, Bell(1.0, 0.1), np.array([3.0, 50.0])
    )
    assert largest == pytest.approx(1 / stiff, rel=1e-6)
    assert np.abs(found).max() < 1e-9 * largest
    assert doubt == 0
