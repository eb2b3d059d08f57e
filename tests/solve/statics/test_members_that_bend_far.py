"""Reissner's beam under tip loads and moments: circles, shooting, published values, and how fast they are met."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import flexura as fx
from solve.statics.reissner import cantilever, shot, spine, values

TIP = ("u", "v", "phi")


def tip(rest: fx.Equilibrium) -> np.ndarray:
    return np.array([rest.place(name, 1.0) for name in TIP])


@pytest.mark.parametrize("turns", [1, 2])
def test_an_end_moment_rolls_a_beam_up(turns: int) -> None:
    """The tip is at L (sin a / a, (1 - cos a)/a), a = M L/EI, whatever EA and kGA are."""
    a = 2 * np.pi * turns
    rest = fx.equilibrium(cantilever(), values(M=a, EA=1e6, kGA=1e6))
    assert tip(rest) == pytest.approx([-1.0, 0.0, a], abs=1e-9)
    half = np.array([rest.place(name, 0.3) for name in TIP])
    assert half == pytest.approx([np.sin(0.3 * a) / a - 0.3, (1 - np.cos(0.3 * a)) / a, 0.3 * a], abs=1e-9)
    assert rest.stable
    assert rest.error is not None
    assert rest.error < 1e-10
    assert rest.residual < 1e-12
    assert rest.notes == ()


@pytest.mark.parametrize("load", [1.0, 10.0])
def test_a_tip_load_bends_it_as_shooting_says(load: float) -> None:
    rest = fx.equilibrium(cantilever(), values(P=load))
    assert tip(rest) == pytest.approx(shot(load, 0.0, 1e4, 5e3, load * 0.5), abs=1e-9)


@pytest.mark.parametrize(
    ("load", "published"), [(1.0, (-0.05643, 0.30172, 0.46135)), (10.0, (-0.55500, 0.81061, 1.43029))]
)
def test_the_elastica_of_mattiasson(load: float, published: tuple[float, ...]) -> None:
    """K. Mattiasson 1981, by elliptic integrals: inextensible, so stiff sections come as close as they are stiff."""
    rest = fx.equilibrium(cantilever(), values(P=load, EA=1e7, kGA=1e7))
    assert tip(rest) == pytest.approx(published, abs=1e-5)


def test_shapes_converge_faster_than_any_power() -> None:
    exact = shot(10.0, 0.0, 1e4, 5e3, 5.0)
    errors = [
        np.abs(tip(fx.equilibrium(cantilever(), values(P=10.0), order=order)) - exact).max()
        for order in (4, 6, 8, 10, 12)
    ]
    assert errors[-1] < 1e-10
    rates = [before / after for before, after in pairwise(errors)]
    assert min(rates) > 30  # each two degrees; of a method of fixed order the gain would fall with the degree
    noted = fx.equilibrium(cantilever(), values(P=10.0), order=4).notes
    assert any("highest powers hold" in note for note in noted)


@settings(max_examples=8, deadline=None)
@example(P=-3.4e-280, C=-4.0e-136, EA=9e4, kGA=5e4)
@given(P=st.floats(-8, 8), C=st.floats(-6, 2), EA=st.floats(500, 1e5), kGA=st.floats(500, 1e5))
def test_any_tip_load_as_shooting_says(P: float, C: float, EA: float, kGA: float) -> None:
    """Below the load that buckles it a cantilever has one state that is reached from rest, also a soft one."""
    rest = fx.equilibrium(cantilever(), values(P=P, C=C, EA=EA, kGA=kGA))
    moment = rest.place("phi", 1e-4) / 1e-4  # where shooting begins: it ends wherever the equations lead
    assert tip(rest) == pytest.approx(shot(P, C, EA, kGA, moment), abs=1e-8)


@pytest.mark.parametrize("load", [1e-4, 1e-8, 1e-11, 1e-14, 1e-100])
def test_small_loads_bend_it_little(load: float) -> None:
    rest = fx.equilibrium(cantilever(), values(P=load))
    assert rest.place("v", 1.0) == pytest.approx(load * (1 / 3 + 1 / 5e3), rel=1e-6, abs=1e-15)


def test_what_moves_freely_is_told_so_and_a_support_helps() -> None:
    u, v, phi, density = spine()
    hinged = {u.at(0): 0, v.at(0): 0}
    known = {name: one for name, one in values(P=1.0).items() if name not in ("C", "M")}
    loose = fx.derive(fx.Lagrangian(density={u: density}, work={v.at("L"): "P"}, boundary=hinged))
    with pytest.raises(fx.FlexuraError, match="not determined") as told:
        fx.equilibrium(loose, known)
    assert "support or a spring" in told.value.advice
    sprung = fx.derive(
        fx.Lagrangian(density={u: density}, potential=5 * phi.at(0) ** 2, work={v.at("L"): "P"}, boundary=hinged)
    )
    assert fx.equilibrium(sprung, known).stable
    pulled = fx.derive(fx.Lagrangian(density={u: density}, work={u.at("L"): "P"}, boundary=hinged))
    assert fx.equilibrium(pulled, known).place("u", 1.0) == pytest.approx(1e-4)  # the load itself holds it


def test_meshes_that_are_none_are_refused() -> None:
    with pytest.raises(fx.FlexuraError, match="order is 0"):
        fx.equilibrium(cantilever(), values(P=1.0), order=0)
    with pytest.raises(fx.FlexuraError, match="elements is 0"):
        fx.equilibrium(cantilever(), values(P=1.0), elements=0)


def test_elements_converge_to_the_same() -> None:
    coarse = fx.equilibrium(cantilever(), values(P=10.0), order=5, elements=6)
    assert tip(coarse) == pytest.approx(shot(10.0, 0.0, 1e4, 5e3, 5.0), abs=1e-5)
    assert "Piecewise" in str(coarse["v"])


def test_beyond_its_critical_load_an_imperfect_column_bows_far() -> None:
    rest = fx.equilibrium(cantilever(), values(C=3.0, P=0.01))
    assert tip(rest) == pytest.approx(shot(0.01, 3.0, 1e4, 5e3, 2.0), abs=1e-9)
    assert rest.stable


def test_the_straight_column_is_found_and_called_unstable() -> None:
    rest = fx.equilibrium(cantilever(), values(C=3.0))
    assert tip(rest) == pytest.approx([-3e-4, 0, 0], abs=1e-12)
    assert rest.stable is False
    assert any("UNSTABLE" in note for note in rest.notes)
