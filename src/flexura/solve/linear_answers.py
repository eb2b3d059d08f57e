"""Linear equations with numbers put in, asked for what one output does under one load, exactly, at any frequencies.

>>> answers = LinearAnswers(equations, {"EI": 50.0})
>>> answers(omega, "F", fx.Internal(beam, 0, "moment")).values
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.derivation.equations.equations import Equations
from flexura.derivation.family import linear_at
from flexura.derivation.opened import GAP, Way, opened_linear, prescribed_motions, released_linear
from flexura.errors import FlexuraError, warn
from flexura.solve.answer import Answer
from flexura.solve.exact.asked import HarmonicLoad, Output, SectionOutput
from flexura.solve.exact.kernels import settle
from flexura.solve.exact.lines import LinearSystem
from flexura.solve.exact.reading import Reader
from flexura.solve.exact.response import Amplitudes, respond
from flexura.solve.exact_outputs import LinearOutputs
from flexura.solve.held_response import held_answer
from flexura.solve.named_loads import NamedLoads
from flexura.solve.values import free_motions, numbers
from flexura.symbolic.engine import Symbol
from flexura.symbolic.jets import Jet
from flexura.symbolic.outputs import Internal, Motion, Reaction, Weighted, is_force

Array = NDArray[np.float64]


class LinearAnswers:
    """One set of equations and values; what several questions share is made once."""

    def __init__(self, equations: Equations, values: Mapping[str, Any] | None) -> None:
        self.equations, self.given = equations, dict(values or {})
        self._cases: dict[tuple[str, Reaction | None], _Case] = {}

    @cached_property
    def motions(self) -> tuple[str, ...]:
        """The names of prescribed motions, which may be loads."""
        return prescribed_motions(self.equations)

    def __call__(self, omega: Array, load: Any, output: Any, listed: bool = False) -> Answer:
        """The output per unit of the load; in a list a place must say which field."""
        output, rate = self.still(output)
        name = str(getattr(load, "name", load))
        if self._plain.lagrangian.multiplier_fields:
            answer = held_answer(self._plain, self.given, omega, name, output, listed)
            return _differentiated(answer, omega, rate)
        case = self.case(name if name in self.motions else "", output if isinstance(output, Reaction) else None)
        acting = case.load(name)
        parts, fields, picked = case.output(output, acting.driven is not None)
        if listed and len(fields) > 1:
            raise FlexuraError(
                f"The place {output!r} has {len(fields)} fields, and a list takes one of them at a time",
                advice=f"write ({output!r}, '{fields[0]}'), or another of {', '.join(fields)}",
            )
        found = [self._solved(case, omega, acting, part, load, output) for part in parts]
        values, resonant, doubt = found[0] if len(found) == 1 else _added(found, stacked=len(fields) > 1)
        _refuse_lost(omega, values[:, picked])
        resonances = np.asarray(resonant[:, picked].any(axis=1))
        if isinstance(output, Motion) and not any(map(_moves, parts)):
            warn(f"The {output!r} is zero by construction: nothing in the model moves that way.")
        answer = Answer(values[:, picked], resonances, doubt[:, picked].max(axis=1), fields, is_force(output))
        return _differentiated(answer, omega, rate)

    @cached_property
    def _plain(self) -> Equations:
        """Linear equations as they are given, prescribed motions put in."""
        return self._free("", None)

    def still(self, output: Any) -> tuple[Any, int]:
        """What an output is a rate of, and how often it is differentiated: "q_t" and Motion(place).t."""
        if isinstance(output, Motion):
            return (output.differentiated(-output.rate), output.rate) if output.rate else (output, 0)
        energies = self.equations.lagrangian
        jet = energies.jets.find(Symbol(output)) if isinstance(output, str) else getattr(output, "jet", None)
        if jet is None or not 0 < jet.t <= 2 or jet.name in energies.inputs:
            return output, 0
        return Jet(jet.name, jet.x, 0, jet.end).label, jet.t

    def case(self, motion: str, reaction: Reaction | None = None) -> _Case:
        """The equations with one prescribed motion as a coordinate, or with none; with a connection that gives way."""
        key = (motion, reaction)
        if key not in self._cases:
            self._cases[key] = _Case(self._free(motion, reaction), self.given, key, self.motions)
        return self._cases[key]

    def _free(self, motion: str, reaction: Reaction | None) -> Equations:
        return free_motions(self._linear(motion, reaction), {k: v for k, v in self.given.items() if k != motion})

    def _linear(self, motion: str, reaction: Reaction | None) -> Equations:
        if reaction is not None:
            return released_linear(self.equations, reaction.connection, _way(reaction), self.given, motion)
        return opened_linear(self.equations, motion, self.given) if motion else linear_at(self.equations, self.given)

    def _solved(
        self, case: _Case, omega: Array, acting: HarmonicLoad, part: Output | SectionOutput, load: Any, output: Any
    ) -> Amplitudes:
        found = respond(case.system, omega, acting, part)
        plain = isinstance(part, Output) and part.held is None and acting.driven is None
        if np.all(np.isfinite(found.values)) or not plain:
            return found
        assert isinstance(part, Output)
        return respond(determined(case.system, acting, part, load, output), omega, acting, part)


class _Case:
    """Linear equations read into numbers, and its loads and outputs."""

    def __init__(
        self,
        equations: Equations,
        given: Mapping[str, Any],
        key: tuple[str, Reaction | None],
        motions: tuple[str, ...],
    ) -> None:
        self.equations, (self.motion, reaction) = equations, key
        motion, gaps = self.motion, () if reaction is None else (GAP,)
        known = {name: one for name, one in given.items() if name != motion}
        energies = equations.lagrangian
        self.reader = Reader(energies, numbers(equations, known), kept=(*gaps, *([motion] if motion else [])))
        self.system = self.reader.system()
        self._loads = NamedLoads(self.reader, known, motions)
        self._outputs = LinearOutputs(equations, self.reader, self.system, known)

    def load(self, name: str) -> HarmonicLoad:
        """What a load does per unit."""
        if name == self.motion:
            return self._loads.driven(name, self.system)
        return self._loads.find(name, self.system)

    def held_by(self, name: str) -> frozenset[str]:
        """The names of parameters in what a load does per unit."""
        if name == self.motion:
            return frozenset()
        trees = (f for loads in self._loads.trees(name).values() for f in loads.values())
        return frozenset(symbol.name for f in trees for symbol in f.free_symbols)

    def output(self, output: Any, driven: bool) -> tuple[list[Output | SectionOutput], tuple[str, ...], slice]:
        """Where to look, the fields that are seen there, and which of them were asked for."""
        if isinstance(output, Reaction):
            return [self._outputs.held(GAP)], (), slice(None)
        output = self._outputs.only(output) if self._outputs.is_body(output) else output
        if isinstance(output, Motion | Internal | Weighted):
            return list(self._outputs.parts(output)), (), slice(None)
        return _OtherOutput(self._outputs).read(output, driven)


class _OtherOutput:
    """Outputs by a coordinate's name, an end value, or a place on a member."""

    def __init__(self, outputs: LinearOutputs) -> None:
        self.outputs, self.reader, self.system = outputs, outputs.reader, outputs.system

    def read(self, output: Any, driven: bool) -> tuple[list[Output | SectionOutput], tuple[str, ...], slice]:
        """As `_Case.output`."""
        field = None
        if isinstance(output, tuple) and len(output) == 2:
            output, field = output
        if hasattr(output, "member") and hasattr(output, "position"):
            read, names = self._place(output, driven)
            picked = slice(None) if field is None else _picked(names, field, output.member.name)
            return read, names[picked], picked
        label = str(output.jet.label if hasattr(output, "jet") else getattr(output, "name", output))
        if field is None and (label in self.reader.index or label in self.reader.energies.settled_boundary):
            return [Output(self.reader.row(label)[None])], (), slice(None)
        ends = ", ".join((*self.system.names, *self.reader.energies.boundary))
        raise FlexuraError(
            f"There is no output {output!s}",
            advice=f"give a coordinate or an end value ({ends}), a place on a member, or fx.Motion(place)",
        )

    def _place(self, place: Any, driven: bool) -> tuple[list[Output | SectionOutput], tuple[str, ...]]:
        name = place.member.name
        which, x = self.outputs.place(name, self.outputs.position(name, place.position))
        line = self.system.lines[which]
        segments = [one for one in self.system.lines if one.name in self.reader.energies.members[name]]
        cut = f"_{segments.index(line) + 1}" if len(segments) > 1 else ""  # what a field is called on a segment of it
        names = tuple(one.removesuffix(cut) for one in line.fields)
        slack = 1e-9 * (line.end - line.start)
        values = np.cumsum([0, *line.orders[:-1]])
        if 0 not in line.orders and abs(x - line.start) <= slack:
            return [Output(line.ends[values])], names
        if 0 not in line.orders and abs(x - line.end) <= slack:
            return [Output(line.ends[line.end_values + values])], names
        if driven:
            return [self.outputs.field(which, x, k) for k in range(len(names))], names
        return [Output(np.zeros((0, len(self.system.names))), (which, x))], names


