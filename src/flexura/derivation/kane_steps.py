"""Kane's derivation told step by step, as data."""

from __future__ import annotations

from collections.abc import Iterator

from flexura.derivation.equations.rows import Kind, Row, Sum
from flexura.derivation.equations.steps import Step
from flexura.derivation.kane import Partials, partial_velocities
from flexura.derivation.kane_lines import Column, ForceTable
from flexura.derivation.kane_speeds import GeneralizedSpeeds
from flexura.energy.lagrangian import Lagrangian
from flexura.symbolic.engine import WIDTH, ZERO, Basic, Symbol
from flexura.symbolic.jets import Jet
from flexura.symbolic.kinematics.motion import Carried, ModelMotion
from flexura.symbolic.kinematics.vectors import add

AXES = "xyz"


def kane_steps(
    energies: Lagrangian,
    motion: ModelMotion,
    table: ForceTable,
    rows: tuple[Row, ...],
    speeds: GeneralizedSpeeds | None,
) -> tuple[Step, ...]:
    """Speeds, velocities, partial velocities, active forces, inertia forces, their sums, and the change of speeds."""
    told: list[tuple[str, str, list[Row]]] = [
        ("Generalized speeds", _speeds_sentence(energies), list(_speeds(energies))),
        (
            "Velocities",
            "Of mass centres and of the representative particle at x of each member, and spins, along axes that turn"
            " with their frames.",
            [row for one in motion.carried for row in _velocities(one)],
        ),
        (
            "Partial velocities",
            "What multiplies each speed in them; of bodies, then of particles.",
            [row for one in motion.carried for row in _partials(one, energies)],
        ),
        (
            "Generalized active forces",
            "The power of weight, springs, dampers, stresses and loads for a unit of each speed. Stresses are"
            " integrated by parts along their spines, which passes loads on to what holds the ends.",
            list(_forces("F", energies, table, "inner", "applied", "ends", "reactions")),
        ),
        (
            "Generalized inertia forces",
            "Minus mass times acceleration on the partial velocities, and minus the rate of angular momentum on the"
            " partial spins; masses that a bent member draws in add theirs.",
            list(_forces("F_inertia", energies, table, "inertia")),
        ),
        (
            "Inside the spines",
            "Their sum vanishes for the rate of each field: the width dx is divided out.",
            _of(rows, "partial"),
        ),
        (
            "Speeds and ends",
            "Their sum vanishes for each speed; a given value at an end hands its load to the speeds that move it.",
            _of(rows, "ordinary", "reaction", "natural", "geometric", "constraint"),
        ),
    ]  # fmt: skip
    if speeds is not None:
        told.insert(1, ("Change of speeds", _change_sentence(speeds), list(_changed(speeds))))
    return tuple(Step(i, title, text, tuple(content), energies) for i, (title, text, content) in enumerate(told, 1))


def _of(rows: tuple[Row, ...], *kinds: Kind) -> list[Row]:
    return [row for kind in kinds for row in rows if row.kind == kind]


def _speeds_sentence(energies: Lagrangian) -> str:
    kinds = [
        f"{len(names)} of {what}"
        for what, names in (
            ("discrete coordinates", energies.moving),
            ("fields", energies.fields),
            ("free values at ends", energies.free),
        )
        if names
    ]
    return f"The rates of all that moves independently: {', '.join(kinds) or 'none'}."


def _speeds(energies: Lagrangian) -> Iterator[Row]:
    for jet in (*map(Jet, energies.moving), *map(Jet, energies.fields), *energies.free):
        yield _define(f"u_{_letter(jet.label)}", Jet(jet.name, jet.x, 1, jet.end).symbol)


def _change_sentence(speeds: GeneralizedSpeeds) -> str:
    told = f"The speeds {', '.join(speeds.rates)} take the place of the rates of {', '.join(speeds.coordinates)}"
    if not speeds.dependent:
        return f"{told}: each equation is the combination of theirs with the partial rates."
    held = ", ".join(speeds.dependent)
    return f"{told}. The constraints hold {held} at zero, so the other equations hold no multiplier."


def _changed(speeds: GeneralizedSpeeds) -> Iterator[Row]:
    for name, rate in speeds.rates.items():
        yield _define(name, rate)
    for name, line in zip(speeds.coordinates, speeds.partial_rates, strict=True):
        for speed, one in zip(speeds.rates, line, strict=True):
            if one != 0:
                yield _define(f"u_{name}_{speed}", one)


def _velocities(one: Carried) -> Iterator[Row]:
    for letter, vector in (("v", one.velocity), ("omega", add(*one.spin))):
        if letter == "v" or _turns(one):
            yield from (
                _define(f"{letter}_{one.name}_{axis}", part)
                for axis, part in zip(AXES, vector, strict=True)
                if part != 0
            )


def _partials(one: Carried, energies: Lagrangian) -> Iterator[Row]:
    yield from _partial_rows(f"v_{one.name}", partial_velocities(one.velocity, energies.jets))
    if _turns(one):
        yield from _partial_rows(f"omega_{one.name}", partial_velocities(add(*one.spin), energies.jets))


def _partial_rows(stem: str, partials: Partials) -> Iterator[Row]:
    for jet, vector in partials.items():
        for axis, part in zip(AXES, vector, strict=True):
            if part != 0:
                yield _define(f"{stem}_{axis}_{_letter(jet.label)}", part)


def _turns(one: Carried) -> bool:
    return any(entry != 0 for row in one.inertia for entry in row)


def _forces(stem: str, energies: Lagrangian, table: ForceTable, *columns: Column) -> Iterator[Row]:
    for jet in energies.generalized:
        yield _define(f"{stem}_{_letter(jet.label)}", table.entry(jet.label, *columns))
    for name in energies.fields:
        yield _define(f"{stem}_{name}", table.along(name, *columns) * WIDTH)


def _define(name: str, value: Basic | Sum) -> Row:
    return Row("ordinary", name, Sum(Symbol(name)), value if isinstance(value, Sum) else Sum(ZERO + value))


def _letter(label: str) -> str:
    return label.replace("@", "_")
