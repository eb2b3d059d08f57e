"""The exact beam: its equations are Reissner's (theory, section 7), and about rest it is Timoshenko's."""

import numpy as np
import pytest
import sympy as sp
from scipy.special import fresnel

import flexura as fx
from flexura.symbolic.engine import exact

x, t = sp.symbols("x t")
EI, EA, kGA, rho, J, l, k0 = sp.symbols("EI EA kGA rho J l k_0")
STIFF = {"EI": "EI", "rho": "rho", "length": "l", "rotary_inertia": "J"}


def beam(**properties):
    return fx.ExactBeam("b", **{**STIFF, **properties})


def fields(*names):
    return [sp.Function(f"{name}_b")(x, t) for name in names]


def reissner(u, v, phi, angle=sp.S.Zero, N=None, Q=None):
    """rho x_tt = n1_s, rho y_tt = n2_s, J phi_tt = (EI kappa)_s + x_s n2 - y_s n1, and the strains."""
    x_s, y_s, turned = sp.cos(angle) + u.diff(x), sp.sin(angle) + v.diff(x), angle + phi
    stretch = x_s * sp.cos(turned) + y_s * sp.sin(turned) - 1
    shear = -x_s * sp.sin(turned) + y_s * sp.cos(turned)
    N, Q = EA * stretch if N is None else N, kGA * shear if Q is None else Q
    n1, n2 = N * sp.cos(turned) - Q * sp.sin(turned), N * sp.sin(turned) + Q * sp.cos(turned)
    rows = (
        rho * u.diff(t, 2) - n1.diff(x),
        rho * v.diff(t, 2) - n2.diff(x),
        J * phi.diff(t, 2) - (EI * phi.diff(x)).diff(x) - x_s * n2 + y_s * n1,
    )
    return rows, (stretch, shear), (n1, n2, EI * phi.diff(x))


def same(first, second):
    return sp.simplify(sp.expand(first - second)) == 0


def of(equation):
    return equation.lhs - equation.rhs


def test_the_equations_are_reissners() -> None:
    u, v, phi = fields("u", "v", "phi")
    model = fx.Model(fx.Fixed(fx.ground, (one := beam(EA="EA", kGA="kGA")).start))
    equations = fx.derive(model)
    rows, _, _ = reissner(u, v, phi)
    assert equations.fields == ("u_b", "v_b", "phi_b")
    assert all(same(of(equations.partial[name]), row) for name, row in zip(equations.fields, rows, strict=True))
    assert one.bends_far


def test_the_equations_of_a_curved_beam() -> None:
    u, v, phi = fields("u", "v", "phi")
    equations = fx.derive(fx.Model(fx.Fixed(fx.ground, beam(EA="EA", kGA="kGA", curvature="k_0").start)))
    rows, _, _ = reissner(u, v, phi, k0 * x)
    for name, row in zip(equations.fields, rows, strict=True):
        found = (of(equations.partial[name]) - row).subs({EA: 3, kGA: 2, EI: 5, k0: sp.Rational(1, 2), rho: 7, J: 2})
        shapes = {u: x**2 * t, v: x**3 * t**2, phi: x * t}
        assert abs(found.subs(shapes).doit().subs({x: 0.7, t: 0.9}).evalf()) < 1e-12


def test_without_stretch_and_shear_the_forces_are_fields() -> None:
    u, v, phi, N, Q = fields("u", "v", "phi", "N", "Q")
    equations = fx.derive(fx.Model(fx.Fixed(fx.ground, beam().start)))
    assert equations.fields == ("u_b", "v_b", "phi_b", "N_b", "Q_b")
    rows, strains, (n1, n2, moment) = reissner(u, v, phi, N=N, Q=Q)
    for name, row in zip(equations.fields, (*rows, *strains), strict=True):
        found = of(equations.partial[name])
        assert same(found, row) or same(found, -row)
    free = [sp.expand(of(one)) for one in equations.boundary]
    for load in (n1, n2, moment):
        assert any(same(one, sign * load.expand()) for one in map(_inside, free) for sign in (1, -1))


def _inside(f):
    """An end value as the field it is of."""
    return f.replace(sp.Subs, lambda inner, variables, point: inner).subs(l, x)


@pytest.mark.parametrize("stiff", [("EA",), ("kGA",)])
def test_one_force_is_a_field_where_one_stiffness_is_not_given(stiff) -> None:
    equations = fx.derive(fx.Model(fx.Fixed(fx.ground, beam(**{one: one for one in stiff}).start)))
    assert equations.fields[3:] == (("Q_b",) if stiff == ("EA",) else ("N_b",))


def test_names_of_fields() -> None:
    assert [one.name for one in beam(field="w").fields] == ["u_b", "w", "phi_b", "N_b", "Q_b"]
    assert [one.name for one in beam(field=("w", None, "s")).fields] == ["s", "w", "phi_b", "N_b", "Q_b"]


def test_a_curvature_that_varies_along_x() -> None:
    """A clothoid: its end by Fresnel's integrals, at rest and without strain; the routes agree."""
    one = fx.ExactBeam("b", EI=1.0, rho=1.0, length=3.0, EA=10.0, kGA=10.0, rotary_inertia=0.1, curvature="x")
    size = np.sqrt(np.pi)
    sine, cosine = fresnel(3.0 / size)
    point = [float(part) for part in one.point(exact(3.0))]
    assert point == pytest.approx([size * cosine, size * sine, 0.0], abs=1e-13)
    equations = fx.derive(fx.Model(fx.Revolute(fx.ground, one.start), fx.Fixed(one.end, fx.Mass("m", 1.0))))
    assert fx.verify(equations)
    system = fx.discretise(equations, order=4, elements=2)
    zero = np.zeros(system.n)
    assert np.abs(system.evaluate(0.0, zero, zero, system.rest)[1]).max() < 1e-12


def test_a_curvature_without_an_integral_is_refused_and_the_advice_helps() -> None:
    with pytest.raises(fx.FlexuraError, match="no integral along x in closed form; join beams of constant curvature"):
        beam(curvature="Piecewise((1, x < 1), (2, True))")
    first = fx.ExactBeam("a", **STIFF, curvature="k_1")
    second = fx.ExactBeam("b", **STIFF, curvature="k_2")
    model = fx.Model(fx.Fixed(fx.ground, first.start), fx.Fixed(first.end, second.start))
    assert fx.verify(fx.derive(model))


SECTION = {"EI": 2.0, "rho": 1.5, "length": 1.2, "rotary_inertia": 0.02, "EA": 800.0, "kGA": 300.0}


@pytest.mark.parametrize("held", ["clamped", "free", "pinned"])
def test_about_rest_it_is_timoshenkos_beam_with_EA(held) -> None:
    def model(one):
        both = [fx.Pin(fx.ground, one.start), fx.Roller(fx.ground, one.end)]
        return fx.Model(*{"clamped": [fx.Fixed(fx.ground, one.start)], "free": [one], "pinned": both}[held])

    exact, small = (fx.modes(model(kind("b", **SECTION)), 8) for kind in (fx.ExactBeam, fx.TimoshenkoBeam))
    assert exact.frequencies == pytest.approx(small.frequencies, rel=1e-10)
