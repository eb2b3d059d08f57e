"""Example One of the memo: theory's five equations and four compatibility conditions, by both routes."""

import pytest
import sympy as sp

import flexura as fx
from flexura import gallery

t, x, l = sp.symbols("t x l")
m_a, m_b, m_c, I_c, K1, K2, K3, b, EI, rho = sp.symbols("m_a m_b m_c I_c K1 K2 K3 b EI rho")
q1, q2, q4, q5 = (sp.Function(name)(t) for name in ("q1", "q2", "q4", "q5"))
q3, f = sp.Function("q3")(x, t), sp.Function("f")(x)


def at(expression: sp.Expr, place: sp.Expr) -> sp.Expr:
    return sp.Subs(expression, x, place)


EXPECTED = {
    "q1": (m_a + m_b + m_c + rho * l) * q1.diff(t, 2)
    + m_b * q2.diff(t, 2)
    + m_c * q4.diff(t, 2)
    + sp.Integral(rho * q3.diff(t, 2), (x, 0, l))
    + K1 * q1
    + K3 * (q1 + q4)
    - sp.Integral(f, (x, 0, l)),
    "q2": m_b * (q1.diff(t, 2) + q2.diff(t, 2)) + K2 * q2 + b * q2.diff(t) + EI * at(q3.diff(x, 3), 0),
    "q3": rho * (q3.diff(t, 2) + q1.diff(t, 2)) + EI * q3.diff(x, 4) - f,
    "q4": m_c * (q1.diff(t, 2) + q4.diff(t, 2)) + K3 * (q1 + q4) - EI * at(q3.diff(x, 3), l),
    "q5": I_c * q5.diff(t, 2) + EI * at(q3.diff(x, 2), l),
}


@pytest.fixture(scope="module", params=["surrogate", "variational"])
def equations(request: pytest.FixtureRequest) -> fx.Equations:
    return fx.derive(gallery.example("example-one"), method=request.param)


@pytest.mark.parametrize("name", EXPECTED)
def test_each_equation_is_the_memos(equations: fx.Equations, name: str) -> None:
    found = (equations.ordinary | equations.partial)[name]
    assert sp.expand(found.lhs - found.rhs - EXPECTED[name]) == 0


def test_compatibility_conditions(equations: fx.Equations) -> None:
    expected = [(q3.subs(x, 0), q2), (at(q3.diff(x), 0), 0), (q3.subs(x, l), q4), (at(q3.diff(x), l), q5)]
    assert equations.boundary == [sp.Eq(*pair, evaluate=False) for pair in expected]


def test_names_are_in_order(equations: fx.Equations) -> None:
    assert equations.coordinates == ("q1", "q2", "q4", "q5")
    assert equations.fields == ("q3",)
    assert list(equations.ordinary) == ["q1", "q2", "q4", "q5"]


def test_the_eleven_steps_carry_their_formulas() -> None:
    steps = fx.derive(gallery.example("example-one")).steps
    assert [step.number for step in steps] == list(range(1, 12))
    assert all(step.title and step.text and step.formulas for step in steps)
    dx, Xi_q1, Xi_q2 = sp.symbols("dx Xi_q1 Xi_q2")
    forces = {formula.lhs: formula.rhs for formula in steps[7].formulas}  # step 8, [M] eqs. 15-16
    assert forces[Xi_q1] == f * dx
    assert forces[Xi_q2] == -EI * at(q3.diff(x, 3), 0)
    field = steps[9].formulas[0]  # step 10, [M] eq. 30
    assert sp.expand(field.lhs - field.rhs - EXPECTED["q3"]) == 0
    before = steps[8].formulas[-1]  # step 9 still holds dx in every term
    assert sp.expand((before.lhs - before.rhs) / dx - EXPECTED["q3"]) == 0


def test_it_is_verified_and_says_what_was_skipped(equations: fx.Equations) -> None:
    certificate = fx.verify(equations)
    assert certificate
    assert {"kane", "newton_euler", "power"} <= set(certificate.skipped)
    assert "energies alone" in certificate.skipped["kane"]
    assert "energies alone" in certificate.skipped["newton_euler"]
    assert "degrees of freedom" in certificate.skipped["power"]
    assert fx.Certificate.from_json(certificate.to_json()) == certificate


def test_a_route_without_velocities_says_so() -> None:
    with pytest.raises(fx.FlexuraError, match="needs velocities"):
        fx.derive(gallery.example("example-one"), method="kane")
    with pytest.raises(fx.FlexuraError, match="choose one of surrogate, variational"):
        fx.derive(gallery.example("example-one"), method="guess")
