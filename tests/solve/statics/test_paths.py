"""Paths of states of rest: limit and branch points in closed form, branches by shooting and by elliptic integrals."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq
from scipy.special import ellipe, ellipk

import flexura as fx
from solve.statics.reissner import cantilever, shot, values

TRUSS = {"m": 1.0, "EA": 100.0, "b": 1.0, "h": 0.5}


def two_bars() -> fx.Equations:
    """Von Mises' truss: two bars from (-b, 0) and (b, 0) to a mass at height h, which comes down by y."""
    y = fx.Coordinate("y")
    return fx.derive(
        fx.Lagrangian(
            kinetic="m*y_t**2/2",
            potential="EA/sqrt(b**2 + h**2)*(sqrt(b**2 + (h - y)**2) - sqrt(b**2 + h**2))**2",
            work={y: "P"},
        )
    )


def closed_form(EA: float, b: float, h: float) -> float:
    """P = 2 EA/l0 (l0/l - 1) z with z = h - y; dP/dz = 0 at l^3 = l0 b^2."""
    l0 = np.hypot(b, h)
    l = np.cbrt(l0 * b**2)
    return float(2 * EA / l0 * (l0 / l - 1) * np.sqrt(l**2 - b**2))


def without(name: str, **over: float) -> dict[str, float]:
    return {key: one for key, one in values(**over).items() if key != name}


def test_two_bars_snap_through() -> None:
    path = fx.equilibrium_path(two_bars(), "P", (-10.0, 10.0), TRUSS)
    top = closed_form(100.0, 1.0, 0.5)
    assert path.limit_points == pytest.approx([top, -top], rel=1e-10)
    assert len(path.branch_points) == 0
    assert path.parameter[0] == -10.0
    assert path.parameter[-1] == 10.0
    y, l0 = path["y"], np.hypot(1.0, 0.5)
    z = 0.5 - y
    assert path.parameter == pytest.approx(200 / l0 * (l0 / np.hypot(1.0, z) - 1) * z, abs=1e-10)
    within = np.abs(z) < np.sqrt(np.cbrt(l0) ** 2 - 1)
    assert np.array_equal(path.stable, ~within)
    assert np.abs(np.diff(y)).max() < 0.2


def test_a_path_ends_where_the_parameter_leaves_its_range() -> None:
    """From zero the truss passes its limit point and comes back to zero, where its bars lie flat."""
    path = fx.equilibrium_path(two_bars(), "P", (0.0, 10.0), TRUSS)
    assert path.parameter[-1] == 0.0
    assert path["y"][-1] == pytest.approx(0.5, abs=1e-9)
    assert not path.stable[-1]


@settings(max_examples=15, deadline=None)
@given(b=st.floats(0.3, 3.0), slope=st.floats(0.1, 1.5), EA=st.floats(1.0, 1e6))
def test_limit_loads_of_any_two_bars(b: float, slope: float, EA: float) -> None:
    top = closed_form(EA, b, slope * b)
    path = fx.equilibrium_path(two_bars(), "P", (-2 * top, 2 * top), {"m": 1.0, "EA": EA, "b": b, "h": slope * b})
    assert path.limit_points == pytest.approx([top, -top], rel=1e-9)


