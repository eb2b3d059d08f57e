"""The derivation told step by step: the memo's eleven steps, and the four of the variational route, as data."""

from __future__ import annotations

from collections.abc import Iterable

from flexura.derivation.equations.rows import Row, Sum
from flexura.derivation.equations.steps import Step
from flexura.energy.lagrangian import Lagrangian
from flexura.symbolic.engine import WIDTH, ZERO, Basic, Symbol
from flexura.symbolic.jets import Jet


def surrogate_steps(energies: Lagrangian, rows: tuple[Row, ...]) -> tuple[Step, ...]:
    """The eleven steps of [M] section 4."""
    ordinary = _of(rows, "ordinary", "natural")
    partials, geometric = _of(rows, "partial"), _of(rows, "geometric")
    precluded = [row for row in geometric if row.right.empty]
    told: list[tuple[str, str, Iterable[Row]]] = [
        ("Model the system", _model_sentence(energies), [_functional(energies)]),
        ("Substitute surrogate elements", _surrogate_sentence(energies), _fields(energies)),
        ("Assign coordinates to the surrogate elements", _ends_sentence(energies, precluded), geometric),
        ("Assign the remaining coordinates", _coordinates_sentence(energies), _coordinates(energies)),
        (
            "Energies of the surrogate elements",
            "The representative particle of width dx at x carries the energy of its member.",
            _surrogate_energies(energies),
        ),
        (
            "Energies of the lumped elements",
            "What is not spread along a spine.",
            (_define("T", energies.kinetic), _define("V", energies.potential)),
        ),
        (
            "Lagrangian",
            "L_s adds the densities times dx to the lumped energies; R is the dissipation function.",
            _lagrangian(energies),
        ),
        (
            "Generalized forces",
            "Applied loads, and the loads of the continua on what is attached at their ends, from the densities.",
            [*map(_force, ordinary), *map(_force, map(_before_division, partials))],
        ),
        (
            "Extended Lagrange equation for every coordinate",
            "Momentum changes by what the energies give and by the generalized force; for a field, derivatives along"
            " the spine join in ([M] eq. 10, with the mixed term).",
            [*map(_before_integration, ordinary), *map(_before_division, partials)],
        ),
        ("Divide by dx", "Where dx is a common factor it is divided out: the field equations.", partials),
        (
            "Integrate along the spines",
            "What still holds dx is integrated along its spine: the equations of the discrete coordinates.",
            (*ordinary, *_of(rows, "constraint")),
        ),
    ]  # fmt: skip
    story = energies.story
    return tuple(
        Step(i, title, story.get(i, text), tuple(content), energies, title == "Generalized forces")
        for i, (title, text, content) in enumerate(told, 1)
    )


def variational_steps(energies: Lagrangian, rows: tuple[Row, ...]) -> tuple[Step, ...]:
    """Appendix A in four steps."""
    told = [
        (
            "Action and virtual work",
            "The action is the time integral of L; R dissipates; loads do virtual work.",
            [*_lagrangian(energies)],
        ),
        (
            "Vary and integrate by parts",
            "Time derivatives move off the variations first, then those along the spine, leaving terms at the ends.",
            [],
        ),
        (
            "Inside the spines",
            "What multiplies the variation of a field vanishes: the field equations.",
            _of(rows, "partial"),
        ),
        (
            "Coordinates and ends",
            "What multiplies the variation of a coordinate or of a free boundary value vanishes; given values vary with"
            " the coordinates that give them.",
            _of(rows, "ordinary", "natural", "geometric", "constraint"),
        ),
    ]
    return tuple(Step(i, title, text, tuple(content), energies) for i, (title, text, content) in enumerate(told, 1))


def _of(rows: Iterable[Row], *kinds: str) -> list[Row]:
    return [row for row in rows if row.kind in kinds]


def _functional(energies: Lagrangian) -> Row:
    """L as the sum of what is rigid and the densities along the spines ([M] eq. 41)."""
    densities = {spine.name: Symbol(f"L_{spine.name}") for spine in energies.spines}
    return Row("ordinary", "L", Sum(Symbol("L")), Sum(Symbol("L_rigid"), densities))


def _force(row: Row) -> Row:
    return Row("ordinary", row.name, Sum(Symbol(f"Xi_{_letter(row.name)}")), _with_width(row.right))


def _define(name: str, f: Basic) -> Row:
    return Row("ordinary", name, Sum(Symbol(name)), Sum(f))


def _model_sentence(energies: Lagrangian) -> str:
    members = f"{_count(len(energies.spines), 'flexible member')} with {_count(len(energies.fields), 'field')}"
    return f"The system has {_count(len(energies.coordinates), 'discrete coordinate')} and {members}."


def _surrogate_sentence(energies: Lagrangian) -> str:
    if not energies.spines:
        return "There is no flexible member, so no surrogate element is needed."
    return "Each member is represented by one particle of width dx at x on its spine: " + "; ".join(
        f"{', '.join(spine.fields)} on {spine.start} < x < {spine.end}" for spine in energies.spines
    ) + "."  # fmt: skip


def _ends_sentence(energies: Lagrangian, precluded: list[Row]) -> str:
    if not energies.boundary_values:
        return "No boundary value needs a coordinate."
    held = f"{len(precluded)} held at zero (no coordinate, no load)"
    free = f"{len(energies.free)} set by nothing (a natural condition each)"
    compatible = len(energies.boundary) - len(precluded)
    return f"Of the values at the ends, {compatible} given by coordinates; {held}; {free}."


def _coordinates_sentence(energies: Lagrangian) -> str:
    if not energies.coordinates:
        return "There are no discrete coordinates."
    return f"Discrete coordinates: {', '.join(energies.coordinates)}."


def _fields(energies: Lagrangian) -> list[Row]:
    return [Row("ordinary", name, Sum(Symbol(f"xi_{name}")), Sum(Jet(name).symbol)) for name in energies.fields]


def _coordinates(energies: Lagrangian) -> list[Row]:
    return [Row("ordinary", name, Sum(Symbol(f"xi_{name}")), Sum(Jet(name).symbol)) for name in energies.coordinates]


def _surrogate_energies(energies: Lagrangian) -> list[Row]:
    """T* and V of each particle: what holds rates, and the rest."""
    found = []
    for spine in energies.spines:
        density = energies.density.get(spine.name, ZERO)
        rates = {jet.symbol: ZERO for jet in energies.jets.unknowns(density) if jet.t}
        still = density.xreplace(rates) if rates else density
        found.append(_define(f"T_{spine.name}", (density - still) * WIDTH))
        found.append(_define(f"V_{spine.name}", -still * WIDTH))
    return found


def _lagrangian(energies: Lagrangian) -> list[Row]:
    total = energies.rigid + sum((f * WIDTH for f in energies.density.values()), ZERO)
    dissipation = energies.dissipation + sum((f * WIDTH for f in energies.dissipation_density.values()), ZERO)
    return [_define("L_s", total), *([_define("R", dissipation)] if dissipation != 0 else [])]


def _with_width(side: Sum) -> Sum:
    return Sum(side.local + sum((f * WIDTH for f in side.integrals.values()), ZERO))


def _before_integration(row: Row) -> Row:
    return Row("ordinary", row.name, _with_width(row.left), _with_width(row.right))


def _before_division(row: Row) -> Row:
    return Row("ordinary", row.name, row.left.map(lambda f: f * WIDTH), row.right.map(lambda f: f * WIDTH))


def _letter(label: str) -> str:
    return label.replace("@", "_")


def _count(n: int, what: str) -> str:
    return f"{'no' if n == 0 else n} {what}{'' if n == 1 else 's'}"
