"""Influence coefficients by unit loads, against the inverse, statics by hand and energy."""

import numpy as np
import pytest
import sympy as sp

import flexura as fx
from flexura.solve.equilibrium import equilibrium
from flexura.solve.flexibility import flexibility
from flexura.solve.matrices import matrices

k1, k2, k3 = sp.symbols("k1 k2 k3")


def chain(grounded: bool = True) -> fx.Equations:
    a, b, c = (fx.Coordinate(name) for name in ("a", "b", "c"))
    potential = "k2*(b - a)**2/2 + k3*(c - b)**2/2" + (" + k1*a**2/2" if grounded else "")
    work = {q: fx.Input(f"F{q.name}") for q in (a, b, c)}
    return fx.derive(fx.Lagrangian(kinetic="m*(a_t**2 + b_t**2 + c_t**2)/2", potential=potential, work=work))


def test_a_chain_of_springs_by_hand() -> None:
    """Springs in series: a load reaches every spring between it and the ground."""
    found = flexibility(chain())
    s1, s2, s3 = 1 / k1, 1 / k1 + 1 / k2, 1 / k1 + 1 / k2 + 1 / k3
    expected = sp.Matrix([[s1, s1, s1], [s1, s2, s2], [s1, s2, s3]])
    assert sp.simplify(found.A - expected) == sp.zeros(3, 3)
    assert "unit load on c moves a by 1/k1" in str(found).splitlines()
    assert sp.simplify(found.A * matrices(chain()).K) == sp.eye(3)


def test_numbers_agree_with_the_inverse_and_with_equilibria_under_unit_loads() -> None:
    values = {"k1": 3.0, "k2": 5.0, "k3": 0.7, "m": 1.0}
    A = flexibility(chain()).numbers(values)
    assert np.allclose(A, np.linalg.inv(matrices(chain()).numbers(values).K), rtol=1e-13)
    for j, name in enumerate("abc"):
        rest = equilibrium(chain(), values={**values, f"F{name}": 1})
        assert np.allclose([rest[one] for one in "abc"], A[:, j], rtol=1e-12)


def test_with_values_the_text_holds_numbers() -> None:
    found = flexibility(chain(), values={"k1": 2, "k2": 4, "k3": 8, "m": 1})
    assert "unit load on c moves c by 0.875" in str(found)
    assert found.A[2, 2] == sp.Rational(7, 8)
    with pytest.raises(fx.FlexuraError, match="No value is known for k2, k3, m"):
        flexibility(chain(), values={"k1": 2})


def test_a_free_system_names_its_free_motion() -> None:
    with pytest.raises(fx.FlexuraError, match="moves freely in a by 1 and b by 1 and c by 1; hold that motion"):
        flexibility(chain(grounded=False))


def test_a_geared_system_names_its_free_motion_in_its_own_ratio() -> None:
    a, b = fx.Coordinate("a"), fx.Coordinate("b")
    geared = fx.Lagrangian(kinetic="J*(a_t**2 + b_t**2)/2", potential="k*(r*a - s*b)**2/2", work={a: 0, b: 0})
    with pytest.raises(fx.FlexuraError, match=r"a by s/r and b by 1"):
        flexibility(fx.derive(geared))
