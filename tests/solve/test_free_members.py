"""Free members that bend nonlinearly: pushed, they move as a whole, whatever shapes they are followed in."""

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import flexura as fx

NODES, WEIGHTS = np.polynomial.legendre.leggauss(24)
STRAINS = {  # the potential density by a strain e, with energies that are not quadratic
    "rod": ("w_x", "EA*w_x**2/2 + c*w_x**4/4"),
    "beam": ("w_xx", "EA*w_xx**2/2 + c*w_xx**4/4"),
    "mixed": ("w_xx", "EA*w_xx**2/2 + c*w_x**2*w_xx**2"),
}


def averages(run, field, length):
    """The mean of a field and of (x - l/2) times it."""
    x = (NODES + 1) / 2 * length
    values = run.motion.whole.values(field, x, run.t, run.motion.q)
    return values @ WEIGHTS / 2, values @ (WEIGHTS / 2 * (x - length / 2))


def pushed(kind, rho, length, stiffness, c, F, seconds=0.5, **options):
    w = fx.Field("w", length="l")
    density = {w: f"rho*w_t**2/2 - ({STRAINS[kind][1]})"}
    equations = fx.derive(fx.Lagrangian(density=density, work={w.at("l"): "F"}))
    values = {"rho": rho, "l": length, "EA": stiffness, "c": c, "F": F}
    return fx.simulate(equations, np.linspace(0, seconds, 6), values=values, tolerance=1e-6, **options)


@pytest.mark.parametrize("kind", STRAINS)
def test_a_pushed_member_moves_as_its_mass_does(kind):
    run = pushed(kind, 2.0, 1.5, 30.0, 500.0, 3.0)
    mean, tilt = averages(run, "w", 1.5)
    assert mean == pytest.approx(3.0 * run.t**2 / (2 * 3.0), abs=1e-7)
    if kind == "beam":  # nothing resists a turn either: the moment of F about the middle, theta = M t^2 / 2 I
        assert tilt == pytest.approx(3.0 * 0.75 * run.t**2 / 2 / 2.0 / 1.5, abs=1e-7)


@settings(
    max_examples=5,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    derandomize=True,
    phases=[Phase.explicit, Phase.generate],
)
@given(
    st.sampled_from(["beam", "mixed"]),
    st.floats(0.3, 5.0),
    st.floats(0.4, 3.0),
    st.floats(1.0, 5.0),
    st.floats(0.1, 50.0),
    st.floats(-1.0, 1.0).filter(lambda F: abs(F) > 0.01),
)
def test_any_free_member_moves_as_its_mass_does(kind, rho, length, stiffness, c, F):
    run = pushed(kind, rho, length, stiffness * length**3, c, F, seconds=0.3)
    mean, _ = averages(run, "w", length)
    assert mean == pytest.approx(F * run.t**2 / (2 * rho * length), rel=1e-5, abs=1e-12)


def test_members_that_hang_together_by_a_constraint_move_as_one():
    a, b = fx.Field("a", length=1.0), fx.Field("b", length=1.0)
    density = {one: f"{one.name}_t**2/2 - 20*{one.name}_x**2/2 - 5*{one.name}_x**4" for one in (a, b)}
    link = fx.Lagrangian(density=density, work={b.at(1.0): "F"}, constraints=[a.at(1.0) - b.at(0)])
    run = fx.simulate(fx.derive(link), np.linspace(0, 0.4, 5), values={"F": 1.0}, tolerance=1e-6)
    total = averages(run, "a", 1.0)[0] + averages(run, "b", 1.0)[0]
    assert total == pytest.approx(run.t**2 / 2, abs=1e-7)


def flying_beam(EI):
    """Simo and Vu-Quoc (1986), Reissner's energies in ground's axes (theory, section 7)."""
    u = fx.Field("u", length=10.0)
    v, phi = fx.Field("v", spine=u), fx.Field("phi", spine=u)
    x_s, y_s = u.x - 0.6, v.x + 0.8
    cos, sin = -0.6 * fx.cos(phi) - 0.8 * fx.sin(phi), 0.8 * fx.cos(phi) - 0.6 * fx.sin(phi)
    stretch, shear = x_s * cos + y_s * sin - 1, y_s * cos - x_s * sin
    strained = 1e4 * (stretch**2 + shear**2) / 2 + EI * phi.x**2 / 2
    density = {u: (u.t**2 + v.t**2 + 10 * phi.t**2) / 2 - strained}
    return fx.derive(fx.Lagrangian(density=density, work={u.at(0): 8 * fx.Input("f"), phi.at(0): -80 * fx.Input("f")}))


def test_the_flying_beam_flies():
    run = fx.simulate(flying_beam(500.0), [0.0, 1.0, 2.5], inputs={"f": 1.0}, order=5, elements=2, tolerance=1e-3)
    u, v = (run.motion.whole.values(name, [0.0, 10.0], run.t, run.motion.q)[-1] for name in "uv")
    assert averages(run, "u", 10.0)[0] == pytest.approx(0.4 * run.t**2, rel=1e-3)  # mass 10, force 8: x = 5.5 at 2.5 s
    assert (6 + u[0], v[0]) == pytest.approx((4.430, -0.786), abs=0.01)
    assert (u[1], 8 + v[1]) == pytest.approx((5.945, 8.971), abs=0.01)


def test_a_member_that_turns_far_leaves_the_shapes_it_had_at_rest():
    question = {"t": [0.0, 0.5, 1.0], "inputs": {"f": 1.0}, "tolerance": 1e-2}
    run = fx.simulate(flying_beam(500.0), **question)
    given_order = fx.simulate(flying_beam(500.0), order=5, elements=2, **question)
    assert any("Members that bend far are followed by polynomials of degree" in note for note in run.notes)
    assert 0 < run.error.shapes["u"] < 1
    for name in ("u", "v"):
        at = [one.motion.whole.values(name, [0.0, 5.0, 10.0], one.t, one.motion.q) for one in (run, given_order)]
        assert at[0] == pytest.approx(at[1], abs=0.03)


def test_the_size_of_what_the_fallback_leaves_out_is_told():
    """A beam so soft that degree 12 is a few percent off at 2.5 s (theory, section 7: ends of finite elements)."""
    run = fx.simulate(flying_beam(100.0), [0.0, 2.5], inputs={"f": 1.0}, tolerance=1e-2)
    u, v = (run.motion.whole.values(name, [0.0, 10.0], run.t, run.motion.q)[-1] for name in "uv")
    off = max(abs(6 + u[0] - 4.963), abs(v[0] - 4.476), abs(u[1] - 3.583), abs(8 + v[1] - 6.112))
    moved = max(np.abs(u).max(), np.abs(v).max())
    assert off / moved < run.error.shapes["u"] < 1
    assert run.error.share >= run.error.shapes["u"]
