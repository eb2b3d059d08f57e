"""What the unknowns are: scalars (coordinates, free end values), then amplitudes; fields as combinations of them.

The whole vector is (prescribed, coordinates, free end values, amplitudes): the first three are `scalars`, each a symbol
of the energies, and everything after the prescribed ones is unknown. An end value given as B(q, t) that is not linear
in the scalars is carried by a lift: w = (functions) + B(q, t) h(x), h a Hermite polynomial over the whole spine.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import symengine
from numpy.typing import NDArray

from flexura.discretisation.mesh import FieldFunctions, Mesh, assumed
from flexura.energy.lagrangian import Lagrangian, Spine
from flexura.errors import FlexuraError
from flexura.symbolic.engine import SPINE, ZERO, Basic, Symbol, partial
from flexura.symbolic.jets import Jet
from flexura.symbolic.values import real_value
from flexura.systems.signals.breaks import breaks_along

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Lift:
    """A given end value that is not linear in the scalars: `value` (of scalars and t) times `shape` (of x)."""

    value: Basic
    shape: Basic


@dataclass(frozen=True, eq=False)
class FieldSpan:
    """A field: its functions of x, each of which is a row over the whole vector, and its lifts."""

    name: str
    functions: FieldFunctions
    rows: Array  # (2 ends + amplitudes, whole vector)
    lifts: tuple[Lift, ...] = ()

    def table(self, x: Array, derivative: int) -> Array:
        """(points, whole vector)."""
        return self.functions.table(x, derivative) @ self.rows


@dataclass(frozen=True, eq=False)
class Numbers:
    """Numbers put into the trees of one Lagrangian."""

    energies: Lagrangian
    known: Mapping[Symbol, Basic]

    @classmethod
    def of(cls, energies: Lagrangian, numbers: Mapping[str, float]) -> Numbers:
        """From a number for every parameter, and for inputs that are steady."""
        known: dict[Symbol, Basic] = {Symbol(name): symengine.RealDouble(value) for name, value in numbers.items()}
        for name in energies.inputs:
            if name in numbers:
                known |= {Jet(name, x=i, t=j).symbol: ZERO for i in range(3) for j in range(3) if i + j}
        return cls(energies, known)

    def tree(self, f: Basic) -> Basic:
        """With given end values and numbers put in."""
        return self.energies.settled(f).xreplace(self.known)

    def number(self, f: Basic, what: str) -> float:
        """A tree without unknowns."""
        f = f.xreplace(self.known)
        if f.free_symbols:
            names = ", ".join(sorted(one.name for one in f.free_symbols))
            raise FlexuraError(f"{what} still holds {names}", advice="give it a number in values")
        found = real_value(f)
        if not np.isfinite(found):
            raise FlexuraError(f"{what} has no real value with these numbers", advice="check them")
        return found


@dataclass(frozen=True, eq=False)
class Unknowns:
    """The unknowns of a discretised system."""

    energies: Lagrangian
    numbers: Numbers
    order: int
    elements: int
    basis: Mapping[str, Any] = field(default_factory=dict)

    def __reduce__(self) -> tuple[Any, ...]:
        return Unknowns, (self.energies, self.numbers, self.order, self.elements, self.basis)

    @cached_property
    def scalars(self) -> tuple[Jet, ...]:
        """Prescribed coordinates, coordinates, free end values."""
        energies = self.energies
        return (*(Jet(name) for name in (*energies.prescribed, *energies.coordinates)), *energies.free)

    @property
    def prescribed(self) -> int:
        """How many of them are prescribed."""
        return len(self.energies.prescribed)

    @cached_property
    def index(self) -> dict[str, int]:
        """Where a scalar stands, by its label."""
        return {jet.label: i for i, jet in enumerate(self.scalars)}

    @cached_property
    def meshes(self) -> dict[str, Mesh]:
        """Each spine cut into elements."""
        return {spine.name: self._mesh(spine) for spine in self.energies.spines}

    def _mesh(self, spine: Spine) -> Mesh:
        what = f"The length of {spine.name}"
        start, end = (self.numbers.number(place, what) for place in (spine.start, spine.end))
        if not end > start:
            raise FlexuraError(
                f"The line of {spine.name} runs from {start:g} to {end:g}", advice="give it a positive length"
            )
        energies = self.energies
        trees = [energies.density.get(spine.name, ZERO), energies.dissipation_density.get(spine.name, ZERO)]
        trees += energies.work_density.get(spine.name, {}).values()
        breaks = breaks_along([self.numbers.tree(f) for f in trees], start, end)
        return Mesh(start, end, self.elements, self.order, breaks)

    def moving(self, spine: Spine) -> tuple[str, ...]:
        """The fields of a spine that are spanned by functions; the others are multipliers of conditions along it."""
        return tuple(name for name in spine.fields if name not in self.energies.multiplier_fields)

    @cached_property
    def functions(self) -> dict[str, FieldFunctions]:
        """Of every field."""
        found: dict[str, FieldFunctions] = {}
        for spine in self.energies.spines:
            mesh = self.meshes[spine.name]
            for name in self.moving(spine):
                ends = self.energies.orders[name]
                given = self.basis.get(name)
                less = int(name in self._followers)
                found[name] = mesh.functions(ends, name, less) if given is None else assumed(mesh, ends, given)
        return found

    @cached_property
    def _followers(self) -> set[str]:
        """Fields without inertia that conditions along their spine tie to slopes of others, like a section's angle.

        They are of one degree less: so are those slopes, and what is held at as many points leaves nothing loose.
        """
        energies = self.energies
        held = (jet for name in energies.multiplier_fields for jet in energies.jets.unknowns(energies.condition(name)))
        tied = {jet.name for jet in held if not jet.x and not jet.end}
        moving = {jet.name for f in energies.density.values() for jet in energies.jets.unknowns(f) if jet.t}
        return {name for name in tied - moving if energies.orders.get(name) == 1}

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Of the whole vector: scalars, then amplitudes w[0], w[1], ..."""
        amplitudes = [f"{name}[{i}]" for name, f in self.functions.items() for i in range(f.amplitudes)]
        return (*(jet.label for jet in self.scalars), *amplitudes)

    @property
    def size(self) -> int:
        """The length of the whole vector."""
        return len(self.names)

    @cached_property
    def fields(self) -> dict[str, FieldSpan]:
        """Every field as a combination of the whole vector."""
        found, first = {}, len(self.scalars)
        for name, functions in self.functions.items():
            rows = np.zeros((2 * functions.ends + functions.amplitudes, self.size))
            lifts: list[Lift] = []
            for i in range(2 * functions.ends):
                end, x = "ab"[i // functions.ends], i % functions.ends
                rows[i], left = self._end(Jet(name, x=x, end=end).label)
                if left != 0:
                    lifts.append(Lift(left, self._shape(name, functions.ends, i)))
            rows[2 * functions.ends :, first : first + functions.amplitudes] = np.eye(functions.amplitudes)
            found[name] = FieldSpan(name, functions, rows, tuple(lifts))
            first += functions.amplitudes
        return found

    def _end(self, label: str) -> tuple[Array, Basic]:
        """An end value: a row over the scalars, and what is not linear in them or depends on t."""
        row = np.zeros(self.size)
        if label in self.index:
            row[self.index[label]] = 1.0
            return row, ZERO
        value = self.numbers.tree(self.energies.settled_boundary[label])
        left = value
        for jet in self.energies.jets.unknowns(value):
            slope = partial(value, jet.symbol).expand()
            if slope.free_symbols:
                return np.zeros(self.size), value
            row[self.index[jet.label]] = self.numbers.number(slope, f"The boundary value {label}")
            left -= slope * jet.symbol
        left = left.expand()
        if not left.free_symbols and abs(self.numbers.number(left, f"The boundary value {label}")) < 1e-300:
            left = ZERO
        return row, left

    def _shape(self, name: str, ends: int, which: int) -> Basic:
        """The Hermite polynomial over the whole spine that has this one end value and no other."""
        mesh = self.meshes[self.energies.spine_of(name).name]
        l = symengine.RealDouble(mesh.end - mesh.start)
        s = (SPINE - symengine.RealDouble(mesh.start)) / l
        if ends == 1:
            return (1 - s, s)[which]
        return (1 - 3 * s**2 + 2 * s**3, l * (s - 2 * s**2 + s**3), 3 * s**2 - 2 * s**3, l * (s**3 - s**2))[which]

    def lifted(self, f: Basic) -> Basic:
        """A density with the lifts of its fields put in."""
        replaced: dict[Symbol, Basic] = {}
        for jet in self.energies.jets.unknowns(f):
            if jet.end or jet.name not in self.fields:
                continue
            for lift in self.fields[jet.name].lifts:
                value, shape = lift.value, lift.shape
                for _ in range(jet.t):
                    value = self.energies.jets.D_t(value)
                for _ in range(jet.x):
                    shape = partial(shape, SPINE)
                replaced[jet.symbol] = replaced.get(jet.symbol, jet.symbol) + value * shape
        return f.xreplace(replaced) if replaced else f

    def inputs(self, f: Basic) -> list[Jet]:
        """The inputs in a tree, and their derivatives; one that depends on nothing is a plain symbol."""
        known = self.energies.inputs
        plain = [Jet(name) for name, of in known.items() if not of and Symbol(name) in f.free_symbols]
        return [jet for jet in self.energies.jets.inside(f) if jet.name in known] + plain

    def quiet(self, f: Basic) -> Basic:
        """With inputs at zero."""
        off = {jet.symbol: ZERO for jet in self.inputs(f)}
        return f.xreplace(off) if off else f

    def symbols(self, t: int) -> list[Symbol]:
        """The scalars, their rates (t=1) or accelerations (t=2), as symbols."""
        return [replace(jet, t=t).symbol for jet in self.scalars]
