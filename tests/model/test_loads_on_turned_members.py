"""A distributed force acts along its member, however that lies: in frames at rest and in moving ones."""

from __future__ import annotations

from typing import Any

import pytest
import sympy

import flexura as fx
from flexura.derivation.prove.compare import compare

LOAD, LENGTH, EA, EI = 3.0, 1.3, 400.0, 50.0
UNITS: dict[Any, tuple[float, float]] = {"x": (1, 0), "y": (0, 1), (3, 4, 0): (0.6, 0.8), (-4, 3, 0): (-0.8, 0.6)}


@pytest.mark.parametrize("along", UNITS)
@pytest.mark.parametrize("angle", ["0 deg", "60 deg", "180 deg", "-130 deg"])
@pytest.mark.parametrize("carried", [False, True])
def test_the_end_moves_as_that_of_a_member_that_lies_along_x(angle: str, along: Any, carried: bool) -> None:
    beam, cart = fx.EulerBernoulliBeam("beam", EI=EI, EA=EA, rho=1.0, length=LENGTH), fx.RigidBody("cart", m=1.0, I=0.1)
    joints = [fx.Slide(fx.ground, cart, along="x", name="s"), fx.Spring(fx.ground, cart, k=1e3, along="x")]
    seat = fx.Fixed(cart if carried else fx.ground, beam.start, angle=angle)
    load = fx.DistributedForce(beam, "f", along=along)
    equations = fx.derive(fx.Model(*(joints if carried else []), seat, load, foreshortening=False))
    rest = fx.equilibrium(equations, values={"f": LOAD})
    u, w = (float(sympy.Poly(rest[name], sympy.Symbol("x")).eval(LENGTH)) for name in ("u_beam", "w_beam"))
    assert u == pytest.approx(UNITS[along][0] * LOAD * LENGTH**2 / (2 * EA), rel=1e-9, abs=1e-12)
    assert w == pytest.approx(UNITS[along][1] * LOAD * LENGTH**4 / (8 * EI), rel=1e-9, abs=1e-12)
    assert compare(equations.lagrangian)


def test_a_rod_turned_out_of_the_plane_takes_what_acts_along_it() -> None:
    rod = fx.Rod("rod", EA=EA, rho=1.0, length=LENGTH)
    seat = fx.Fixed(fx.ground, rod.start, angle="30 deg", about=(1, 2, 0))
    equations = fx.derive(fx.Model(seat, fx.DistributedForce(rod, "f", along="x")))
    end = sympy.Poly(fx.equilibrium(equations, values={"f": LOAD})["u_rod"], sympy.Symbol("x")).eval(LENGTH)
    assert float(end) == pytest.approx(LOAD * LENGTH**2 / (2 * EA), rel=1e-9)
    assert compare(equations.lagrangian)