def test_another_parameter_than_a_load() -> None:
    path = fx.equilibrium_path(two_bars(), "h", (0.5, 1.0), {"m": 1.0, "EA": 100.0, "b": 1.0, "P": 1.0})
    for k in (0, len(path) // 2, -1):
        alone = fx.equilibrium(two_bars(), {**TRUSS, "h": float(path.parameter[k]), "P": 1.0})
        assert path["y"][k] == pytest.approx(alone["y"], rel=1e-9)


def test_a_column_branches_at_the_load_of_reissner() -> None:
    """C (1 + C/kGA - C/EA) = ((2k - 1) pi/2)^2 EI/L^2: shear lowers the load of Euler, shortening raises it.

    About the straight state n = (-C, 0), so the shear force is C phi and v' = (1 - C/EA + C/kGA) phi; the moments give
    EI phi'' + C v' = 0 with phi(0) = 0, phi'(L) = 0.
    """
    path = fx.equilibrium_path(cantilever(), "C", (0.0, 30.0), without("C"))
    a = 1 / 5e3 - 1 / 1e4
    exact = [(-1 + np.sqrt(1 + 4 * a * ((2 * k - 1) * np.pi / 2) ** 2)) / (2 * a) for k in (1, 2)]
    assert path.branch_points == pytest.approx(exact, rel=1e-9)
    assert len(path.limit_points) == 0
    assert np.array_equal(path.stable, path.parameter < exact[0])
    assert path.place("u", 1.0) == pytest.approx(-path.parameter / 1e4, abs=1e-12)


def test_a_stiff_column_branches_at_the_load_of_euler() -> None:
    path = fx.equilibrium_path(cantilever(), "C", (0.0, 5.0), without("C", EA=1e6, kGA=1e6))
    assert path.branch_points == pytest.approx([np.pi**2 / 4], rel=1e-8)  # with EA = kGA the corrections cancel


def test_the_buckled_branch_by_shooting_and_by_elliptic_integrals() -> None:
    given = without("C", EA=1e6, kGA=1e6)
    straight = fx.equilibrium_path(cantilever(), "C", (0.0, 5.0), given)
    up = fx.equilibrium_path(cantilever(), "C", (0.0, 5.0), given, branch=straight.branches[0])
    down = fx.equilibrium_path(cantilever(), "C", (0.0, 5.0), given, branch=-straight.branches[0], order=20)
    assert up.parameter[0] == pytest.approx(np.pi**2 / 4, rel=1e-8)
    assert up.parameter[-1] == 5.0
    assert up.stable[1:].all()
    v = up.place("v", 1.0)
    assert down.place("v", 1.0)[-1] == pytest.approx(-v[-1], abs=1e-7)
    side = np.sign(v[-1])
    ends = np.array([up.place(name, 1.0)[-1] for name in ("u", "v", "phi")])
    assert ends == pytest.approx(shot(0.0, 5.0, 1e6, 1e6, side * 2.5), abs=1e-8)
    for k in (5, 12, -1):  # tip angle a: C = K(sin(a/2))^2, x/L = 2 E/K - 1, y/L = 2 sin(a/2)/K  (EI = L = 1)
        m = brentq(lambda m, load=up.parameter[k]: ellipk(m) ** 2 - load, 1e-9, 0.999)
        assert 1 + up.place("u", 1.0)[k] == pytest.approx(2 * ellipe(m) / ellipk(m) - 1, abs=1e-5)
        assert abs(v[k]) == pytest.approx(2 * np.sqrt(m) / ellipk(m), abs=1e-5)
        assert abs(up.place("phi", 1.0)[k]) == pytest.approx(2 * np.arcsin(np.sqrt(m)), abs=1e-5)


def test_a_point_of_a_path_is_a_state_of_its_own() -> None:
    path = fx.equilibrium_path(cantilever(), "P", (0.0, 10.0), without("P"))
    last = path.point(-1)
    alone = fx.equilibrium(cantilever(), values(P=10.0))
    assert last.place("v", 1.0) == pytest.approx(alone.place("v", 1.0), rel=1e-9)
    assert path.place("v", 1.0)[-1] == pytest.approx(alone.place("v", 1.0), rel=1e-9)
    assert last.given["P"] == 10.0
    assert path.stable.all()
    assert len(path["u@b"]) == len(path)


def test_a_mass_on_a_constraint_has_the_same_path() -> None:
    """The truss with its height and stretch as coordinates, tied by a constraint: one motion is left."""
    y, l = fx.Coordinate("y"), fx.Coordinate("l")
    b, h, EA, m, P = (fx.Parameter(name) for name in ("b", "h", "EA", "m", "P"))
    rest = fx.sqrt(b**2 + h**2)
    tied = fx.derive(
        fx.Lagrangian(
            kinetic=m * y.t**2 / 2,
            potential=EA / rest * l**2,
            work={y: P},
            constraints=[(l + rest) ** 2 - b**2 - (h - y) ** 2],
        )
    )
    path = fx.equilibrium_path(tied, "P", (-10.0, 10.0), TRUSS)
    top = closed_form(100.0, 1.0, 0.5)
    assert path.limit_points == pytest.approx([top, -top], rel=1e-9)
    assert path["lambda_1"].shape == path.parameter.shape
    plain = fx.equilibrium_path(two_bars(), "P", (-10.0, 10.0), TRUSS)
    assert [bool(path.stable[0]), bool(path.stable[-1])] == [bool(plain.stable[0]), bool(plain.stable[-1])]


def test_what_a_path_refuses() -> None:
    with pytest.raises(fx.FlexuraError, match="no parameter 'F'"):
        fx.equilibrium_path(two_bars(), "F", (0, 1), TRUSS)
    with pytest.raises(fx.FlexuraError, match="leave P out of values"):
        fx.equilibrium_path(two_bars(), "P", (0, 1), {**TRUSS, "P": 1.0})
    with pytest.raises(fx.FlexuraError, match="two different numbers"):
        fx.equilibrium_path(two_bars(), "P", (1.0, 1.0), TRUSS)
    with pytest.raises(fx.FlexuraError, match="which is a length"):
        fx.equilibrium_path(cantilever(), "L", (1.0, 2.0), without("L"))
    path = fx.equilibrium_path(two_bars(), "P", (0.0, 1.0), TRUSS)
    with pytest.raises(fx.FlexuraError, match="no 'x'"):
        path["x"]
    with pytest.raises(fx.FlexuraError, match="no point 999"):
        path.point(999)
