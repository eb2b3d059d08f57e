"""Generalized masses and forces from positions ([V] I.3), and Lagrange's procedure for discrete systems in eight steps.

>>> generalized_masses(model)              # a SymPy matrix: m_ik in the order of the coordinates
>>> generalized_forces(model)["x1"]        # f1 + f2 + f3
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from flexura.derivation.equations.rows import Row, Sum
from flexura.derivation.equations.steps import Step
from flexura.energy.lagrangian import Lagrangian
from flexura.errors import FlexuraError
from flexura.symbolic.engine import ZERO, Basic, Symbol, partial
from flexura.symbolic.jets import Jet
from flexura.symbolic.kinematics.motion import FreeBodies, FreeBody
from flexura.symbolic.kinematics.vectors import Vector, change, dot, slope, turn, turn_back
from flexura.symbolic.shorten import shorter


def generalized_masses(system: Any) -> Any:
    """m_ik = sum_j m_j dr_j/dq_i . dr_j/dq_k + I_j dth_j/dq_i dth_j/dq_k: a SymPy matrix, coordinates in their order.

    From the positions of the mass centres and the turns of the bodies, not from T. In a rheonomic system, one with a
    prescribed motion, sum m_ik q_i' q_k' / 2 is not all of T: it lacks the terms linear in the rates and free of them.

    >>> fx.generalized_masses(model)[0, 1]
    """
    import sympy

    from flexura.derivation.equations.sympy_rows import sympy_form

    energies: Lagrangian = getattr(system, "lagrangian", system)
    bodies = free_bodies_of(energies, "Generalized masses").bodies
    form = sympy_form(energies)
    names = energies.coordinates
    found = [[energies.driven(shorter(_mass(bodies, a, b, energies))) for b in names] for a in names]
    return sympy.Matrix([[form.tree(f) for f in row] for row in found])


def _mass(bodies: Iterable[FreeBody], a: str, b: str, energies: Lagrangian) -> Basic:
    return sum((_share(one, a, b) for one in bodies), ZERO)


def _share(body: FreeBody, a: str, b: str) -> Basic:
    """What one body adds; its angular velocity is taken in its own axes, where its inertia is constant."""
    moves = [slope(body.position, Symbol(name)) for name in (a, b)]
    spin = change(turn_back(body.rotation, body.spin), shorter)
    turns = [_by_rate(spin, name) for name in (a, b)]
    return body.mass * dot(moves[0], moves[1]) + dot(turns[0], turn(body.inertia, turns[1]))


def _by_rate(spin: Vector, name: str) -> Vector:
    return slope(spin, Jet(name, t=1).symbol)


def generalized_forces(system: Any) -> dict[str, Any]:
    """Q_i = sum_j F_j . drho_j/dq_i of the applied forces and torques, in SymPy, by coordinate; t is frozen.

    Weight, springs and dampers are in the energies and not here.

    >>> fx.generalized_forces(model)["x2"]
    """
    from flexura.derivation.equations.sympy_rows import sympy_form

    energies: Lagrangian = getattr(system, "lagrangian", system)
    free = free_bodies_of(energies, "Generalized forces")
    form, spins = sympy_form(energies), {one.name: one.spin for one in free.bodies}
    found = dict.fromkeys(energies.coordinates, ZERO)
    for one in free.wrenches:
        if one.kind in ("force", "torque"):
            for name in found:
                moved = slope(one.point, Symbol(name))
                power = dot(one.force, moved) + dot(one.couple, _by_rate(spins[one.body], name))
                found[name] += one.amount * shorter(power)
    return {name: form.tree(energies.driven(f.expand())) for name, f in found.items()}


def free_bodies_of(energies: Lagrangian, what: str) -> FreeBodies:
    """The free bodies of a system of rigid parts; a sentence if it has none."""
    if not isinstance(energies, Lagrangian):
        raise FlexuraError(
            f"{what} are found from a model or equations, and {energies!r} is neither", advice="give one"
        )
    free: FreeBodies | None = getattr(energies.motion, "free_bodies", None)
    if free is None:
        raise FlexuraError(
            f"{what} need bodies and their positions", advice="this system was given by its energies alone"
        )
    if free.refusal:
        raise FlexuraError(f"{what} cannot be taken from positions here: {free.refusal}", advice=free.advice)
    return free


def discrete_steps(energies: Lagrangian, rows: tuple[Row, ...]) -> tuple[Step, ...]:
    """Lagrange's equations of a system without fields, in the eight steps of [V] I.4."""
    free: FreeBodies | None = getattr(energies.motion, "free_bodies", None)
    known = " ".join(free_body_sentences(free)) if free else ""
    told: list[tuple[str, str, Iterable[Row]]] = [
        ("Degrees of freedom", _freedom_sentence(energies), []),
        ("Generalized coordinates", _coordinate_sentence(energies), [row for row in rows if row.kind == "constraint"]),
        ("Free bodies", known or "The system was given by its energies, so no bodies are drawn.", []),
        (
            "Kinetic energy T",
            "Of all bodies; what multiplies the products of rates are the generalized masses.",
            [_define("T", energies.kinetic), *_masses_in(energies)],
        ),
        ("Potential energy U", "Of springs and weight.", [_define("U", energies.potential)]),
        ("Dissipation R", "Half of what the dampers take away per time.", [_define("R", energies.dissipation)]),
        (
            "Generalized forces Q",
            "Virtual work of the loads that are in neither U nor R, time frozen; workless reactions never enter.",
            [_define(f"Q_{name}", energies.work.get(name, ZERO)) for name in _followed(energies)],
        ),
        (
            "Lagrange equation for every coordinate",
            "For each coordinate, the rate of dT/dq' less dT/dq, plus dR/dq' and dU/dq, is Q; constraints add their"
            " multipliers.",
            [row for row in rows if row.kind in ("ordinary", "constraint", "reaction")],
        ),
    ]
    return tuple(
        Step(i, title, text, tuple(content), energies, title == "Free bodies")
        for i, (title, text, content) in enumerate(told, 1)
    )


