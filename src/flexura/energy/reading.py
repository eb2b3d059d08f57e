"""From what the user wrote to a Lagrangian's data: every name resolved to a coordinate, field, input or parameter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from flexura.energy.along import held_along
from flexura.energy.checks import check
from flexura.energy.field import EndValue, Field, FieldDeclaration, SpineDeclaration
from flexura.energy.integral import IntegralDeclaration
from flexura.energy.lagrangian import Spine
from flexura.errors import FlexuraError
from flexura.symbolic.engine import SPINE, TIME, ZERO, Basic
from flexura.symbolic.expression import (
    Coordinate,
    CoordinateDeclaration,
    Declaration,
    InputDeclaration,
    ParameterDeclaration,
    UndeclaredFunction,
    check_name,
)
from flexura.symbolic.impulses import check_impulses
from flexura.symbolic.jets import Jet, Jets
from flexura.symbolic.quantities import merge_values, text_or_expression


def read(
    kinetic: Any,
    potential: Any,
    density: Any,
    dissipation: Any,
    dissipation_density: Any,
    work: Mapping[Any, Any] | None,
    work_density: Mapping[Any, Any] | None,
    boundary: Mapping[Any, Any] | None,
    constraints: Iterable[Any] | Mapping[str, Any],
    prescribed: Mapping[Any, Any] | None,
) -> dict[str, Any]:
    """Turn the arguments of `fx.Lagrangian` into its data."""
    reader = _EnergyReader()
    data: dict[str, Any] = {
        "kinetic": reader.tree(kinetic, "the kinetic energy"),
        "potential": reader.tree(potential, "the potential energy"),
        "dissipation": reader.tree(dissipation, "the dissipation function"),
        "prescribed": {reader.coordinate(key): reader.tree(f, "motion") for key, f in (prescribed or {}).items()},
        "work": _summed((reader.target(key), reader.load(f, "work")) for key, f in (work or {}).items()),
        "boundary": dict(reader.boundary(boundary or {})),
    }
    densities = list(reader.densities(density, "the density"))
    dissipations = list(reader.densities(dissipation_density, "the dissipation density"))
    line_loads = list(reader.line_loads(work_density or {}))
    data["constraints"] = dict(reader.constraints(constraints))
    integrals = reader.integrals()
    data["constraints"] |= {one.multiplier: Jet(one.name, x=1).symbol - one.integrand.engine for one in integrals}
    data["boundary"] |= {Jet(one.name, end="a").label: ZERO for one in integrals}

    coordinates, fields, inputs = reader.names()
    spines, home = _spines(fields)
    data["density"] = _summed((home[spine], f) for spine, f in densities)
    data["dissipation_density"] = _summed((home[spine], f) for spine, f in dissipations)
    data["work_density"] = {
        spine.name: _summed((target, f) for on, target, f in line_loads if home[on] == spine.name) for spine in spines
    }
    data |= held_along(data["constraints"], spines, data["density"], {*coordinates, *inputs})
    free = tuple(name for name in coordinates if name not in data["prescribed"])
    data.update(
        coordinates=free,
        inputs=inputs,
        members={},
        loads={},
        story={},
        states={},
        contacts={},
        travelling={},
        ties={one.name: one.multiplier for one in integrals},
    )
    names = [name for spine in data["spines"] for name in spine.fields]
    jets = Jets((*coordinates, *data["constraints"]), names, inputs)
    data["parameters"] = parameters(reader.declarations, reader.trees, jets)
    check(data)
    return data


class _EnergyReader:
    """Collects what the expressions mention while turning them into engine trees."""

    def __init__(self) -> None:
        self.declarations: set[Declaration] = set()
        self.trees: list[Basic] = []

    def tree(self, value: Any, what: str, spine: bool = False) -> Basic:
        one = text_or_expression(value, what=what, spine=spine)
        self.declarations |= one.declarations
        self.trees.append(one.engine)
        return one.engine

    def load(self, value: Any, what: str, spine: bool = False) -> Basic:
        """A force, which may be an impulse."""
        one = text_or_expression(value, what=what, spine=spine, impulses=True)
        check_impulses(one.engine, f"The {what}")
        self.declarations |= one.declarations
        self.trees.append(one.engine)
        return one.engine

    def field(self, key: Any, what: str) -> Field:
        if not isinstance(key, Field):
            raise FlexuraError(
                f"In {what} the key {key!r} is not a field", advice="write {w: ...} with w = fx.Field(...)"
            )
        self.declarations |= key.declarations
        self.trees += [key.spine.start.engine, key.spine.end.engine]
        return key

    def coordinate(self, key: Any) -> str:
        if not isinstance(key, Coordinate):
            raise FlexuraError(f"A motion is prescribed for {key!r}", advice="prescribe it for an fx.Coordinate")
        self.declarations |= key.declarations
        return key.name

    def constraints(self, given: Iterable[Any] | Mapping[str, Any]) -> Iterator[tuple[str, Basic]]:
        named = given.items() if isinstance(given, Mapping) else ((f"lambda_{i}", f) for i, f in enumerate(given, 1))
        for name, f in named:
            what = f"the constraint of {check_name(name, 'A multiplier')}"
            yield name, self.tree(f, what, spine=self._along_spines(f, what))

    def integrals(self) -> list[IntegralDeclaration]:
        """Integrals over members, as they were declared."""
        found = sorted((one for one in self.declarations if isinstance(one, IntegralDeclaration)), key=lambda d: d.born)
        self.trees += [one.integrand.engine for one in found]
        return found

    def _along_spines(self, f: Any, what: str) -> bool:
        """Whether text speaks of fields inside their spines; there its x is the place, elsewhere an ordinary name."""
        if not isinstance(f, str):
            return False
        jets = Jets(fields=[one.name for one in self.declarations if isinstance(one, FieldDeclaration)])
        return any(not jet.end for jet in jets.inside(text_or_expression(f, what=what).engine))

    def target(self, key: Any) -> str:
        """The label of a coordinate, field or end that a generalized force acts on."""
        if not isinstance(key, Coordinate | EndValue | Field):
            raise FlexuraError(
                f"Work is given for {key!r}", advice="give it for a coordinate, w.at(end) or w.slope(end)"
            )
        self.declarations |= key.declarations
        return key.jet.label if isinstance(key, EndValue) else key.name

    def densities(self, given: Any, what: str) -> Iterator[tuple[SpineDeclaration, Basic]]:
        for field, value in _density_items(given, what):
            yield self.field(field, what).spine, self.tree(value, what, spine=True)

    def line_loads(self, given: Mapping[Any, Any]) -> Iterator[tuple[SpineDeclaration, str, Basic]]:
        for key, value in given.items():
            spine = self.field(key, "work_density").spine
            for target, f in value.items() if isinstance(value, Mapping) else [(key, value)]:
                yield spine, self.target(target), self.load(f, "work_density", spine=True)

    def boundary(self, given: Mapping[Any, Any]) -> Iterator[tuple[str, Basic]]:
        seen = Counter(key.jet.label for key in given if isinstance(key, EndValue))
        for key, value in given.items():
            if not isinstance(key, EndValue):
                raise FlexuraError(
                    f"The boundary value {key!r} is not an end of a field", advice="write w.at(0) or w.slope(0)"
                )
            if seen[key.jet.label] > 1:
                raise FlexuraError(
                    f"The boundary value {describe_end(key)} is given twice", advice="keep one of the two"
                )
            self.field(key.field, "boundary")
            yield key.jet.label, self.tree(value, f"the boundary value {describe_end(key)}")

    def names(self) -> tuple[tuple[str, ...], list[FieldDeclaration], dict[str, frozenset[str]]]:
        """Coordinates, fields and inputs in the order they were declared, each name used once."""
        ordered = sorted(self.declarations, key=lambda one: one.born)
        unknowns: dict[str, Declaration] = {}
        for one in ordered:
            if isinstance(one, CoordinateDeclaration | FieldDeclaration | InputDeclaration):
                _claim(unknowns, one)
        for one in ordered:
            if isinstance(one, ParameterDeclaration) and one.name in unknowns:
                kind = unknowns[one.name].kind
                raise FlexuraError(f"The name {one.name} is both a parameter and a {kind}", advice="rename one of them")
            if isinstance(one, UndeclaredFunction):
                _resolve(unknowns, one)
        coordinates = tuple(name for name, one in unknowns.items() if isinstance(one, CoordinateDeclaration))
        fields = [one for one in unknowns.values() if isinstance(one, FieldDeclaration)]
        inputs = {name: one.of for name, one in unknowns.items() if isinstance(one, InputDeclaration)}
        return coordinates, fields, inputs


def parameters(
    declarations: Iterable[Declaration], trees: Iterable[Basic], jets: Jets
) -> dict[str, ParameterDeclaration]:
    """Every symbol of the trees that is no jet is a parameter; names that read as a derivative are refused."""
    known = merge_values(declarations)
    for name in known:
        if name in jets.coordinates or name in jets.fields:
            raise FlexuraError(f"The name {name} is both a parameter and a coordinate", advice="rename one of them")
    for name in (*known, *jets.coordinates, *jets.fields, *jets.functions):
        if jet := jets.derivative(name):
            raise FlexuraError(f"The name {name} also means a derivative of {jet.name}", advice="rename one of the two")
    symbols = {symbol for tree in trees for symbol in tree.free_symbols} - {SPINE, TIME}
    plain = sorted(one.name for one in symbols if jets.find(one) is None and one.name not in jets.functions)
    if jets.fields and "x" in plain:
        raise FlexuraError(
            "A parameter is called x, like the place along the spine", advice="rename it, or write fx.x for the place"
        )
    return {name: known.get(name, ParameterDeclaration(name)) for name in plain}


def describe_end(key: EndValue) -> str:
    """How a user would write this end."""
    place = key.field.spine.start if key.jet.end == "a" else key.field.spine.end
    return f"{key.jet.name}.{'slope' if key.jet.x else 'at'}({place})"


def _claim(unknowns: dict[str, Declaration], one: Declaration) -> None:
    other = unknowns.setdefault(one.name, one)
    same_input = isinstance(other, InputDeclaration) and isinstance(one, InputDeclaration) and other.of == one.of
    if other is not one and not same_input:
        raise FlexuraError(
            f"Two different things are called {one.name}: a {other.kind} and a {one.kind}",
            advice="declare it once and use that object everywhere, or rename one",
        )


def _resolve(unknowns: dict[str, Declaration], function: UndeclaredFunction) -> None:
    declared = unknowns.get(function.name)
    of = {"coordinate": frozenset("t"), "field": frozenset("xt")}
    expected = declared.of if isinstance(declared, InputDeclaration) else of.get(declared.kind) if declared else None
    if expected == function.of:
        return
    if declared is None and function.of == {"x"}:
        unknowns[function.name] = InputDeclaration(function.name, function.of)
        return
    written = f"{function.name}({', '.join(v for v in 'xt' if v in function.of)})"
    if declared is None:
        raise FlexuraError(
            f"{written} is an unknown function",
            advice=(
                f"declare it as fx.Coordinate({function.name!r}), as a field, or as a given function fx.Input("
                f"{function.name!r})"
            ),
        )
    raise FlexuraError(
        f"{written} is written where {function.name} is a {declared.kind}", advice="give it the arguments of one"
    )


def _spines(fields: list[FieldDeclaration]) -> tuple[tuple[Spine, ...], dict[SpineDeclaration, str]]:
    grouped: dict[SpineDeclaration, list[str]] = {}
    for one in fields:
        grouped.setdefault(one.spine, []).append(one.name)
    home = {spine: names[0] for spine, names in grouped.items()}
    made = [Spine(names[0], spine.start.engine, spine.end.engine, tuple(names)) for spine, names in grouped.items()]
    return tuple(made), home


def _density_items(given: Any, what: str) -> Iterable[tuple[Any, Any]]:
    if given is None:
        return []
    if isinstance(given, Mapping):
        return given.items()
    if hasattr(given, "field"):
        return [(given.field, given)]
    if isinstance(given, list | tuple):
        return [item for one in given for item in _density_items(one, what)]
    raise FlexuraError(f"For {what} write a mapping {{w: ...}} from a field of the spine to its density.")


def _summed(items: Iterable[tuple[str, Basic]]) -> dict[str, Basic]:
    total: dict[str, Basic] = {}
    for key, f in items:
        total[key] = total.get(key, ZERO) + f
    return total
