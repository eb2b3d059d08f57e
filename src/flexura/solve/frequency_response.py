"""Frequency responses of linear equations, exact at every frequency.

>>> fx.frequency_response(equations, omega, load="F", output=beam.at(0.5), values={"EI": 50.0})
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import singledispatch
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.arguments import Measured, checked
from flexura.derivation.equations.equations import Equations
from flexura.derivation.routes import can_be_derived, small_equations_of
from flexura.errors import FlexuraError, warn
from flexura.solve.linear_answers import LinearAnswers
from flexura.solve.matrix_response import matrix_response
from flexura.solve.own_frequencies import own_frequencies
from flexura.solve.response import Response, read_frequencies
from flexura.solve.units import ratio_columns
from flexura.systems.second_order import SecondOrderSystem, refuse_for_matrices

KINDS = {"receptance": 0, "mobility": 1, "accelerance": 2}
"""How often each kind differentiates a motion."""
_DOUBT = 1e-7  # of a response, from which on what rounding may change is said


def frequency_response(
    equations: Any,
    omega: Measured | None = None,
    load: Any = None,
    output: Any = None,
    values: Mapping[str, Any] | None = None,
    kind: str = "receptance",
) -> Any:
    """X of x = Re(X e^{i omega t}) per unit amplitude of the load, exact at every frequency.

    Arguments:
        `equations`: a model, linear equations, or matrices.
        `omega`: frequencies in rad/s, (n,); without them they are chosen about the lowest resonances, as dense as
            these are sharp, and `.omega` tells them.
        `load`: a load's or input's name, a coordinate's (a unit generalized force on it), or that of a prescribed
            motion. A distributed "f" is uniform; "f(x)" needs values={"f": "expression in x"}.
        `output`: fx.Motion, fx.Reaction, fx.Internal, a coordinate's name, an end value ("w@b", w.at("l")), or a place
            (`beam.at(0.5)`), which gives all fields of the member there; `(place, "phi")` picks one.
        `values`: numbers for parameters without one.
        `kind`: "receptance", "mobility" or "accelerance": motions, their rates or accelerations; forces stay what they
            are.
    Returns a complex array (n,), with lists of outputs and loads (n, outputs, loads); a place with several fields adds
    an axis. Of matrices, load and output are vectors, or names of inputs, outputs and dofs. On an undamped resonance:
    inf, and a warning.

    >>> import flexura as fx
    >>> beam = fx.EulerBernoulliBeam("beam", EI=50.0, rho=1.2, length=1.3)
    >>> model = fx.Model(fx.Fixed(fx.ground, beam.start), fx.Force(beam.end, "F"))
    >>> response = fx.frequency_response(model, [0.001, 10.0], "F", beam.end)
    >>> bool(abs(response[0] - 1.3**3 / (3 * 50.0)) < 1e-8)
    True
    """
    for one, what in ((load, "load"), (output, "output")):
        if one is None:
            raise FlexuraError(f"The frequency response needs a{'n' * (what[0] == 'o')} {what}", advice=f"give {what}=")
    omega = own_frequencies(equations, values) if omega is None else omega
    return _response_of(equations, omega, load, output, values, kind)


@singledispatch
def _response_of(system: Any, *question: Any) -> Any:
    if can_be_derived(system):
        return _of_equations(small_equations_of(system), *question)
    from flexura.solve.kinds import matrices_of as matrices  # frames and mechanisms are loaded where they are asked for

    return _response_of(matrices(system, "fx.frequency_response"), *question)


@_response_of.register
def _of_matrices(
    system: SecondOrderSystem,
    omega: Measured,
    load: Any,
    output: Any,
    values: Mapping[str, Any] | None,
    kind: str,
) -> Response:
    refuse_for_matrices("fx.frequency_response", values=values)
    respond = checked(matrix_response, "fx.frequency_response of matrices")
    loads, outputs = _vectors(system, load), _vectors(system, output)
    rows = output if outputs is None else np.array(outputs)
    columns = [respond(system, omega, column, rows, kind) for column in ([load] if loads is None else loads)]
    made = Response.of(columns[0] if loads is None else np.stack(columns, axis=-1), omega, load, output, kind)
    errors = [column.error for column in columns if isinstance(column, Response) and column.error is not None]
    made.error = np.max(errors, axis=0) if errors else None
    return made


@_response_of.register
def _of_equations(
    equations: Equations,
    omega: Measured,
    load: Any,
    output: Any,
    values: Mapping[str, Any] | None,
    kind: str,
) -> Response:
    if kind not in KINDS:
        raise FlexuraError(f"kind is {kind!r}", advice="use 'receptance', 'mobility' or 'accelerance'")
    points = read_frequencies(omega)
    loads, outputs = _listed(load, "load"), _listed(output, "output")
    answers = LinearAnswers(equations, values)
    columns = [[answers(points.ravel(), one, seen, _several(output)) for seen in outputs] for one in loads]
    _warn(points.ravel()[np.any([one.resonant for row in columns for one in row], axis=0)])
    _warn_of_doubt(points.ravel(), np.max([one.doubt for row in columns for one in row], axis=0, initial=0.0))
    factor = (1j * points.ravel()) ** KINDS[kind]
    table = np.array([[one.times(factor).T for one in row] for row in columns])  # (load, output, field, frequency)
    fields = columns[0][0].fields if not _several(output) else ()
    table = table[:, :, 0] if _several(output) or len(fields) < 2 else table[:, 0]
    found = np.moveaxis(table, 2, 0).swapaxes(1, 2).reshape(*points.shape, table.shape[1], table.shape[0])
    found = found if _several(load) else found[..., 0]
    single = not _several(output) and len(fields) < 2
    found = np.take(found, 0, axis=points.ndim) if single else found
    labels = ratio_columns(equations, output, load, KINDS[kind], fields)
    return Response.of(found, points, load, output, kind, fields, labels)


def _vectors(system: SecondOrderSystem, given: Any) -> list[Any] | None:
    """Several loads or outputs of matrices: (n, k) is k of them; None for one. Rows of n are taken, too."""
    if isinstance(given, str) or given is None:
        return None
    if isinstance(given, list | tuple) and given and all(isinstance(one, str) for one in given):
        return [_unit(system, one) for one in given]
    table = np.asarray(given)
    if table.ndim != 2:
        return None
    lengths = {system.n, system.n if system.basis is None else len(system.basis)}
    return list(table.T) if table.shape[0] in lengths else list(table)


def _unit(system: SecondOrderSystem, name: str) -> Any:
    """A named dof as a vector; other names are left to the answer to judge."""
    return np.eye(1, system.n, system.names.index(name))[0] if name in system.names else name


def _listed(given: Any, what: str) -> list[Any]:
    if not _several(given):
        return [given]
    if not given:
        raise FlexuraError(f"The list of {what}s is empty", advice=f"give at least one {what}")
    return list(given)


def _several(given: Any) -> bool:
    """A list, or a tuple that is no (place, field)."""
    pair = isinstance(given, tuple) and len(given) == 2 and hasattr(given[0], "member")
    return isinstance(given, list | tuple) and not pair


def _warn(resonances: NDArray[np.float64]) -> None:
    """Say where the response is infinite, and why."""
    if np.any(resonances == 0):
        warn("The response is infinite at omega = 0: the load moves what has no stiffness there.")
    if np.any(resonances):
        at = ", ".join(f"{one:.9g}" for one in resonances[resonances != 0][:5])
        warn(f"The response is infinite: an undamped resonance lies at omega = {at} rad/s.")


def _warn_of_doubt(omega: NDArray[np.float64], doubt: NDArray[np.float64]) -> None:
    """Say where digits were lost, and how many."""
    many = np.flatnonzero(doubt > _DOUBT)
    if not len(many):
        return
    worst = many[np.argmax(doubt[many])]
    where = f"{len(many)} frequencies, most" if len(many) > 1 else "one frequency,"
    warn(
        f"The response has lost digits at {where} at omega = {omega[worst]:.9g} rad/s: rounding may change it by"
        f" {min(doubt[worst], 1.0):.0e} of its size. A resonance is that near, or parts are so stiff beside others that"
        " their sum hides what is soft; put a rigid body or a fixed joint in place of what is nearly rigid."
    )
