"""The base of every element: fields on one spine, their energy densities, and what the ends carry.

    >>> beam = EulerBernoulliBeam("beam", EI="EI", rho="rho", length="l")
    >>> beam.fields, beam.density, beam.start, beam.at("l/2"), beam.end

An element says what it stores and how it moves; its boundary loads follow from the density and are never typed in.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar, NoReturn

import symengine

from flexura.arguments import checked_methods
from flexura.energy.field import EndValue, Field, SpineDeclaration
from flexura.errors import FlexuraError
from flexura.parts.description import Described
from flexura.symbolic.engine import SPINE, ZERO, Basic, Symbol, exact
from flexura.symbolic.expression import Declaration, Expression, InputDeclaration, UndeclaredFunction
from flexura.symbolic.integrals import terms
from flexura.symbolic.jets import Jet, Jets
from flexura.symbolic.kinematics.quaternions import Quaternion, rate_in_turned_axes
from flexura.symbolic.kinematics.vectors import EZ, Vector, rotation, turn_back
from flexura.symbolic.quantities import Sign, merge_values, quantity, text_or_expression

MOTIONS = ("axial", "transverse", "lateral", "rotation", "tilt", "twist")
"""What an end can do: move along x, y, z of the member; turn about z (slope of y), tilt (slope of z), twist about x."""

_KEYWORDS: Mapping[str, tuple[str | None, Sign]] = {
    "length": ("m", "positive"),
    "EI": ("N*m**2", "positive"),
    "EIy": ("N*m**2", "positive"),
    "EIz": ("N*m**2", "positive"),
    "GJ": ("N*m**2", "positive"),
    "EA": ("N", "positive"),
    "kGA": ("N", "positive"),
    "kGAy": ("N", "positive"),
    "kGAz": ("N", "positive"),
    "tension": ("N", "positive"),
    "axial_force": ("N", "any"),
    "curvature": ("1/m", "any"),
    "rho": ("kg/m", "nonnegative"),
    "rotary_inertia": ("kg*m", "nonnegative"),
    "foundation": ("N/m**2", "nonnegative"),
    "damping": ("N*s/m**2", "nonnegative"),
    "internal_damping": ("s", "nonnegative"),
}
_OTHER: tuple[str | None, Sign] = (None, "any")


@dataclass(frozen=True, eq=False)
class Place:
    """A place on a member, `position` from its start; equal places of one member are one key in a dict."""

    member: Member
    position: Expression

    @property
    def end(self) -> str:
        """The end it is, "a" (start) or "b" (end); "" inside the member."""
        return {ZERO: "a", self.member.length.engine: "b"}.get(self.position.engine, "")

    @property
    def _key(self) -> Any:
        share = self.member._share(self.position)
        return self.position.engine.expand() if share is None else round(share, 12)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Place) and self.member is other.member and bool(self._key == other._key)

    def __hash__(self) -> int:
        return hash((id(self.member), self._key))

    def __repr__(self) -> str:
        where = {"a": "start", "b": "end"}.get(self.end, f"at({self.position})")
        return f"{self.member.name}.{where}"


class Density(Expression):
    """An energy per length that knows a field of its spine: `fx.Lagrangian(density=beam.density)`."""

    __slots__ = ("field",)

    def __init__(self, f: Expression, fields: tuple[Field, ...]) -> None:
        super().__init__(f.engine, f.declarations.union(*(one.declarations for one in fields)))
        self.field = fields[0]


def rate(f: Expression) -> Expression:
    """The total time derivative of an expression in fields."""
    return Expression(_jets(f.declarations).D_t(f.engine), f.declarations)


@checked_methods
class Member(Described):
    """A flexible element, and the base of your own.

    Mandatory: `fields`, `potential`, `ends`, and either `kinetic` or the motion with `rho` (and `rotary_inertia`) it
    follows from. Optional: `dissipation`. A motion that is None is one the element does not have. What is given can be
    read back under its name, as can `spine`, `length`, `density`, `dissipation_density`; nothing can be changed.

    >>> class Cable(fx.Member):
    ...     def __init__(self, name, P, rho, length):
    ...         P, rho = self.quantities(name, P=P, rho=rho)
    ...         v = fx.Field(f"v_{name}", length=length)
    ...         super().__init__(name, fields=(v,), potential=P * v.x**2 / 2, ends={"transverse": v},
    ...                          displacement=(0, v, 0), rho=rho)
    """

    dimensions: ClassVar[Mapping[str, str]] = {}
    """Units of an element's own keywords, or of usual ones that mean something else in it."""

    def __init__(
        self,
        name: str,
        *,
        fields: Iterable[Field | None],
        potential: Any,
        ends: Mapping[str, Any],
        kinetic: Any = None,
        dissipation: Any = 0,
        displacement: Iterable[Any] = (0, 0, 0),
        rotation: Iterable[Any] = (0, 0, 0),
        rho: Any = 0,
        rotary_inertia: Any = 0,
        axis: Iterable[Any] | None = None,
        heading: Any = 0,
        about: Vector = EZ,
        bends_far: bool = False,
        quaternion: Iterable[Any] | None = None,
    ) -> None:
        """Densities are per length, on a frame at rest; `dissipation` is Rayleigh's, half the power lost.

        `ends` says which field, or slope of a field, carries each motion: {"transverse": w, "rotation": w.x}.
        `displacement` and the small `rotation` of the section are along and about x, y, z of the member; with `rho` and
        `rotary_inertia` per length they give `kinetic` if it is None, and what a moving frame adds to it. The latter is
        one quantity, about the axis the section turns about, or three, about x, y and z. `axis` are the points of the
        axis at rest, functions of x, and `heading` is the angle by which its sections are turned there `about` an axis:
        a straight member needs none. `bends_far` says that displacement and rotation (about z) are exact however large,
        so that what hangs on its ends rides on them as on a frame of its own. In space sections that turn far do so by
        a `quaternion` from rest: 1 and half a field, which is zero there, and half the small rotation.
        """
        self.name = _checked_name(name)
        self.fields = self._checked_fields(fields)
        self.spine = self.fields[0].spine
        self.length = self.spine.end - self.spine.start
        (self.rho,) = self.quantities(name, rho=rho)
        self.displacement = self._vector(displacement, "displacement")
        self.rotation = self._vector(rotation, "rotation")
        self.rotary_inertia = self._section(rotary_inertia)
        self.axis = self._vector((Expression(SPINE), 0, 0) if axis is None else axis, "axis")
        self.heading, self.about = self._read(heading, "heading"), about
        self.quaternion = None if quaternion is None else tuple(self._read(one, "quaternion") for one in quaternion)
        self.bends_far = bends_far
        self.kinetic = self._read(self.kinetic_of_motion if kinetic is None else kinetic, "kinetic density")
        self.potential = self._read(potential, "potential density")
        self.dissipation = self._read(dissipation, "dissipation density")
        minus = symengine.Add(*(-term for term in terms(self.potential.engine)))  # on each term, as it is shown
        self.density = Density(self.kinetic + Expression(minus, self.potential.declarations), self.fields)
        self.dissipation_density = Density(self.dissipation, self.fields)
        self.ends = self._checked_ends(ends)
        self._sealed = True

    @property
    def kinetic_of_motion(self) -> Expression:
        """T* = rho |displacement_t|^2 / 2 + sum of rotary_inertia rotation_t^2 / 2; an element may have another."""
        moving = [self.rho * rate(one) ** 2 / 2 for one in self.displacement]
        turning = [J * w**2 / 2 for J, w in zip(self.rotary_inertia, self._spin, strict=True)]
        return sum((*moving, *turning), Expression(ZERO))

    @property
    def _spin(self) -> tuple[Expression, ...]:
        """How fast a section turns, about its own axes."""
        if self.quaternion is None:
            return tuple(rate(one) for one in self.rotation)
        spin = rate_in_turned_axes(_trees(self.quaternion), _trees(rate(one) for one in self.quaternion))
        given = frozenset().union(*(one.declarations for one in (*self.quaternion, self.heading)))
        return tuple(Expression(one, given) for one in turn_back(rotation(self.about, self.heading.engine), spin))

    @property
    def surroundings(self) -> tuple[str, ...]:
        """Which of "foundation" and "damping" resist a motion of all particles alike, which strains nothing."""
        alike = {one.engine for one in (*self.displacement, self.rotation[0])}
        jets = _jets(self.potential.declarations | self.dissipation.declarations)
        found = []
        for word, f, order in (("foundation", self.potential.engine, 0), ("damping", self.dissipation.engine, 1)):
            moving = [Jet(one.name, 0, order) for one in self.fields if Jet(one.name).symbol in alike]
            still = [{one.symbol: ZERO for one in jets.unknowns(f) if one != jet} for jet in moving]
            found += [word] if any(f.xreplace(zeros).expand() != 0 for zeros in still) else []
        return tuple(found)

    @classmethod
    def quantities(cls, name: str, **given: Any) -> tuple[Expression, ...]:
        """Read properties of the member `name`, each any quantity, in the order given.

        >>> EI, rho = self.quantities(name, EI=EI, rho=rho)
        """
        read: list[Expression] = []
        for keyword, value in given.items():
            usual, sign = _KEYWORDS.get(keyword, _OTHER)
            unit, varies = cls.dimensions.get(keyword, usual), keyword != "length"
            read.append(quantity(value, keyword, _checked_name(name), dimension=unit, spine=varies, sign=sign))
        return tuple(read)

    @classmethod
    def make_fields(cls, name: str, length: Any, field: Any, *stems: str | None) -> tuple[Any, ...]:
        """Fields on one spine: w_<name> for the stem "w", or as `field` (a name, or several) says; None stays None.

        >>> w, phi = self.make_fields(name, length, field, "w", "phi")
        """
        spine = SpineDeclaration(Expression(ZERO), *cls.quantities(name, length=length))
        chosen = iter(field if isinstance(field, tuple | list) else (field,))
        usual = [None if stem is None else re.sub(r"\W", "_", f"{stem}_{name}") for stem in stems]
        fields = tuple(None if own is None else Field(next(chosen, None) or own, spine=spine) for own in usual)
        for extra in chosen:
            raise FlexuraError(
                f"The member {name} has no field to be called {extra!r}",
                advice="leave that name out of field=",
                part=name,
                keyword="field",
            )
        return fields

    @property
    def start(self) -> Place:
        """The end a, x = 0."""
        return Place(self, Expression(ZERO))

    @property
    def end(self) -> Place:
        """The end b, x = length."""
        return Place(self, self.length)

    def at(self, s: Any) -> Place:
        """The place at distance `s` from the start, any quantity: `beam.at(0.5)`, `beam.at("l/2")`."""
        position = self._position(s)
        share = self._share(position)
        known = _known(position, position.declarations)
        if (share is not None and not -1e-12 <= share <= 1 + 1e-12) or (known is not None and known < 0):
            length = _known(self.length, self.length.declarations) or self.length
            self._refuse(f"runs from 0 to {length}, so {s!r} is no place on it", "give a distance from its start")
        ends = {None: position, 0.0: Expression(ZERO), 1.0: self.length}
        return Place(self, ends.get(share and round(share, 12), position))

    def _position(self, s: Any) -> Expression:
        """A bare number stays a number: a symbol of its own would be the same for every place."""
        given = quantity(s, "place", self.name, dimension="m")
        own = re.sub(r"\W", "_", f"place_{self.name}")
        known = _known(given, given.declarations)
        return given if known is None or given.engine != Symbol(own) else Expression(exact(known))

    def _share(self, position: Expression) -> float | None:
        """Where a place lies, from 0 at the start to 1 at the end, if that is known."""
        return _known(position / self.length, position.declarations | self.length.declarations)

    def point(self, s: Any) -> tuple[Basic, Basic, Basic]:
        """Where the axis lies at rest at a distance from the start, in the member's own axes."""
        x, y, z = (one.engine.xreplace({SPINE: self._distance(s)}) for one in self.axis)
        return (x, y, z)

    def direction(self, s: Any) -> Basic:
        """By which angle the section is turned there at rest, about z or the axis that is given."""
        return self.heading.engine.xreplace({SPINE: self._distance(s)})

    def _distance(self, s: Any) -> Basic:
        """A distance from the start as a tree: one already, or any quantity."""
        return s if isinstance(s, symengine.Basic) else self._position(s).engine

    def boundary_value(self, motion: str, end: str) -> EndValue:
        """What carries a motion at the end "a" or "b": `beam.boundary_value("rotation", "b")` is w.slope(l)."""
        if motion not in self.ends or end not in ("a", "b"):
            self._refuse(f"has no {motion!r} at an end {end!r}", f"its ends a and b carry {', '.join(self.ends)}")
        carrier = self.ends[motion].engine
        field, x = next((one, x) for one in self.fields for x in (0, 1) if Jet(one.name, x).symbol == carrier)
        return EndValue(field, Jet(field.name, x, end=end))

    def _read(self, value: Any, what: str) -> Expression:
        found = text_or_expression(value, what=f"the {what} of {self.name}", spine=True)
        own = frozenset().union(*(one.declarations for one in self.fields))
        for one in found.declarations - own:
            if one.kind in ("coordinate", "field"):
                self._refuse(f"has the {one.kind} {one.name} in its {what}", "use only the fields listed in fields=")
        return Expression(found.engine, found.declarations | own)

    def _section(self, given: Any) -> tuple[Expression, Expression, Expression]:
        """Inertia about x, y, z; a single one belongs to the axes the section turns about."""
        if isinstance(given, tuple | list) and len(given) == 3:
            x, y, z = (quantity(one, f"J{axis}", self.name, dimension="kg*m", spine=True, sign="nonnegative")
                       for one, axis in zip(given, "xyz", strict=True))  # fmt: skip
            return (x, y, z)
        (one,) = self.quantities(self.name, rotary_inertia=given)
        x, y, z = (one if turned.engine != 0 else Expression(ZERO) for turned in self.rotation)
        return (x, y, z)

    def _vector(self, given: Iterable[Any], what: str) -> tuple[Expression, Expression, Expression]:
        components = tuple(self._read(0 if one is None else one, what) for one in given)
        if len(components) != 3:
            self._refuse(f"has a {what} of {len(components)} components", "give three, along x, y and z of the member")
        return components

    def _checked_fields(self, given: Iterable[Field | None]) -> tuple[Field, ...]:
        fields = tuple(one for one in ((given,) if isinstance(given, Field) else given) if one is not None)
        if not fields or not all(isinstance(one, Field) for one in fields):
            self._refuse("needs fields", "give fields=(w,) with w = fx.Field('w', length='l')")
        for one in fields[1:]:
            if one.spine is not fields[0].spine:
                self._refuse(f"has {one.name} on a spine of its own", f"declare it with spine={fields[0].name}")
        return fields

    def _checked_ends(self, given: Mapping[str, Any]) -> Mapping[str, Expression]:
        ends: dict[str, Expression] = {}
        for motion, value in given.items():
            if motion not in MOTIONS:
                self._refuse(f"has an end motion called {motion!r}", f"choose among {', '.join(MOTIONS)}")
            if value is not None:
                by = self._read(value, f"end motion {motion}")
                twin = next((other for other, one in ends.items() if one == by), None)
                if twin:
                    self._refuse(f"carries both {twin} and {motion} by {by}", "keep one of the two")
                self._check_carrier(motion, by)
                ends[motion] = by
        if not ends:
            self._refuse("has ends that carry nothing", "say what moves there, like ends={'transverse': w}")
        return MappingProxyType(ends)

    def _check_carrier(self, motion: str, by: Expression) -> None:
        jets = _jets(self.density.declarations | self.dissipation.declarations)
        jet = jets.find(by.engine) if isinstance(by.engine, Symbol) else None
        if jet is None or jet.x > 1 or jet.t or jet.end or jet.name not in jets.fields:
            self._refuse(f"carries its {motion} by {by}", "give one of its fields, like w, or its slope w.x")
        inside = (*jets.unknowns(self.density.engine), *jets.unknowns(self.dissipation.engine))
        order = max(one.x for one in (*inside, Jet(jet.name)) if one.name == jet.name)
        if jet.x >= order:
            held = "only first derivatives" if order else "no derivatives"
            problem = f"carries its {motion} by {by}, but its densities hold {held} of {jet.name} along x"
            self._refuse(problem, f"leave {motion} out of ends")

    def _refuse(self, problem: str, advice: str) -> NoReturn:
        raise FlexuraError(f"The member {self.name} {problem}", advice=advice, part=self.name)

    def __setattr__(self, attribute: str, value: Any) -> None:
        if "_sealed" in self.__dict__:
            self._refuse(f"cannot be given a new {attribute}", "make another member, or set it before super().__init__")
        super().__setattr__(attribute, value)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "ends": dict(self.ends)}  # a view of a dict is not pickled

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, ends=MappingProxyType(state["ends"]))

    def __repr__(self) -> str:
        fields = ", ".join(one.name for one in self.fields)
        return f"<{type(self).__name__} {self.name!r}: {fields} on 0 < x < {self.length}>"


def _trees(given: Iterable[Expression]) -> Quaternion:
    a, b, c, d = (one.engine for one in given)
    return (a, b, c, d)


def _checked_name(name: Any) -> str:
    if not isinstance(name, str) or not name.strip():
        raise FlexuraError(f"A member is called {name!r}", advice="give it a name, like 'beam'")
    return name


def _jets(declarations: Iterable[Declaration]) -> Jets:
    fields = {one.name for one in declarations if one.kind == "field"}
    coordinates = {one.name for one in declarations if one.kind == "coordinate"}
    given = [one for one in declarations if isinstance(one, InputDeclaration | UndeclaredFunction)]
    return Jets(coordinates, fields, {one.name: one.of for one in given if one.name not in fields})


def _known(f: Expression, declarations: Iterable[Declaration]) -> float | None:
    """The number an expression comes to with the values its parameters carry, if these are all it needs."""
    carried = merge_values(declarations).values()
    values = {Symbol(one.name): exact(one.value) for one in carried if one.value is not None}
    number = f.engine.expand().xreplace(values)
    return None if number.free_symbols else float(number.n())