def _differentiated(answer: Answer, omega: Array, rate: int) -> Answer:
    if not rate:
        return answer
    return replace(answer, values=answer.times(np.asarray((1j * omega) ** rate, dtype=np.complex128)))


def _moves(part: Output | SectionOutput) -> bool:
    """Whether an output sees anything."""
    return (
        isinstance(part, SectionOutput) or part.inside is not None or part.held is not None or bool(np.any(part.rows))
    )


def _way(reaction: Reaction) -> Way:
    """Along or about which axis a reaction is asked for."""
    if reaction.along is not None:
        return "along", reaction.along
    if reaction.about is not None:
        return "about", reaction.about
    raise FlexuraError(
        f"The {reaction!r} is a vector, and linear answers take one component at a time",
        advice="say which: along='y', or about='z' for a moment",
    )


def _picked(names: tuple[str, ...], field: Any, member: str) -> slice:
    """The column of one field of a member."""
    wanted = str(getattr(field, "name", field))
    if wanted not in names:
        raise FlexuraError(f"{member} has no field {wanted!r}", advice=f"it has {', '.join(names)}")
    return slice(names.index(wanted), names.index(wanted) + 1)


def _added(found: list[Amplitudes], stacked: bool) -> Amplitudes:
    """Parts of one output added up, or fields side by side."""
    if stacked:
        return Amplitudes(*(np.concatenate(columns, axis=1) for columns in zip(*found, strict=True)))
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        total = np.asarray(sum(one.values for one in found))
        resonant = np.any([one.resonant for one in found], axis=0)
        moved = sum(np.where(one.values == 0, 0.0, one.doubt * np.abs(one.values)) for one in found)
        largest = np.max([np.abs(one.values) for one in found], axis=0)
        doubt = np.where(resonant | (largest == 0), 0.0, moved / np.maximum(np.abs(total), 1e-6 * largest))
    return Amplitudes(np.where(resonant, np.inf, total), resonant, doubt)


def _refuse_lost(omega: Array, values: NDArray[np.complex128]) -> None:
    lost = omega[np.isnan(values).any(axis=1)]
    if lost.size:
        raise FlexuraError(
            f"The response at omega = {lost[0]:.9g} rad/s has no value, because the load or the output belongs to a"
            " motion that nothing resists there",
            advice="ask for another frequency, load or output",
        )


def determined(system: LinearSystem, acting: HarmonicLoad, read: Output, load: str, output: Any) -> LinearSystem:
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
