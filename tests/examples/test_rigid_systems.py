"""Example One by parts, and the answers the vibration notes fix."""

import pytest
import sympy as sp

import flexura as fx
from examples.reading import coordinate, coordinates, holds, left, same, t, vanishes
from flexura import gallery

m, r, g, L, M, k, Omega = sp.symbols("m r g L M k Omega")


def test_example_one_by_parts_is_example_one_by_energies(ran):
    parts, energies = ran("example_one")["equations"], fx.derive(gallery.example("example-one"))
    assert fx.equivalent(energies, parts)
    assert fx.equivalent(parts, energies)
    assert str(parts) == str(energies)


@pytest.fixture
def notes(ran):
    """The equations of one system of the notes, by the beginning of its title."""
    systems = {**ran("notes_newton_euler")["systems"], **ran("notes_lagrange")["systems"]}

    def one(start):
        (found,) = (model for title, model in systems.items() if title.startswith(start))
        return fx.derive(found)

    return one


def test_the_rolling_cylinder_from_rest_and_from_equilibrium(notes):
    """I.1.1: (3/2) M x'' + k x = M g sin(theta); measured from equilibrium, (3/2) M z'' + k z = 0."""
    equations = notes("I.1.1")
    X, theta = coordinate("x"), sp.Symbol("theta")
    rolling = {coordinate("phi"): -X / r}
    assert vanishes(left(equations.constraints[0]).subs(rolling).doit())
    rows = [left(equations.ordinary[name]).subs(rolling).doit() for name in ("x", "phi")]
    total = rows[0] - rows[1] / r
    assert vanishes(total - (sp.Rational(3, 2) * M * X.diff(t, 2) + k * X - M * g * sp.sin(theta)))
    z, phi = coordinates("z phi")
    from_equilibrium = fx.Lagrangian(
        kinetic=M * z.t**2 / 2 + M * r**2 * phi.t**2 / 4, potential=k * z**2 / 2, constraints=[z.t + r * phi.t]
    )
    assert fx.equivalent(equations, fx.derive(from_equilibrium), where={"x": "z + M*g*sin(theta)/k"})


def test_three_sets_of_coordinates_are_congruent(notes):
    """I.1.2: M' = T'MT, and K and C likewise, for x = T y and x = T z."""
    a, b, c = (notes(f"I.1.2 {letter})") for letter in "abc")
    for other, T in ((b, sp.Matrix([[1, 0], [0, -1]])), (c, sp.Matrix([[1, 0], [1, 1]]))):
        mine = [T.T * one * T for one in _matrices(a)]
        assert mine == _matrices(other)
    assert _matrices(a)[0] == m * sp.eye(2)
    assert _matrices(a)[2] == k * sp.Matrix([[2, -1], [-1, 2]])


def _matrices(equations):
    """M, C and K of a linear system."""
    q = [coordinate(name) for name in equations.coordinates]
    rows = [sp.expand(left(one)) for one in equations.ordinary.values()]
    return [
        sp.Matrix([[row.coeff(f.diff(t, order) if order else f) for f in q] for row in rows]) for order in (2, 1, 0)
    ]


def test_the_pinned_bar_and_the_pendulum(notes):
    """I.2.1: (1/3) M L^2 th'' + (1/2) M g L sin(th) = 0; I.4.1: m L^2 th'' + m g L sin(th) = 0, in x and y as well."""
    th = coordinate("theta")
    same(notes("I.2.1").ordinary, theta=M * L**2 * th.diff(t, 2) / 3 + M * g * L * sp.sin(th) / 2)
    same(notes("I.4.1 a").ordinary, theta=m * L**2 * th.diff(t, 2) + m * g * L * sp.sin(th))
    X, Y = L * sp.sin(th), L * sp.cos(th)
    redundant = notes("I.4.1 the same")
    onto = {coordinate("x"): X, coordinate("y"): Y}
    assert vanishes(left(redundant.constraints[0]).subs(onto))
    rows = [left(redundant.ordinary[name]).subs(onto).doit() for name in "xy"]
    along = rows[0] * X.diff(th) + rows[1] * Y.diff(th)
    assert vanishes(along - (m * L**2 * th.diff(t, 2) + m * g * L * sp.sin(th)))


def test_the_cart_with_a_pinned_bar(notes):
    """I.1.3, theta counter-clockwise from the vertical."""
    X, th, c = coordinate("x"), coordinate("theta"), sp.Symbol("c")
    sideways = M * L / 2 * (th.diff(t, 2) * sp.cos(th) - th.diff(t) ** 2 * sp.sin(th))
    same(
        notes("I.1.3").ordinary,
        x=(M + m) * X.diff(t, 2) + sideways + c * X.diff(t) + k * X,
        theta=M * L**2 * th.diff(t, 2) / 3 + M * L / 2 * (X.diff(t, 2) * sp.cos(th) + g * sp.sin(th)),
    )


def test_generalized_forces_and_masses_of_relative_coordinates(notes):
    """I.3.1: Q1 = f1 + f2 + f3, Q2 = f2 + f3, Q3 = f3, and m_ik is what both coordinates move."""
    equations = notes("I.3.1")
    f, masses = sp.symbols("f1:4"), sp.symbols("m1:4")
    q = {coordinate(f"x{i}"): 0 for i in (1, 2, 3)}
    forces = {coordinate(f"f{i}"): f[i - 1] for i in (1, 2, 3)}
    found = [sp.expand(one.subs(q).subs(forces)) for one in equations.forcing]
    assert found == [sum(f[i:]) for i in range(3)]
    assert equations.mass_matrix == sp.Matrix(3, 3, lambda i, j: sum(masses[max(i, j) :]))
    assert notes("I.4.2").mass_matrix == sp.Matrix(2, 2, lambda i, j: sum(masses[max(i, j) : 2]))


def test_a_prescribed_motion_loads_the_rest_and_tells_its_force(notes):
    """I.4.4: virtual displacements freeze t, so y'' enters as a load; Q_y carries everything."""
    equations = notes("I.4.4")
    y0, m0, m1, m2, k1, k2 = sp.symbols("y0 m0 m1 m2 k1 k2")
    y, x1, x2 = y0 * sp.sin(Omega * t), coordinate("x1"), coordinate("x2")
    a0, a1, a2 = y.diff(t, 2), (y + x1).diff(t, 2), (y + x1 + x2).diff(t, 2)
    same(equations.ordinary, x1=m1 * a1 + m2 * a2 + k1 * x1, x2=m2 * a2 + k2 * x2)
    same(equations.reactions, y=sp.Symbol("Q_y") - (m0 * a0 + m1 * a1 + m2 * a2))


def test_the_knife_edge_cart(ran):
    """The notes' constraint, and their kinetic energy with the term 2 v_C Y_t sin(th) cos(th) they lost."""
    equations = ran("knife_edge_cart")["equations"]
    Y, th, v = coordinate("Y"), coordinate("theta"), sp.Symbol("v_C")
    holds(equations.constraints, -v * sp.sin(th) + Y.diff(t) * sp.cos(th) - L * th.diff(t))
    X, Y, theta = coordinates("X Y theta")
    v_B = (X.t + L * fx.sin(theta) * theta.t) ** 2 + (Y.t - L * fx.cos(theta) * theta.t) ** 2
    by_hand = fx.Lagrangian(
        kinetic=(M * X.t**2 + m * (X.t**2 + Y.t**2) + m * v_B) / 2,
        constraints=[Y.t * fx.cos(theta) - X.t * fx.sin(theta) - L * theta.t],
        prescribed={X: "v_C*t"},
    )
    assert fx.equivalent(fx.derive(by_hand), equations)