def free_body_sentences(free: FreeBodies) -> Iterator[str]:
    """One sentence for each body: what acts on it and what holds it."""
    for body in free.bodies:
        acting = dict.fromkeys(
            one.kind if one.name in ("", one.kind) else f"{one.kind} {one.name}"
            for one in free.wrenches
            if one.body == body.name
        )
        held = [f"reactions at {one.name}" for one in free.holds if body.name in (one.p, one.q)]
        yield f"{body.name}: {', '.join([*acting, *held]) or 'nothing acts on it'}."


def _freedom_sentence(energies: Lagrangian) -> str:
    count, held = len(energies.coordinates) - len(energies.states), len(energies.constraints)
    few = count - held
    told = f"{energies.story.get(1, '')} The system has {few} degree{'' if few == 1 else 's'} of freedom"
    return told.lstrip() + (f": {count} coordinates under {held} constraint{'s' if held > 1 else ''}." if held else ".")


def _coordinate_sentence(energies: Lagrangian) -> str:
    dependent = "They are not independent: each constraint brings a multiplier."
    told = energies.story.get(4) or f"Coordinates: {', '.join(energies.coordinates) or 'none'}."
    return f"{told} {dependent if energies.constraints else 'They are independent.'}"


def _masses_in(energies: Lagrangian) -> Iterator[Row]:
    moving = [name for name in energies.coordinates if name not in energies.states]
    for i, a in enumerate(moving):
        for b in moving[i:]:
            mass = partial(partial(energies.kinetic, Jet(a, t=1).symbol), Jet(b, t=1).symbol)
            yield _define(f"m_{a}_{b}", shorter(mass))


def _followed(energies: Lagrangian) -> list[str]:
    """Coordinates without those that are prescribed: what drives these is found with the equations."""
    return [name for name in energies.mechanical if name not in energies.prescribed]


def _define(name: str, f: Basic) -> Row:
    return Row("ordinary", name, Sum(Symbol(name)), Sum(f))
