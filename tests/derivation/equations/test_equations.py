"""Equations as data: JSON, values, matrices, order."""

import pytest
from hypothesis import given, settings

import flexura as fx
from flexura import gallery
from random_systems import systems


@pytest.mark.parametrize("name", gallery.EXAMPLES)
@pytest.mark.parametrize("method", ["surrogate", "variational"])
def test_json_and_back_without_loss(name: str, method: str) -> None:
    equations = fx.derive(gallery.example(name), method=method)
    text = equations.to_json()
    back = fx.Equations.from_json(text)
    assert back.derived == equations.derived
    assert back.rows == equations.rows
    assert back.to_json() == text
    assert [step.content for step in back.steps] == [step.content for step in equations.steps]
    assert str(back) == str(equations)
    assert fx.verify(back)


@given(systems())
@settings(max_examples=25)
def test_random_systems_survive_json(lagrangian: fx.Lagrangian) -> None:
    equations = fx.derive(lagrangian)
    back = fx.Equations.from_json(equations.to_json())
    assert back.derived == equations.derived
    assert fx.equivalent(back, equations)


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"format": "flexura equations 9"}'])
def test_other_documents_are_refused(text: str) -> None:
    with pytest.raises(fx.FlexuraError):
        fx.Equations.from_json(text)


def test_the_mass_matrix_is_for_systems_without_fields() -> None:
    with pytest.raises(fx.FlexuraError, match=r"has w; read \.ordinary"):
        _ = fx.derive(gallery.example("cantilever")).mass_matrix


def test_mass_matrix_and_forcing_rebuild_the_rows() -> None:
    import sympy as sp

    equations = fx.derive(gallery.pendulum(3))
    t = sp.Symbol("t")
    accelerations = sp.Matrix([sp.Function(name)(t).diff(t, 2) for name in equations.coordinates])
    rows = sp.Matrix([one.lhs - one.rhs for one in equations.ordinary.values()])
    assert (equations.mass_matrix * accelerations - equations.forcing - rows).expand() == sp.zeros(3, 1)


def test_printing_is_the_same_every_time() -> None:
    first, second = (str(fx.derive(gallery.example("rotating-arm"))) for _ in range(2))
    assert first == second


def test_signs_are_normalised() -> None:
    """Natural conditions lead with a positive term; loads without unknowns stand on the right."""
    for row in fx.derive(gallery.example("cantilever")).rows:
        for term in row.left.local.args if row.left.local.args else ():
            assert not str(term).startswith("-"), row
