"""Buckling: Euler's columns, self-weight, frames, springs; what flutters instead; what does neither."""

from __future__ import annotations

import math
import os
from itertools import pairwise

import numpy as np
import pytest
import scipy.linalg
import scipy.optimize
import scipy.special
from hypothesis import given, settings
from hypothesis import strategies as st

import flexura as fx

EXAMPLES = int(os.environ.get("FLEXURA_RANDOM", "4"))

CLAMPED_PINNED = scipy.optimize.brentq(lambda z: math.tan(z) - z, 4.4, 4.6, xtol=1e-15)
CASES = {"pinned-pinned": math.pi, "clamped-free": math.pi / 2, "clamped-clamped": 2 * math.pi,
         "clamped-pinned": CLAMPED_PINNED}  # fmt: skip


def column(case: str, P: str = "-P", **more: object) -> fx.Equations:
    beam = fx.EulerBernoulliBeam("beam", EI=2.0, rho=1.2, length=1.5, axial_force=P, field="w", **more)
    joints = {"pinned": fx.Pin, "clamped": fx.Fixed}
    ends = zip(case.split("-"), (beam.start, beam.end), strict=True)
    return fx.derive(fx.Model(*(joints[how](fx.ground, end) for how, end in ends if how != "free")))


@pytest.mark.parametrize("case", CASES)
def test_the_four_columns_of_euler(case) -> None:
    load = fx.buckling(column(case), "P")
    assert abs(load / (2.0 * (CASES[case] / 1.5) ** 2) - 1) < 1e-10
    assert load.parameter == "P"
    assert load.value == float(load)


def test_tension_is_positive_and_damping_does_not_matter() -> None:
    expected = -2.0 * (math.pi / 1.5) ** 2
    assert math.isclose(fx.buckling(column("pinned-pinned", "P"), "P"), expected, rel_tol=1e-12)
    assert math.isclose(fx.buckling(column("pinned-pinned", "P", damping=0.3), "P"), expected, rel_tol=1e-12)


def test_the_shape_it_buckles_into() -> None:
    shape = fx.buckling(column("pinned-pinned"), "P").shape
    x = np.linspace(0, 1.5, 7)
    assert np.allclose(shape.w(x) / shape.w(0.75), np.sin(math.pi * x / 1.5), atol=1e-6)


def test_a_column_under_its_own_weight() -> None:
    """Greenhill (1881): rho g l^3/EI = 7.8373..., from the first zero of J_{-1/3}: (9/4) j^2."""
    beam = fx.EulerBernoulliBeam("beam", EI=2.0, rho=3.0, length=("l", 1.5), field="w")
    equations = fx.derive(fx.Model(fx.Fixed(fx.ground, beam.start), fx.Gravity("g", along="-x")))
    j = scipy.optimize.brentq(lambda z: scipy.special.jv(-1 / 3, z), 1.5, 2.2, xtol=1e-15)
    assert math.isclose(fx.buckling(equations, "g") * 3.0 * 1.5**3 / 2.0, 9 / 4 * j**2, rel_tol=1e-10)
    # by its height: it stands at 1.5 m only without weight, so the way back down is found
    height = fx.buckling(equations, "l", values={"g": 9.81})
    assert math.isclose(9.81 * 3.0 * height**3 / 2.0, 9 / 4 * j**2, rel_tol=1e-10)


def test_a_rigid_column_on_a_torsion_spring() -> None:
    bar = fx.RigidBody("bar", m=2.0, I=0.1)
    model = fx.Model(
        fx.Revolute(fx.ground, bar.at(-0.5), name="theta"),
        fx.TorsionSpring(fx.ground, bar, k=30.0),
        fx.Gravity("g", along="-x"),
    )
    assert math.isclose(fx.buckling(fx.derive(model), "g"), 30.0 / (2.0 * 0.5), rel_tol=1e-12)  # k = m g h


def test_a_system_with_a_free_motion_buckles_too() -> None:
    """A column on a sliding body may drift sideways at all loads; it buckles as if its foot were held."""
    a, b = fx.RigidBody("a", m=1.0, I=0), fx.RigidBody("b", m=1.0, I=0)
    beam = fx.EulerBernoulliBeam("beam", EI=2.0, rho=1.0, length=1.5, axial_force="-P", field="w")
    model = fx.Model(fx.Slide(fx.ground, a), fx.Fixed(a, beam.start), fx.Fixed(beam.end, b))
    load = fx.buckling(fx.derive(model), "P")
    assert math.isclose(load, 2.0 * (math.pi / 2 / 1.5) ** 2, rel_tol=1e-10)
    assert load.modes.frequencies[0] == 0.0  # the drift


def test_the_nearest_is_found_on_whichever_side_it_lies() -> None:
    """What compresses one column stretches the other, so that they buckle at loads of opposite sign."""
    strong = fx.EulerBernoulliBeam("strong", EI=2.0, rho=1.0, length=1.0, axial_force="-P")
    weak = fx.EulerBernoulliBeam("weak", EI=1.9, rho=1.0, length=1.0, axial_force="P")
    model = fx.Model(*(fx.Pin(fx.ground, end) for one in (strong, weak) for end in (one.start, one.end)))
    assert math.isclose(fx.buckling(fx.derive(model), "P"), -1.9 * math.pi**2, rel_tol=1e-12)


