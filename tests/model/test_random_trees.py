"""Laws that hold for every model, on models nobody had in mind: routes agree, energy is positive and kept.

FLEXURA_MODEL_CASES=2000 runs more of them.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import symengine
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import flexura as fx
from flexura.derivation.equations.rows import Sum
from flexura.energy.lagrangian import Lagrangian, Spine
from flexura.symbolic.engine import SPINE, ZERO, Basic, Symbol, partial
from flexura.symbolic.integrals import terms
from flexura.symbolic.jets import Jet
from flexura.symbolic.zero import verdict
from random_models import Drawn, models

CASES = int(os.environ.get("FLEXURA_MODEL_CASES", "30"))


def check(law: Callable[[Drawn], None], share: float, **drawn: Any) -> None:
    """A law on its share of the cases; every run draws others when more are asked for."""
    more = "FLEXURA_MODEL_CASES" in os.environ

    @settings(max_examples=max(1, round(CASES * share)), database=None, derandomize=not more)
    @given(models(**drawn))
    def holds(one: Drawn) -> None:
        law(one)

    holds()


# -- (a) the routes agree ------------------------------------------------------------------------------------------


def routes_agree(drawn: Drawn) -> None:
    equations = fx.derive(drawn.model)
    certificate = fx.verify(equations)
    assert certificate, str(certificate)
    assert "variational" in {one.method for one in certificate.compared}
    if "'line'" not in drawn.script and not drawn.spatial:  # no normal form covers roots, or thousands of terms
        assert {one.how for one in certificate.compared if one.method == "variational"} == {"normal form"}


@pytest.mark.parametrize("spatial", [False, True])
def test_every_route_that_applies_gives_the_same_equations(spatial: bool) -> None:
    check(routes_agree, 0.1 if spatial else 0.2, spatial=spatial, size=(2, 3) if spatial else (2, 4))


def test_rigid_trees_agree_with_newton_and_euler_too() -> None:
    check(routes_agree, 0.1, members=False, spatial=False, size=(2, 4))


# -- (b) kinetic energy is positive --------------------------------------------------------------------------------


def kinetic_parts(energies: Lagrangian) -> list[Basic]:
    """The rigid kinetic energy, and the kinetic part of each density: what the rates bring."""

    def of_rates(f: Basic) -> Basic:
        rates = {jet.symbol: ZERO for jet in energies.jets.unknowns(f) if jet.t}
        return f - f.xreplace(rates)

    return [of_rates(energies.settled(f)) for f in (energies.kinetic, *energies.density.values())]


def numbers(
    energies: Lagrangian, f: Basic, generator: random.Random, joints: set[str], size: float
) -> dict[Symbol, Any]:
    """Positive parameters, any place, large motions of joints, deflections of the given size, any rates."""
    found: dict[Symbol, Any] = {}
    for symbol in sorted(f.free_symbols, key=str):
        jet = energies.jets.find(symbol)
        if jet is None:
            found[symbol] = generator.uniform(0.5, 2.0) * (0.2 if symbol == SPINE else 1.0)
        elif jet.t or jet.name in joints:
            found[symbol] = generator.gauss(0.0, 1.0)
        else:
            found[symbol] = size * generator.gauss(0.0, 1.0)
    return found


def kinetic_energy_is_positive(drawn: Drawn, foreshortening: bool) -> None:
    energies = drawn.build(foreshortening=foreshortening).lagrangian
    joints = {name for name in energies.moving if not name.endswith(("_start", "_end"))}
    generator = random.Random(drawn.script)
    total = 0.0
    for f in kinetic_parts(energies):
        at = numbers(energies, f, generator, joints, size=1e-4 if foreshortening or drawn.spatial else 1.0)
        total += float(f.xreplace(at))
        if foreshortening:
            continue
        rates = sorted((one for one in at if (jet := energies.jets.find(one)) and jet.t), key=str)
        still = {symbol: value for symbol, value in at.items() if symbol not in rates}
        hessian = [[float(f.diff(a).diff(b).xreplace(still)) for b in rates] for a in rates]
        if hessian:
            least = np.linalg.eigvalsh(np.array(hessian))
            assert least[0] > -1e-6 * max(1.0, least[-1]), f"{least} in {f}"
    assert total > 0.0, drawn.script


def has_moving_mass(drawn: Drawn) -> bool:
    energies = drawn.build(foreshortening=False).lagrangian
    return any(f != 0 for f in kinetic_parts(energies))


@pytest.mark.parametrize("foreshortening", [False, True])
def test_kinetic_energy_is_positive(foreshortening: bool) -> None:
    def law(drawn: Drawn) -> None:
        assume(has_moving_mass(drawn))
        kinetic_energy_is_positive(drawn, foreshortening)

    check(law, 0.15)


# -- (c) energy is kept --------------------------------------------------------------------------------------------


def times(side: Sum, factor: Basic) -> Sum:
    return side.map(lambda f: f * factor)


def jacobi_energy(energies: Lagrangian, f: Basic) -> Basic:
    """Sum of rate * dL/d(rate) - L, of a rigid energy or of a density."""
    rates = [jet for jet in energies.jets.unknowns(f) if jet.t]
    return symengine.Add(*(jet.symbol * partial(f, jet.symbol) for jet in rates)) - f


def power_of_the_rows(equations: fx.Equations) -> Sum:
    """Every equation times the rate of what it belongs to, integrated along the spines."""
    energies, total = equations.lagrangian, Sum()
    for row in equations.derived:
        if row.kind in ("ordinary", "natural"):
            jet = energies.jets.find(Symbol(row.name))
            assert jet is not None
            total += times(row.residual, Jet(jet.name, jet.x, 1, jet.end).symbol)
        elif row.kind == "partial":
            total += Sum(ZERO, {row.spine: row.residual.local * Jet(row.name, t=1).symbol})
        elif row.kind == "constraint":
            total += Sum(Symbol(row.name) * energies.jets.D_t(row.residual.local))
    return total


def by_parts(side: Sum, energies: Lagrangian) -> Sum:
    """Integrals in one form: derivatives along x moved off the jet with the most time derivatives."""
    local = energies.settled(side.local)
    kept: dict[str, Basic] = {}
    for spine in energies.spines:
        waiting = energies.settled(side.integrals.get(spine.name, ZERO)).expand()
        while waiting != 0:
            again = []
            for term in terms(waiting):
                step = _step(term, spine, energies)
                if step is None:
                    kept[spine.name] = kept.get(spine.name, ZERO) + term
                    continue
                ends = (energies.jets.at(step[0], end, spine.place(end), spine.name) for end in "ba")
                local += energies.settled(next(ends)) - energies.settled(next(ends))
                again.append(step[1])
            waiting = symengine.Add(*again).expand()
    return Sum(local, kept)


def _step(term: Basic, spine: Spine, energies: Lagrangian) -> tuple[Basic, Basic] | None:
    """The antiderivative and what remains of one term, if a derivative can be moved."""
    inside = [jet for jet in energies.jets.unknowns(term) if jet.name in spine.fields and not jet.end]
    top = max(inside, key=lambda jet: (jet.t, jet.name, jet.x), default=None)
    if top is None or top.x == 0 or partial(term, top.symbol).has(top.symbol):
        return None
    lower = replace(top, x=top.x - 1).symbol
    rest, power = term / top.symbol, 0
    while partial(rest, lower) != 0:
        rest, power = rest / lower, power + 1
    raised = lower ** (power + 1) / (power + 1)
    return rest * raised, -(energies.jets.D_x(rest) * raised)


def is_zero(side: Sum, energies: Lagrangian, drawn: Drawn) -> None:
    for part in by_parts(side, energies).parts():
        assert verdict(part), f"{part} is left over\n{drawn.script}"


def energy_is_kept(drawn: Drawn) -> None:
    equations = fx.derive(drawn.model)
    energies = equations.lagrangian
    D_t, settled = energies.jets.D_t, energies.settled
    rigid = D_t(jacobi_energy(energies, settled(energies.rigid)))
    spread = {name: D_t(jacobi_energy(energies, settled(f))) for name, f in energies.density.items()}
    is_zero(Sum(rigid, spread) - power_of_the_rows(equations), energies, drawn)


@pytest.mark.parametrize("spatial", [False, True])
def test_without_losses_and_loads_energy_is_kept_to_a_symbolic_zero(spatial: bool) -> None:
    check(energy_is_kept, 0.05 if spatial else 0.2, conservative=True, spatial=spatial)


# -- (d) space is even ---------------------------------------------------------------------------------------------

A, B, C = symengine.symbols("shift_x shift_y turn_z")


def moved_as_a_whole(energies: Lagrangian, f: Basic) -> Basic:
    """X, Y, theta of the hub after everything is turned by C about the origin and shifted by (A, B)."""
    cosine, sine = symengine.cos(C), symengine.sin(C)
    X, Y, theta = (Symbol(name) for name in ("X", "Y", "theta"))
    X_t, Y_t = Symbol("X_t"), Symbol("Y_t")
    return f.xreplace(
        {
            X: X * cosine - Y * sine + A,
            Y: X * sine + Y * cosine + B,
            theta: theta + C,
            X_t: X_t * cosine - Y_t * sine,
            Y_t: X_t * sine + Y_t * cosine,
        }
    )


def nothing_changes(drawn: Drawn) -> None:
    energies = drawn.model.lagrangian
    for f in (energies.rigid, *energies.density.values()):
        assert verdict(moved_as_a_whole(energies, f) - f), drawn.script


def momentum_is_that_of_the_masses(drawn: Drawn) -> None:
    """The X and Y rows are sum m r'', and theta's with the moments of both is the rate of angular momentum: no load is
    left inside. Read from positions in space, which the energies never use."""
    equations = fx.derive(drawn.build(foreshortening=False))
    energies = equations.lagrangian
    D_t = energies.jets.D_t
    forces, moment = [Sum(), Sum()], Sum()

    def put(spine: str, f: Basic) -> Sum:
        return Sum(ZERO, {spine: energies.settled(f)}) if spine else Sum(energies.settled(f))

    for one in energies.motion.carried:
        x, y, _ = one.position
        a = [D_t(D_t(part)) for part in (x, y)]
        forces = [total + put(one.spine, one.mass * part) for total, part in zip(forces, a, strict=True)]
        spin = one.spin[0][2] + one.spin[1][2]
        moment += put(one.spine, one.mass * (x * a[1] - y * a[0]) + one.inertia[2][2] * D_t(spin))
    rows = {row.name: row.residual for row in equations.derived}
    about_origin = rows["theta"] + times(rows["Y"], Symbol("X")) - times(rows["X"], Symbol("Y"))
    for found, expected in ((rows["X"], forces[0]), (rows["Y"], forces[1]), (about_origin, moment)):
        is_zero(found - expected, energies, drawn)


@given(st.data())
@settings(max_examples=max(1, round(CASES * 0.2)), database=None)
def test_what_floats_does_not_care_where_it_is(data: st.DataObject) -> None:
    drawn = data.draw(models(conservative=True, floating=True, spatial=False, size=(2, 4)))
    nothing_changes(drawn)
    momentum_is_that_of_the_masses(drawn)
