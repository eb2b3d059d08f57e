"""Numbers for the symbols of a system: what the parts carry, what the user gives, and one sentence for what is missing.

>>> numbers(equations, {"EI": 50, "l": "1.3 m"})        # {"EI": 50.0, "l": 1.3, "rho": 1.2}
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from flexura.derivation.closed_loops import still_closes
from flexura.derivation.equations.equations import Equations
from flexura.derivation.equations.rows import Row, Sum
from flexura.derivation.opened import free_of_time
from flexura.energy.lagrangian import Lagrangian
from flexura.errors import FlexuraError
from flexura.solve.agreement import agree
from flexura.symbolic.engine import SPINE, TIME, ZERO, Basic, Symbol, exact, partial
from flexura.symbolic.expression import ParameterDeclaration
from flexura.symbolic.jets import Jet
from flexura.symbolic.quantities import quantity, text_or_expression
from flexura.symbolic.values import real_value
from flexura.symbolic.zero import verdict


def numbers(equations: Equations, values: Mapping[str, Any] | None = None) -> dict[str, float]:
    """A number for every parameter the rows hold, and for every input that is given one.

    Raises for names the equations do not know, and lists all that are missing with the parts that carry them.
    """
    energies = equations.lagrangian
    given = {name: value for name, value in (values or {}).items() if value is not None}
    _known(given, energies)
    found = _carried_and_given(equations, given)
    unset = [name for name in energies.parameters if name not in found]  # the rows are read only if there are any
    missing = [energies.parameters[name] for name in _held(equations) if name in unset] if unset else []
    if missing:
        raise _without_value(missing)
    plain = {name: value for name, value in given.items() if name in energies.inputs and not isinstance(value, str)}
    return {**found, **{name: float(value) for name, value in plain.items() if isinstance(value, int | float)}}


def free_motions(equations: Equations, values: Mapping[str, Any] | None = None) -> Equations:
    """Linear equations without what only time drives, whose conditions were seen to agree before that is left out."""
    given = {name: value for name, value in (values or {}).items() if value is not None}
    _carried_and_given(equations, given)
    return free_of_time(equations)


def _carried_and_given(equations: Equations, given: Mapping[str, Any]) -> dict[str, float]:
    """Numbers of parameters, as many as there are, with which loops close and conditions agree."""
    energies = equations.lagrangian
    found = {name: _number(name, value, energies) for name, value in given.items() if name in energies.parameters}
    _not_too_late(found, energies)
    known = {**{name: one for name, one in equations.values.items() if one is not None}, **found}
    still_closes(known, set(found), energies)
    agree(energies, known)
    return known


def substitution(equations: Equations, values: Mapping[str, Any] | None = None) -> Callable[[Basic], Basic]:
    """What puts numbers in for all parameters, and steady loads for inputs: zero, or those that `values` gives."""
    energies, given = equations.lagrangian, dict(values or {})
    found = {Symbol(name): exact(value) for name, value in numbers(equations, given).items()}
    loads = {name: _load(name, given[name], energies) for name in energies.inputs if name in given}

    def put(f: Basic) -> Basic:
        jets = [jet for jet in energies.jets.inside(f) if jet.name in energies.inputs]
        steady = {jet.symbol: _derivative(loads.get(jet.name, ZERO), jet, energies) for jet in jets}
        plain = {Symbol(name): loads.get(name, ZERO) for name, of in energies.inputs.items() if not of}
        return f.xreplace({**found, **plain, **steady})

    return put


def without_fields(equations: Equations, what: str) -> None:
    """Refuse a system with fields."""
    if equations.fields:
        raise FlexuraError(
            f"{what} is for systems without fields, and this one has {', '.join(equations.fields)}",
            advice="replace its members by rigid bodies and springs, or discretise them first",
        )


def real(f: Basic, what: str) -> float:
    """A tree without symbols as a number."""
    left = sorted(one.name for one in f.free_symbols)
    if left:
        raise FlexuraError(f"{what} still holds {', '.join(left)}", advice="give values for them")
    found = real_value(f)
    if not math.isfinite(found):
        raise FlexuraError(f"{what} has no real value with these numbers", advice="check them")
    return found


def static_row(row: Row, energies: Lagrangian, put: Callable[[Basic], Basic]) -> Row:
    """A row with all rates zero and numbers put in, as its residual."""

    def still(f: Basic) -> Basic:
        f = put(f.xreplace({jet.symbol: ZERO for jet in energies.jets.unknowns(f) if jet.t}))
        if TIME in f.free_symbols and not verdict(partial(f, TIME)):
            motions = [f"{name} = {g}" for name, g in energies.prescribed.items() if TIME in g.free_symbols]
            cause = f"the prescribed motion {', '.join(motions)}" if motions else "a load or a coefficient that holds t"
            raise FlexuraError(
                f"There is no equilibrium: the equation of {row.name} depends on t through {cause}",
                advice="hold it still, or follow the motion with fx.simulate",
            )
        return f.xreplace({TIME: ZERO})

    return Row(row.kind, row.name, row.residual.map(still), Sum(), row.spine)


class CompiledTree:
    """A tree as a function of x and its jets, to the digits mpmath works with: its value, then slopes by the jets."""

    def __init__(self, f: Basic, jets: Sequence[Jet]) -> None:
        """Compile once, call often."""
        import sympy  # which takes longer to load than most answers take

        slopes = [partial(f, jet.symbol) for jet in jets]
        self.jets = jets
        self.linear = not any(slope.has(jet.symbol) for slope in slopes for jet in jets)
        arguments = [sympy.Symbol(one.name) for one in (SPINE, *(jet.symbol for jet in jets))]
        trees = [one._sympy_() for one in (f, *slopes)]
        self._function = sympy.lambdify(arguments, trees, "mpmath", dummify=True)

    def __call__(self, *where: Any) -> list[Any]:
        """Its value and slopes."""
        import mpmath

        return [mpmath.mpf(one) for one in self._function(*where)]


def _known(given: Iterable[str], energies: Lagrangian) -> None:
    names = (*energies.parameters, *energies.inputs)
    unknown = [name for name in given if name not in names and name not in energies.dropped]
    symbols = [str(name) for name in unknown if not isinstance(name, str) and str(name) in names]
    if symbols:
        raise FlexuraError(
            f"Values are given for {symbols[0]} itself", advice=f"name it by text: values={{{symbols[0]!r}: ...}}"
        )
    if unknown:
        raise FlexuraError(
            f"Values are given for {', '.join(map(repr, unknown))}, which the equations do not hold",
            advice=f"they know {', '.join(names) or 'no names'}",
        )


def _number(name: str, value: Any, energies: Lagrangian) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
        return float(value)
    one = quantity(value, name, "values", dimension=energies.parameters[name].unit or None)
    carried = [known for known in one.declarations if isinstance(known, ParameterDeclaration)]
    tree = one.engine.xreplace({Symbol(known.name): exact(known.value) for known in carried if known.value is not None})
    return real(tree, f"The value of {name}")


def _held(equations: Equations) -> list[str]:
    """The parameters the equations depend on, in the order of their declaration."""
    trees = [f for row in equations.derived for side in row.sides for f in side.parts()]
    trees += [place for spine in equations.lagrangian.spines for place in (spine.start, spine.end)]
    names = {symbol.name for f in trees for symbol in f.free_symbols}
    return [name for name in equations.lagrangian.parameters if name in names]


def _not_too_late(found: Mapping[str, float], energies: Lagrangian) -> None:
    """Refuse another value for a number that was put into the equations when they were linearised."""
    held = {symbol.name for f in _trees(energies) for symbol in f.free_symbols}
    for name, value in found.items():
        before = energies.parameters[name].value
        if name not in held and before is not None and not math.isclose(before, value, rel_tol=1e-12):
            raise FlexuraError(
                f"The value {value:g} for {name} comes too late: {name} = {before:g} went into these equations when"
                " they were linearised",
                advice="linearise again with the new value",
            )


def opens_a_loop(equations: Equations, known: Mapping[str, float], name: str) -> str:
    """The connection of a loop that does not stay closed when one parameter alone changes; "" if all do."""
    try:
        still_closes({**known, name: 1.001 * known[name]}, {name}, equations.lagrangian)
    except FlexuraError as error:
        return error.part
    return ""


def _trees(energies: Lagrangian) -> Iterable[Basic]:
    yield from (energies.kinetic, energies.potential, energies.dissipation)
    for spine in energies.spines:
        yield from (spine.start, spine.end)
    lines = energies.work_density.values()
    for part in (energies.density, energies.dissipation_density, energies.work, energies.boundary, *lines):
        yield from part.values()
    yield from energies.constraints.values()
    yield from energies.prescribed.values()
    yield from energies.states.values()
    yield from energies.travelling.values()
    yield from (f for laws in energies.contacts.values() for f in laws.values())


def no_input(energies: Lagrangian, name: str, what: str) -> FlexuraError | None:
    """What to say of a name that the model reads as a parameter, as it does in the text of a load."""
    if name not in energies.parameters:
        return None
    carried = f" ({', '.join(energies.parameters[name].parts)})" if energies.parameters[name].parts else ""
    return FlexuraError(
        f"There is no {what} {name!r}, because {name} is a parameter{carried}",
        advice=f"write {name}(t) in the model's text, or fx.Input({name!r}) in an expression, to make it an input",
    )


def _without_value(missing: list[ParameterDeclaration]) -> FlexuraError:
    shown = [f"{one.name} ({', '.join(one.parts)})" if one.parts else one.name for one in missing]
    those = ", ".join(f"{one.name!r}: ..." for one in missing)
    new = [one.name for one in missing if one.new]
    inputs = (
        f", or write {new[0]}(t) (fx.Input({new[0]!r}) in expressions) in the model if it is an input" if new else ""
    )
    return FlexuraError(
        f"No value is known for {', '.join(shown)}",
        advice=f"give values={{{those}}}{inputs}",
        missing=tuple(one.name for one in missing),
        part=next((part for one in missing for part in one.parts), ""),
    )


def _load(name: str, value: Any, energies: Lagrangian) -> Basic:
    of = energies.inputs[name]
    tree = text_or_expression(value, what=f"the value of {name}", spine="x" in of).engine
    if not tree.free_symbols <= ({SPINE} if "x" in of else set()):
        allowed = "a number or text in x" if "x" in of else "a number"
        raise FlexuraError(
            f"The value of the input {name} is {value}", advice=f"give {allowed}, since it is a steady load here"
        )
    return tree


def _derivative(f: Basic, jet: Jet, energies: Lagrangian) -> Basic:
    """A jet of a given function; at an end its label says of which spine: "b_w"."""
    for symbol in (SPINE,) * jet.x + (TIME,) * jet.t:
        f = partial(f, symbol)
    end, _, spine = jet.end.partition("_")
    return f.xreplace({SPINE: energies.spine_of(spine).place(end)}) if end else f
