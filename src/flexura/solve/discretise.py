"""Equations discretised by Ritz: matrices where they are linear, a nonlinear system otherwise.

>>> system = fx.discretise(equations, values={"EI": 50.0}, order=8)
>>> motion_system(equations, values).evaluate(t, q, v, u)        # the form an integrator takes, linear or not

`order` is the polynomial degree in each element (3 is Hermite for bending), `elements` how many each line is cut into.
`basis` puts other functions inside the lines: modes, or {"w": ["sin(pi*x/l)", ...]} as text or functions of
(x, derivative). Ends keep their Hermite functions, so what is joined stays joined; from each given function its own end
values are taken off.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import numpy as np
import symengine
from numpy.typing import NDArray

from flexura.derivation.equations.equations import Equations
from flexura.derivation.routes import equations_of
from flexura.discretisation.linear import LinearDiscrete, second_order
from flexura.discretisation.system import nonlinear_system
from flexura.errors import FlexuraError
from flexura.solve.runs.spread import text_along
from flexura.solve.values import numbers
from flexura.symbolic.engine import SPINE, Basic, Symbol, partial
from flexura.symbolic.machine import machine_function
from flexura.symbolic.quantities import text_or_expression
from flexura.systems.nonlinear import InputSlot, NonlinearSystem
from flexura.systems.second_order import SecondOrderSystem

Array = NDArray[np.float64]


def discretise(
    equations: Any,
    values: Mapping[str, Any] | None = None,
    order: int = 8,
    elements: int = 1,
    basis: Any = None,
) -> SecondOrderSystem | NonlinearSystem:
    """Ritz on the energies: an fx.SecondOrderSystem where they are linear, else M(t, q) a = f(t, q, v, u).

    Arguments:
        `equations`: a model or equations; `values`: numbers for parameters without one.
        `order`: the polynomial degree in each element (3 is Hermite); `elements`: how many each member is cut into.
        `basis`: modes, or functions of x, instead of polynomials.
    Returns fx.SecondOrderSystem, with `.M`, `.D`, `.K` (n, n) and `.dofs`, or fx.NonlinearSystem.

    >>> import flexura as fx
    >>> beam = fx.EulerBernoulliBeam("beam", EI=50.0, rho=1.2, length=1.3)
    >>> model = fx.Model(fx.Fixed(fx.ground, beam.start), fx.Force(beam.end, "F"))
    >>> fx.discretise(model, order=4).K.shape
    (3, 3)
    """
    equations = equations_of(equations)
    system = motion_system(equations, values, order, elements, basis)
    settled = system.steady and not system.explicit_time  # a given function of time has no place in matrices
    return linear_matrices(equations, system, values).system if settled else system


def motion_system(
    equations: Equations,
    values: Mapping[str, Any] | None = None,
    order: int | None = None,
    elements: int | None = None,
    basis: Any = None,
) -> NonlinearSystem:
    """The equations ready to be integrated; linear ones too."""
    order, elements = (8 if order is None else order), (1 if elements is None else elements)
    check_mesh(order, elements)
    known = numbers(equations, values)
    functions = None if basis is None else _basis(equations, basis, known)
    return nonlinear_system(equations.lagrangian, known, int(order), int(elements), functions)


def check_mesh(order: int | None, elements: int | None) -> None:
    """Refuse degrees and numbers of elements that are none."""
    for name, one in (("order", order), ("elements", elements)):
        whole = isinstance(one, int | np.integer) and not isinstance(one, bool)
        if one is not None and (not whole or one < 1):
            raise FlexuraError(f"{name} is {one!r}", advice="give a whole number, 1 or more")


def linear_matrices(
    equations: Equations, system: NonlinearSystem, values: Mapping[str, Any] | None = None, kept: Collection[str] = ()
) -> LinearDiscrete:
    """Matrices of a linear system; an input of x is spread as its value says, or uniformly.

    Unknowns that are `kept` do not leave with a condition where another can.
    """
    return second_order(system, shapes_of(equations, values, numbers(equations, values)), kept)


def shapes_of(
    equations: Equations, values: Mapping[str, Any] | None, known: Mapping[str, float]
) -> dict[str, Callable[[InputSlot], Array]]:
    """How inputs of x are spread, where their values say so."""
    given = {name: one for name, one in (values or {}).items() if name in equations.lagrangian.inputs}
    return {name: spread_input(one, name, known) for name, one in given.items() if isinstance(one, str)}


def spread_input(given: str, name: str, known: Mapping[str, float]) -> Callable[[InputSlot], Array]:
    """An input's shape in x as a system asks for it, jumps and all."""
    tree = _tree(given, name, known)
    return lambda slot: text_along(tree, slot, 0.0, 0.0)(0.0)


def _basis(
    equations: Equations, basis: Any, known: Mapping[str, float]
) -> dict[str, list[Callable[[Array, int], Array]]]:
    """Functions of (x, derivative) by field, from modes or from what the user writes."""
    if hasattr(basis, "shape") and hasattr(basis, "eigenvalues"):
        shapes = [basis.shape(k) for k in range(len(basis))]
        return {name: [shape[name] for shape in shapes] for name in equations.fields}
    if not isinstance(basis, Mapping):
        raise FlexuraError(f"basis is {basis!r}", advice="give modes from fx.modes(...), or functions of x by field")
    unknown = [str(name) for name in basis if _name(name) not in equations.fields]
    if unknown:
        raise FlexuraError(
            f"basis gives functions for {', '.join(unknown)}",
            advice=f"the fields are {', '.join(equations.fields) or 'none'}",
        )
    return {
        _name(field): [_function(one, _name(field), known) for one in _several(given)] for field, given in basis.items()
    }


def _name(field: Any) -> str:
    return str(getattr(field, "name", field))


def _several(given: Any) -> Sequence[Any]:
    return list(given) if isinstance(given, list | tuple) else [given]


def _function(given: Any, field: str, known: Mapping[str, float]) -> Callable[[Array, int], Array]:
    if not callable(given):
        return function_of_x(given, f"the basis of {field}", known)
    try:
        given(np.zeros(1), 1)
    except TypeError:
        raise FlexuraError(
            f"A function in the basis of {field} does not take (x, derivative)", advice="write it so, or as text in x"
        ) from None
    function: Callable[[Array, int], Array] = given
    return function


def function_of_x(given: Any, what: str, known: Mapping[str, float]) -> Callable[[Array, int], Array]:
    """Text in x and parameters as a function of (x, derivative)."""
    tree = _tree(given, what, known)

    made: dict[int, Any] = {}

    def evaluate(x: Any, derivative: int = 0) -> Array:
        if derivative not in made:
            f = tree
            for _ in range(derivative):
                f = partial(f, SPINE)
            made[derivative] = machine_function([SPINE], [f], backend="lambda")
        at = np.asarray(x, dtype=np.float64)
        found = made[derivative](at.reshape(-1, 1))
        return np.asarray(found, dtype=np.float64).reshape(at.shape)

    return evaluate


def _tree(given: Any, what: str, known: Mapping[str, float]) -> Basic:
    """Text in x and parameters, with numbers in."""
    tree = text_or_expression(given, what=what, spine=True).engine
    tree = tree.xreplace({Symbol(name): symengine.RealDouble(value) for name, value in known.items()})
    left = sorted(one.name for one in tree.free_symbols if one != SPINE)
    if left:
        raise FlexuraError(
            f"The shape of {what} holds {', '.join(left)}, which has no value",
            advice="write it in x and numbers",
            missing=tuple(left),
        )
    return tree
