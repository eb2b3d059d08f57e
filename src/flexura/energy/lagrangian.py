"""The Lagrangian of a system of rigid and flexible members, as data (theory, section 1).

>>> q, w = Coordinate("q"), Field("w", length="L")
>>> Lagrangian(kinetic="m*q_t**2/2", density={w: w.t**2 / 2 - w.xx**2 / 2}, boundary={w.at(0): q, w.slope(0): 0})
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from flexura.arguments import checked_methods
from flexura.energy.straight import Straight, straight_conditions
from flexura.errors import FlexuraError
from flexura.symbolic.engine import TIME, ZERO, Basic, Symbol, kinks, partial
from flexura.symbolic.expression import ParameterDeclaration
from flexura.symbolic.jets import Jet, Jets
from flexura.symbolic.zero import vanishes

_SCALE = Symbol("$scale")


_SHOWN = 8  # names of unknowns


@dataclass(frozen=True)
class Spine:
    """The line of one member: its ends a (`start`) and b (`end`) and the fields that live on it."""

    name: str
    start: Basic
    end: Basic
    fields: tuple[str, ...]

    def place(self, end: str) -> Basic:
        """Where the end "a" or "b" lies."""
        return self.start if end == "a" else self.end


@dataclass(frozen=True)
class Origin:
    """What linear energies are the small motions of: other energies, about a state, with values put in."""

    energies: Lagrangian
    about: Mapping[str, Any]
    values: Mapping[str, Any]


@checked_methods
@dataclass(frozen=True, init=False)
class Lagrangian:
    """Energies, dissipation, virtual work, boundary values and constraints: all that a derivation reads.

    Keys are names: coordinates (`q`), fields (`w`), values at ends (`w@a`, `w_x@b`); densities belong to spines. A
    model also says which spines a member has (`members`), what each named load does per unit
    (`loads[name][spine][target]`, spine "" for what is not spread), how it tells the first steps (`story`), how its
    parts move (`motion`) and where they are (`geometry`), from which parts it was written (`source`), and which
    controllers give inputs at sample times (`sampled`). Energies of small motions say what they are those of
    (`origin`); those of parts can be written anew with a connection that gives way (`release`), for its reaction, and
    with other angles of bodies that turn freely (`reordered`), which pass where the first are singular.
    `cutting` cuts their parts free, for diagrams.

    `contacts` are forces R_<name> on displacements, by name: the "extent", a direction, and limits or a gap.

    `driving` are curves, by the names of inputs, that give prescribed motions as numbers: (3, ...) with two rates.
    `dropped` names are of parts whose quantities no equation holds: values given for them are of no interest, no error.
    `spare` are conditions of loops, by the names their multipliers would have, that hold whatever moves: left out.

    `per_length` are inputs that are forces per length, whether or not they do work.

    `travelling` are given functions of x and t, each a unit load at a place along x that moves with t.

    `ties` name the axial displacements of members that are fields of their own, with the multiplier fields that tie
    them to bending; nobody but the equations speaks of either. Small motions are those of the energies `small`.

    Coordinates that are first-order `states`, by name with their initial values, have no energy: their generalized
    force is rate - z_t, so that Lagrange's equation of z reads z_t = rate, and along the motion it does no work.
    """

    coordinates: tuple[str, ...]
    spines: tuple[Spine, ...]
    kinetic: Basic
    potential: Basic
    dissipation: Basic
    density: Mapping[str, Basic]
    dissipation_density: Mapping[str, Basic]
    work: Mapping[str, Basic]
    work_density: Mapping[str, Mapping[str, Basic]]
    boundary: Mapping[str, Basic]
    constraints: Mapping[str, Basic]
    prescribed: Mapping[str, Basic]
    parameters: Mapping[str, ParameterDeclaration]
    inputs: Mapping[str, frozenset[str]]
    members: Mapping[str, tuple[str, ...]]
    loads: Mapping[str, Mapping[str, Mapping[str, Basic]]]
    story: Mapping[int, str]
    states: Mapping[str, Basic]
    contacts: Mapping[str, Mapping[str, Basic]]
    travelling: Mapping[str, Basic]
    ties: Mapping[str, str]
    motion: Any = field(compare=False)
    geometry: Any = field(default=None, compare=False)
    source: Any = field(default=None, compare=False)
    sampled: tuple[Any, ...] = field(default=(), compare=False)
    origin: Origin | None = field(default=None, compare=False)
    release: Any = field(default=None, compare=False)
    reordered: Any = field(default=None, compare=False)
    driving: Any = field(default=None, compare=False)
    dropped: tuple[str, ...] = field(default=(), compare=False)
    spare: tuple[str, ...] = field(default=(), compare=False)
    per_length: tuple[str, ...] = field(default=(), compare=False)
    small: Any = field(default=None, compare=False)
    cutting: Any = field(default=None, compare=False)

    def __repr__(self) -> str:
        """Short: energies of long chains, written out, have no end."""
        unknowns = (*self.coordinates, *self.fields)
        more = len(unknowns) - _SHOWN
        return f"<Lagrangian of {', '.join(unknowns[:_SHOWN])}{f' and {more} more' * (more > 0)}>"

    def __init__(
        self,
        kinetic: Any = 0,
        potential: Any = 0,
        density: Any = None,
        dissipation: Any = 0,
        dissipation_density: Any = None,
        work: Mapping[Any, Any] | None = None,
        work_density: Mapping[Any, Any] | None = None,
        boundary: Mapping[Any, Any] | None = None,
        constraints: Iterable[Any] | Mapping[str, Any] = (),
        motion: Any = None,
        prescribed: Mapping[Any, Any] | None = None,
    ) -> None:
        """Read energies as expressions, text or SymPy.

        `density[w]` is the Lagrangian density (kinetic minus potential) of w's spine. `work` gives generalized forces
        on coordinates and ends; `work_density[w]` the force per length on w, or a mapping {w: ..., q: ...} where the
        load moves with coordinates too. A boundary value that is not given is free. `constraints` are expressions that
        vanish, in a list or by the names of their multipliers; one that holds fields along their spine holds at every
        place of it, and its multiplier is a field, too. `prescribed={theta: "Omega*t"}` gives coordinates as
        functions of time, whose rows then tell the reaction that drives them.
        """
        from flexura.energy.reading import read

        written = read(
            kinetic,
            potential,
            density,
            dissipation,
            dissipation_density,
            work,
            work_density,
            boundary,
            constraints,
            prescribed,
        )
        self._fill(motion=motion, **written)

    def changed(self, **parts: Any) -> Lagrangian:
        """The same with other parts; nothing is checked. Its small motions, and other angles, are then its own."""
        mine = {name: getattr(self, name) for name in Lagrangian.__dataclass_fields__}
        return Lagrangian.of_parts(**{**mine, "small": None, "reordered": None, **parts})

    def _fill(self, **parts: Any) -> None:
        for name, value in parts.items():
            object.__setattr__(self, name, value)

    @classmethod
    def of_parts(cls, **parts: Any) -> Lagrangian:
        """Build from the data itself (names and engine trees), as files and models do; nothing is checked."""
        made = object.__new__(cls)
        made._fill(**{"states": {}, "contacts": {}, "travelling": {}, "ties": {}, **parts})
        return made

    @property
    def rigid(self) -> Basic:
        """L_rigid = T - V of what is not spread along a spine."""
        return self.kinetic - self.potential

    @cached_property
    def fields(self) -> tuple[str, ...]:
        """All fields, spine by spine."""
        return tuple(name for spine in self.spines for name in spine.fields)

    @cached_property
    def of_small_motions(self) -> Lagrangian:
        """Energies to second order in deflections, without fields that only larger ones need; mostly these here."""
        if self.small is None:
            return self
        found = self.small if isinstance(self.small, Lagrangian) else self.small()
        assert isinstance(found, Lagrangian)
        return found

    def shown(self, fields: Iterable[str]) -> tuple[str, ...]:
        """Those of some fields that users speak of."""
        silent = (*self.ties, *self.ties.values())
        return tuple(name for name in fields if name not in silent)

    @property
    def multipliers(self) -> tuple[str, ...]:
        """One Lagrange multiplier for each constraint."""
        return tuple(self.constraints)

    @cached_property
    def moving(self) -> tuple[str, ...]:
        """Every discrete coordinate the energies hold: the free ones, then those whose motion is prescribed."""
        return (*self.coordinates, *self.prescribed)

    @property
    def mechanical(self) -> tuple[str, ...]:
        """What of it moves: all but first-order states."""
        return tuple(name for name in self.moving if name not in self.states)

    def rate_of(self, state: str) -> Basic:
        """How fast a first-order state changes."""
        return (self.work.get(state, ZERO) + Jet(state, t=1).symbol).expand()

    @cached_property
    def jets(self) -> Jets:
        """The jet space the energies live in."""
        return Jets((*self.moving, *self.multipliers), self.fields, self.inputs)

    def spine_of(self, name: str) -> Spine:
        """The spine of that name, or the one a field lives on."""
        for spine in self.spines:
            if name == spine.name or name in spine.fields:
                return spine
        raise FlexuraError(f"There is no field {name!r}", advice=f"fields are {', '.join(self.fields) or 'none'}")

    @cached_property
    def orders(self) -> Mapping[str, int]:
        """How many derivatives along x each field's density holds: 2 for bending, 1 for rods, 0 for loose springs."""
        found = dict.fromkeys(self.fields, 0)
        for spine in self.spines:
            for f in (self.density.get(spine.name, ZERO), self.dissipation_density.get(spine.name, ZERO)):
                for jet in self.jets.unknowns(f):
                    if not jet.end and jet.name in found:
                        found[jet.name] = max(found[jet.name], jet.x)
        return found

    @cached_property
    def multiplier_fields(self) -> tuple[str, ...]:
        """Fields that hold a condition along their spine: -N Gamma in a density holds Gamma = 0, N being the force.

        Such a field has neither rates nor slopes, its density is linear in it, and nothing else holds it.
        """
        return tuple(name for name in self.fields if self.orders[name] == 0 and self._is_multiplier(name))

    def _is_multiplier(self, name: str) -> bool:
        home, symbol = self.spine_of(name).name, Symbol(name)
        loads = (f for given in self.work_density.values() for f in given.values())
        elsewhere = (*(f for spine, f in self.density.items() if spine != home), *self.dissipation_density.values())
        if any(symbol in f.free_symbols for f in (*elsewhere, *self.work.values(), *loads)):
            return False
        if name in self.work_density.get(home, {}) or Jet(name, t=1) in self.jets.unknowns(
            self.density.get(home, ZERO)
        ):
            return False
        jets = self.jets.unknowns(condition := self.condition(name))
        moving = any(jet.name in self.fields and not jet.end and jet.name != name for jet in jets)
        return moving and symbol not in condition.free_symbols and not any(jet.t for jet in jets)

    def condition(self, name: str) -> Basic:
        """What a multiplier field holds at zero: the slope of its density by it."""
        return partial(self.density.get(self.spine_of(name).name, ZERO), Symbol(name))

    @cached_property
    def boundary_values(self) -> tuple[Jet, ...]:
        """Every value a field has at its ends: e and, for second order, e_x; end a first."""
        return tuple(Jet(name, x=x, end=end) for name in self.fields for end in "ab" for x in range(self.orders[name]))

    @cached_property
    def linear(self) -> bool:
        """Whether the equations are linear, with coefficients that do not depend on time."""
        quadratic = (self.kinetic, self.potential, self.dissipation, *self.density.values())
        straight = (*self.work.values(), *self.boundary.values(), *self.constraints.values())
        along = (f for loads in self.work_density.values() for f in loads.values())
        return (
            not self.prescribed
            and all(self._degree_within(f, 2) for f in (*quadratic, *self.dissipation_density.values()))
            and all(self._degree_within(f, 1) for f in (*straight, *along))
        )

    def _degree_within(self, f: Basic, degree: int) -> bool:
        """Whether a tree has at most this degree in the unknowns together, its highest part free of time.

        A sign, or a condition, that the unknowns turn over has no slope that would tell.
        """
        if any(self.jets.unknowns(one) for one in kinks(f)):
            return False
        scaled = f.xreplace({jet.symbol: _SCALE * jet.symbol for jet in self.jets.unknowns(f)})
        for _ in range(degree):
            scaled = partial(scaled, _SCALE)
        return all(vanishes(partial(scaled, one)) for one in (_SCALE, TIME))

    @cached_property
    def straight_conditions(self) -> tuple[Straight, ...]:
        """Conditions that are linear in what moves, and their rates; none where all of them hold at zero."""
        return straight_conditions(self)

    @cached_property
    def free(self) -> tuple[Jet, ...]:
        """The boundary values nothing sets: each has a natural condition."""
        return tuple(jet for jet in self.boundary_values if jet.label not in self.boundary)

    @cached_property
    def generalized(self) -> tuple[Jet, ...]:
        """Everything that varies, apart from fields: coordinates, prescribed or not, and free boundary values."""
        return (*(Jet(name) for name in self.moving), *self.free)

    @cached_property
    def settled_boundary(self) -> Mapping[str, Basic]:
        """The given boundary values B_k, in generalized coordinates only (one end may be given through another)."""
        return {label: self._settle(value, {}) for label, value in self.boundary.items()}

    def settled(self, f: Basic) -> Basic:
        """Replace the boundary values that are given, and their rates, by what gives them (theory, section 2)."""
        return self._settle(f, self.settled_boundary)

    def _settle(self, f: Basic, settled: Mapping[str, Basic]) -> Basic:
        replaced: dict[Symbol, Basic] = {}
        for jet in self.jets.unknowns(f):
            label = Jet(jet.name, jet.x, 0, jet.end).label
            if not jet.end or label not in self.boundary:
                continue
            value = settled[label] if label in settled else self._settle(self.boundary[label], settled)
            for _ in range(jet.t):
                value = self.jets.D_t(value)
            replaced[jet.symbol] = value
        return f.subs(replaced) if replaced else f

    def followed(self, f: Basic) -> Basic:
        """As `driven`, with coordinates that curves drive left as they are: a run knows them as numbers."""
        return self.driven(f, self.driven_by_curves)

    @cached_property
    def driven_by_curves(self) -> frozenset[str]:
        """Prescribed coordinates that are known as numbers only."""
        curves = {Symbol(name) for name in self.driving or ()}
        return frozenset(name for name, one in self.prescribed.items() if one.free_symbols & curves)

    def driven(self, f: Basic, kept: Collection[str] = ()) -> Basic:
        """Replace prescribed coordinates and their rates by the given functions of time."""
        if not self.prescribed:
            return f
        replaced: dict[Symbol, Basic] = {}
        for jet in self.jets.unknowns(f):
            if jet.name in self.prescribed and jet.name not in kept:
                value = self.prescribed[jet.name]
                for _ in range(jet.t):
                    value = self.jets.D_t(value)
                replaced[jet.symbol] = value
        return f.subs(replaced) if replaced else f
