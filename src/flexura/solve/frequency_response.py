"""Frequency responses of linear equations, exact at every frequency.

>>> fx.frequency_response(equations, omega, load="F", output=beam.at(0.5), values={"EI": 50.0})
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import singledispatch
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.arguments import Numbers, checked
from flexura.derivation.equations.equations import Equations
from flexura.derivation.family import linear_at
from flexura.derivation.routes import can_be_derived, equations_of
from flexura.energy.lagrangian import Lagrangian
from flexura.errors import FlexuraError, warn
from flexura.solve.exact.kernels import settle
from flexura.solve.exact.lines import LinearSystem
from flexura.solve.exact.reading import Reader
from flexura.solve.exact.response import HarmonicLineLoad, HarmonicLoad, Output, respond
from flexura.solve.matrix_response import matrix_response
from flexura.solve.response import Response, read_frequencies
from flexura.solve.runs.spread import load_cuts
from flexura.solve.values import numbers, real
from flexura.symbolic.engine import ONE, SPINE, ZERO, Basic, Symbol, exact, partial
from flexura.symbolic.expression import ParameterDeclaration
from flexura.symbolic.quantities import text_or_expression
from flexura.systems.second_order import SecondOrderSystem, refuse_for_matrices
from flexura.systems.signals.sampled import sampled

_KINDS = {"receptance": 0, "mobility": 1, "accelerance": 2}
_DOUBT = 1e-7  # of a response, from which on what rounding may change is said
_TOGETHER = 48  # nearly straight pieces of a load that a stretch of a line follows to the last digits


def frequency_response(
    equations: Any,
    omega: Numbers,
    load: Any,
    output: Any,
    values: Mapping[str, Any] | None = None,
    kind: str = "receptance",
) -> Any:
    """X of x = Re(X e^{i omega t}) per unit amplitude of the load, as a complex array over omega in rad/s.

    `load`: a load's or input's name, or a coordinate's (a unit generalized force on it). A distributed "f" is uniform;
    "f(x)" needs values={"f": "expression in x"}. `output`: a coordinate's name, an end value ("w@b", w.at("l")), or a
    place (`beam.at(0.5)`), which gives all fields of the member there, in one more axis if there are several;
    `(place, "phi")` picks one. Of matrices, load and output are vectors, or names of inputs, outputs and dofs.
    "mobility" and "accelerance" are rates and accelerations. On an undamped resonance: inf, and a warning.

    >>> fx.frequency_response(equations, omega, load="F", output=beam.at(0.5), kind="mobility")
    """
    return _response_of(equations, omega, load, output, values, kind)


@singledispatch
def _response_of(system: Any, *question: Any) -> Any:
    if can_be_derived(system):
        return _of_equations(equations_of(system), *question)
    from flexura.solve.kinds import matrices_of as matrices  # frames and mechanisms are loaded where they are asked for

    return _response_of(matrices(system, "fx.frequency_response"), *question)


@_response_of.register
def _of_matrices(
    system: SecondOrderSystem,
    omega: Numbers,
    load: Any,
    output: Any,
    values: Mapping[str, Any] | None,
    kind: str,
) -> Any:
    refuse_for_matrices("fx.frequency_response", values=values)
    return checked(matrix_response, "fx.frequency_response of matrices")(system, omega, load, output, kind)


@_response_of.register
def _of_equations(
    equations: Equations,
    omega: Numbers,
    load: Any,
    output: Any,
    values: Mapping[str, Any] | None,
    kind: str,
) -> Response:
    equations = linear_at(equations, values)
    if kind not in _KINDS:
        raise FlexuraError(f"kind is {kind!r}", advice="use 'receptance', 'mobility' or 'accelerance'")
    points = read_frequencies(omega)
    given = dict(values or {})
    known = numbers(equations, given)
    reader = Reader(equations.lagrangian, known)
    system = reader.system()
    acting = _NamedLoads(reader, given).find(str(getattr(load, "name", load)), system)
    read, fields, picked = _output(reader, output, system)
    found, resonant, doubt = (one[:, picked] for one in respond(system, points.ravel(), acting, read))
    if not np.all(np.isfinite(found)):
        system = _determined(system, acting, read, load, output)
        found, resonant, doubt = (one[:, picked] for one in respond(system, points.ravel(), acting, read))
    _warn(points.ravel()[resonant.any(axis=1)])
    _warn_of_doubt(points.ravel(), doubt.max(axis=1, initial=0.0))
    lost = points.ravel()[np.isnan(found).any(axis=1)]
    if lost.size:
        raise FlexuraError(
            f"The response at omega = {lost[0]:.9g} rad/s has no value, because the load or the output belongs to a"
            " motion that nothing resists there",
            advice="ask for another frequency, load or output",
        )
    factor = (1j * points.ravel()[:, None]) ** _KINDS[kind]
    with np.errstate(invalid="ignore"):
        found = np.where(resonant, found, found * factor)
    shape = points.shape if found.shape[1] == 1 else (*points.shape, found.shape[1])
    return Response.of(found.reshape(shape), points, load, output, kind, fields)


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


def _determined(system: LinearSystem, acting: HarmonicLoad, read: Output, load: str, output: Any) -> LinearSystem:
    """The system without idle motions; refuses a load on one of them, and one as an output."""
    settled = settle(system)
    idle = settled.dropped / np.maximum(np.abs(settled.dropped).max(axis=0, initial=0.0), 1e-300)
    names = " and ".join(settled.names)
    if np.any(np.abs(acting.forces @ idle) > 1e-9 * np.abs(acting.forces).max(initial=0.0)):
        raise FlexuraError(
            f"The load {load} moves {names}, which has no inertia, no stiffness and no damping, so nothing resists it",
            advice="give it one of them, or load another place",
        )
    if np.any(np.abs(read.rows @ idle) > 1e-9):
        raise FlexuraError(
            f"The output {output!s} depends on {names}, which has no inertia, no stiffness and no damping, so that"
            " it has no value",
            advice="give it one of them, or ask for another output",
        )
    return settled.system


class _NamedLoads:
    """What a load does, by its name."""

    def __init__(self, reader: Reader, given: Mapping[str, Any]) -> None:
        self.reader, self.energies, self.given = reader, reader.energies, given

    def find(self, name: str, system: LinearSystem) -> HarmonicLoad:
        energies = self.energies
        if name in energies.loads:
            parts = self._shaped(energies.loads[name], name)
        elif name in energies.inputs:
            parts = self._of_input(name)
        elif name in energies.coordinates:
            parts = {"": {name: ONE}}
        else:
            names = dict.fromkeys((*energies.loads, *energies.inputs, *energies.coordinates))
            raise FlexuraError(
                f"There is no load {name!r}", advice=f"loads and coordinates are {', '.join(names) or 'none'}"
            )
        return self._numbers(parts, name, system)

    def _of_input(self, name: str) -> dict[str, dict[str, Basic]]:
        symbol, trees = Symbol(name), {"": self.energies.work, **self.energies.work_density}
        parts = {
            spine: {target: partial(f, symbol) for target, f in loads.items() if symbol in f.free_symbols}
            for spine, loads in trees.items()
        }
        return self._shaped({spine: loads for spine, loads in parts.items() if loads}, name)

    def _shaped(self, parts: Mapping[str, Mapping[str, Basic]], name: str) -> dict[str, dict[str, Basic]]:
        return {
            spine: {target: f * self._shape(name, spine, target) for target, f in loads.items()}
            for spine, loads in parts.items()
        }

    def _shape(self, name: str, spine: str, target: str) -> Basic:
        """How an input of x is spread along the line."""
        load = self.energies.work_density.get(spine, {}).get(target, ZERO)
        names = [name] if name in self.energies.inputs else [one.name for one in load.free_symbols]
        for one in names:
            if "x" not in self.energies.inputs.get(one, ()) or not spine:
                continue
            if one not in self.given:
                raise FlexuraError(
                    f"The load {one}(x) needs its shape",
                    advice=f"give values={{'{one}': 'expression in x'}}",
                    missing=(one,),
                )
            return text_or_expression(self.given[one], what=f"the value of {one}", spine=True).engine
        return ONE

    def _still(self, f: Basic, name: str) -> Basic:
        """What a load does per unit in the state the equations are about: the small motion times a small load is left.

        A load that has a value is not small, and moves that state.
        """
        moving = self.reader.jets.unknowns(f)
        if moving and name in self.reader.energies.inputs and name in self.given:
            raise FlexuraError(
                f"The load {name} has a value here and acts through {', '.join(one.label for one in moving)}, so it"
                " moves the state that the equations are about",
                advice=(
                    "leave its value out, or put it in with fx.linearise(equations, about=fx.equilibrium(equations,"
                    " values), values=values)"
                ),
            )
        return f.xreplace({one.symbol: ZERO for one in moving})

    def _numbers(self, parts: Mapping[str, Mapping[str, Basic]], name: str, system: LinearSystem) -> HarmonicLoad:
        forces, lines = np.zeros(len(system.names)), []
        where = f"the load {name}"
        for spine, loads in parts.items():
            for target, f in loads.items():
                f = self._still(f, name)
                if not spine:
                    forces += self.reader.number(f, where) * self.reader.row(target)
                    continue
                which = next(i for i, line in enumerate(system.lines) if line.name == spine)
                fields = system.lines[which].fields
                slot = (fields.index(target), 0) if target in fields else (-1, self.reader.index[target])
                tree = f.xreplace(self.reader.known)
                if SPINE in tree.free_symbols:
                    ends = np.array([system.lines[which].start, system.lines[which].end])
                    cuts = tuple(load_cuts(tree, ends, together=_TOGETHER))
                    lines.append(HarmonicLineLoad(which, slot, sampled(tree, where), cuts))
                else:
                    lines.append(HarmonicLineLoad(which, slot, self.reader.number(tree, where)))
        return HarmonicLoad(forces, tuple(lines))


def _output(reader: Reader, output: Any, system: LinearSystem) -> tuple[Output, tuple[str, ...], slice]:
    """Where to look, the fields that are seen there, and which of them were asked for."""
    energies, field = reader.energies, None
    if isinstance(output, tuple) and len(output) == 2:
        output, field = output
    if hasattr(output, "member") and hasattr(output, "position"):
        read, names = _place(reader, output, system)
        picked = slice(None) if field is None else _picked(names, field, output.member.name)
        return read, names[picked], picked
    label = str(output.jet.label if hasattr(output, "jet") else getattr(output, "name", output))
    if field is None and (label in reader.index or label in energies.settled_boundary):
        return Output(reader.row(label)[None]), (), slice(None)
    ends = ", ".join((*system.names, *energies.boundary))
    raise FlexuraError(
        f"There is no output {output!s}", advice=f"give a coordinate or an end value ({ends}), or a place on a member"
    )


def _place(reader: Reader, place: Any, system: LinearSystem) -> tuple[Output, tuple[str, ...]]:
    energies: Lagrangian = reader.energies
    name = place.member.name
    if name not in energies.members:
        known = ", ".join(energies.members) or "no members"
        raise FlexuraError(f"The output lies on {name}, which the equations do not hold", advice=f"they hold {known}")
    x = _position(reader, place)
    lines = [i for i, line in enumerate(system.lines) if line.name in energies.members[name]]
    for segment, i in enumerate(lines, start=1):
        line = system.lines[i]
        cut = f"_{segment}" if len(lines) > 1 else ""  # what a field of the member is called on a segment of it
        names = tuple(one.removesuffix(cut) for one in line.fields)
        slack = 1e-9 * (line.end - line.start)
        values = np.cumsum([0, *line.orders[:-1]])
        if 0 not in line.orders and abs(x - line.start) <= slack:
            return Output(line.ends[values]), names
        if 0 not in line.orders and abs(x - line.end) <= slack:
            return Output(line.ends[line.end_values + values]), names
        if line.start - slack <= x <= line.end + slack:
            return Output(np.zeros((0, len(system.names))), (i, min(max(x, line.start), line.end))), names
    first, last = system.lines[lines[0]].start, system.lines[lines[-1]].end
    raise FlexuraError(f"The place x = {x:g} is not on {name}, which runs from {first:g} to {last:g}.")


def _picked(names: tuple[str, ...], field: Any, member: str) -> slice:
    """The column of one field of a member."""
    wanted = str(getattr(field, "name", field))
    if wanted not in names:
        raise FlexuraError(f"{member} has no field {wanted!r}", advice=f"it has {', '.join(names)}")
    return slice(names.index(wanted), names.index(wanted) + 1)


def _position(reader: Reader, place: Any) -> float:
    position = text_or_expression(place.position, what="the place")
    known = [one for one in position.declarations if isinstance(one, ParameterDeclaration)]
    carried = {Symbol(one.name): exact(one.value) for one in known if one.value is not None}
    return real(position.engine.xreplace({**carried, **reader.known}), f"The place on {place.member.name}")