@settings(max_examples=EXAMPLES, deadline=None, database=None, derandomize="FLEXURA_RANDOM" not in os.environ)
@given(st.data())
def test_random_columns_buckle_where_their_discretised_stiffness_is_singular(data) -> None:
    """K = K_0 + P K_1 of polynomials of degree 10: the smallest |P| of K_0 x = -P K_1 x."""
    size, joint = st.floats(0.5, 2.0), st.sampled_from([fx.Fixed, fx.Pin])
    share = st.sampled_from(["-P", "-P/2", "P/3"])
    beams = [
        fx.EulerBernoulliBeam(
            f"b{i}", EI=data.draw(size), rho=1.0, length=data.draw(size), axial_force=data.draw(share)
        )
        for i in range(data.draw(st.integers(1, 3)))
    ]
    parts = [fx.Fixed(fx.ground, beams[0].start), *(data.draw(joint)(a.end, b.start) for a, b in pairwise(beams))]
    parts += [fx.Spring(fx.ground, one.end, k=data.draw(st.floats(1.0, 50.0))) for one in beams]
    equations = fx.derive(fx.Model(*parts))
    K_0, K_1 = (_stiffness(equations, P) for P in (0.0, 1.0))
    loads = scipy.linalg.eig(K_0, K_0 - K_1, right=False)  # the singular K_1 has infinite ones
    loads = loads.real[np.isfinite(loads) & (np.abs(loads.imag) < 1e-6 * np.abs(loads))]
    assert math.isclose(abs(fx.buckling(equations, "P")), np.abs(loads).min(), rel_tol=1e-8)


def _stiffness(equations: fx.Equations, P: float) -> np.ndarray:
    K = fx.discretise(equations, {"P": P}, order=10, elements=2).K
    return K.toarray() if hasattr(K, "toarray") else np.asarray(K)


def test_a_span_that_would_buckle_between_held_ends_is_cut() -> None:
    """The search passes loads at which one span alone is unstable, far from where its waves are short."""
    spans = [
        fx.EulerBernoulliBeam("b0", EI=0.5, rho=1.0, length=1.0, axial_force="-P"),
        fx.EulerBernoulliBeam("b1", EI=0.5, rho=1.0, length=1.5, axial_force="P/3"),
    ]
    parts = [fx.Fixed(fx.ground, spans[0].start), fx.Fixed(spans[0].end, spans[1].start)]
    parts += [fx.Spring(fx.ground, one.end, k=k) for one, k in zip(spans, (6.0, 5.0), strict=True)]
    equations = fx.derive(fx.Model(*parts))
    K_0, K_1 = (_stiffness(equations, P) for P in (0.0, 1.0))
    loads = scipy.linalg.eig(K_0, K_0 - K_1, right=False)
    loads = loads.real[np.isfinite(loads) & (np.abs(loads.imag) < 1e-6 * np.abs(loads))]
    assert math.isclose(abs(fx.buckling(equations, "P")), np.abs(loads).min(), rel_tol=1e-8)


def test_between_limits_the_search() -> None:
    equations = column("pinned-pinned")
    expected = 2.0 * (math.pi / 1.5) ** 2
    assert math.isclose(fx.buckling(equations, "P", between=(2.0, 20.0)), expected, rel_tol=1e-12)
    with pytest.raises(fx.FlexuraError, match="No frequency reaches zero for P from 1 to 5, so there is no buckling"):
        fx.buckling(equations, "P", between=(1.0, 5.0))


def beck(follower: bool) -> fx.Equations:
    w = fx.Field("w", length="l")
    return fx.derive(
        fx.Lagrangian(
            density={w: "rho*w_t**2/2 - EI*w_xx**2/2 + P*w_x**2/2"},
            work={w.at("l"): -fx.Parameter("P") * w.slope("l")} if follower else {},
            boundary={w.at(0): 0, w.slope(0): 0},
        )
    )


def test_becks_column_flutters_and_does_not_buckle() -> None:
    """Beck (1952): 20.05 EI/l^2; the same column under a dead load buckles at pi^2/4."""
    values = {"rho": 1.0, "EI": 1.0, "l": 1.0}
    with pytest.raises(fx.FlexuraError) as error:
        fx.buckling(beck(follower=True), "P", values)
    assert str(error.value).startswith(
        "The system does not buckle: before any frequency reaches zero it flutters, at P"
    )
    assert abs(float(str(error.value).split("P = ")[1].split(",")[0]) - 20.0509536) < 1e-6
    grown = fx.modes(beck(follower=True), 2, {**values, "P": 20.06}).eigenvalues  # as the sentence advises
    assert grown.real.max() > 0
    assert math.isclose(fx.buckling(beck(follower=False), "P", values), math.pi**2 / 4, rel_tol=1e-12)


def test_what_does_not_buckle() -> None:
    with pytest.raises(
        fx.FlexuraError, match=r"No frequency reaches zero for rho_beam from .*, so there is no buckling"
    ):
        fx.buckling(column("clamped-free"), "rho_beam", values={"P": 0.1})
    with pytest.raises(fx.FlexuraError, match=r"There is no parameter 'Q' in the equations; they hold .*P"):
        fx.buckling(column("clamped-free"), "Q")
    with pytest.raises(fx.FlexuraError, match="No value is known for EI, l"):
        fx.buckling(beck(follower=False), "P", {"rho": 1.0})
    with pytest.raises(fx.FlexuraError, match=r"With l = 0 there is no system to start from; give values=\{'l': ...\}"):
        fx.buckling(beck(follower=False), "l", {"rho": 1.0, "EI": 1.0, "P": 2.0})
    found = fx.buckling(beck(follower=False), "l", {"rho": 1.0, "EI": 1.0, "P": 2.0, "l": 0.3})  # as it advises
    assert math.isclose(found, math.pi / 2 / math.sqrt(2.0), rel_tol=1e-10)
