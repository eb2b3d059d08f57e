"""Generalized speeds of the user's own: linear combinations of the rates, u = A q_t + b.

The rates are q_t = J (u - b) with J = A^-1, so the partial velocities are dV/du_r = sum_s dV/dq_s,t J_sr and the
equations of the new speeds are R'_r = sum_s J_sr R_s. Where the speeds given and the rates of the constraints together
make up all the rates, the equations of the speeds given hold no multiplier: Kane's reduced form.

    >>> fx.derive(sleigh, method="kane", speeds={"v": "x_t*cos(theta) + y_t*sin(theta)", "omega": "theta_t"})
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from flexura.derivation.equations.equations import Equations
from flexura.derivation.equations.rows import Row, Sum
from flexura.energy.lagrangian import Lagrangian
from flexura.errors import FlexuraError
from flexura.symbolic.engine import ONE, TIME, ZERO, Basic, partial
from flexura.symbolic.expression import check_name
from flexura.symbolic.jets import Jet
from flexura.symbolic.quantities import text_or_expression
from flexura.symbolic.shorten import quotient, shorter
from flexura.symbolic.zero import verdict

Table = list[list[Basic]]


@dataclass(frozen=True)
class GeneralizedSpeeds:
    """A change of speeds: `rates` gives each new speed in the rates of the `coordinates` it replaces.

    `partial_rates[s][r]` is d(rate of coordinate s)/d(speed r); `dependent` are the speeds that constraints hold at
    zero, with the multipliers that drive them.
    """

    rates: Mapping[str, Basic]
    coordinates: tuple[str, ...]
    partial_rates: Table
    dependent: Mapping[str, str]

    def rows(self, rows: Iterable[Row], reactions: Mapping[str, Sum]) -> tuple[Row, ...]:
        """Equations of the new speeds in place of those of the coordinates; `reactions` is in these rows already."""
        given = list(rows)
        old = {row.name: row for row in given if row.kind == "ordinary" and row.name in self.coordinates}
        if not old:
            return tuple(given)
        new = [
            self._row(r, name, [old[one] for one in self.coordinates], reactions) for r, name in enumerate(self.rates)
        ]
        kept = [row for row in given if row.name not in old or row.kind != "ordinary"]
        return (*new, *kept)

    def _row(self, r: int, name: str, old: Sequence[Row], reactions: Mapping[str, Sum]) -> Row:
        shares = [line[r] for line in self.partial_rates]
        left = combined((row.left for row in old), shares).map(shorter)
        if not self.dependent:
            return Row("ordinary", name, left, combined((row.right for row in old), shares).map(shorter))
        right = combined((row.right - reactions[row.name] for row in old), shares).map(shorter)
        driven = Sum(Jet(self.dependent[name]).symbol) if name in self.dependent else Sum()
        return Row("ordinary", name, left, right + driven)


def combined(sums: Iterable[Sum], shares: Iterable[Basic]) -> Sum:
    """A linear combination of sides of equations."""
    found = Sum()
    for one, share in zip(sums, shares, strict=True):
        if share != 0:
            found += (
                one if share == 1 else Sum(one.local * share, {name: f * share for name, f in one.integrals.items()})
            )
    return found


def read_speeds(given: Mapping[str, Any], energies: Lagrangian) -> GeneralizedSpeeds:
    """Check and invert what the user gives."""
    rates = {name: _read(name, value, energies) for name, value in given.items()}
    held = _held(rates.values(), energies)
    dependent: dict[str, str] = {}
    if len(rates) < len(held) and energies.constraints:
        dependent = {f"u_{name}": name for name in energies.constraints}
        rates |= {speed: _rate(energies.constraints[name], energies) for speed, name in dependent.items()}
        held = _held(rates.values(), energies)
    if len(rates) != len(held):
        raise FlexuraError(
            f"The speeds {', '.join(rates)} hold the rates of {', '.join(held) or 'no coordinate'}",
            advice=(
                "give as many independent speeds as there are rates in them, for instance the rate of a coordinate"
                " itself"
            ),
        )
    slopes = [[partial(f, Jet(name, t=1).symbol) for name in held] for f in rates.values()]
    return GeneralizedSpeeds(rates, held, _inverse(slopes, tuple(rates)), dependent)


def _read(name: str, value: Any, energies: Lagrangian) -> Basic:
    check_name(name, "A speed")
    if name in {*energies.moving, *energies.fields, *energies.parameters, *energies.inputs, *energies.multipliers}:
        raise FlexuraError(f"The speed {name} has the name of something else in the system", advice="choose another")
    f = text_or_expression(value, what=f"the speed {name}").engine
    for symbol in f.free_symbols - {TIME}:
        jet = energies.jets.find(symbol)
        moves = jet is not None and jet.name in energies.moving and jet.t < 2
        if not moves and symbol.name not in energies.parameters:
            raise FlexuraError(
                f"The speed {name} holds {symbol.name}, which is no coordinate, rate or parameter of the system",
                advice=f"the coordinates are {', '.join(energies.moving)}",
            )
    if not _linear(f, energies):
        raise FlexuraError(
            f"The speed {name} is not linear in the rates", advice="write a sum of rates with coefficients"
        )
    return f


def _linear(f: Basic, energies: Lagrangian) -> bool:
    rates = [Jet(one, t=1).symbol for one in energies.coordinates]
    return all(partial(partial(f, one), other) == 0 for one in rates for other in rates)


def _rate(constraint: Basic, energies: Lagrangian) -> Basic:
    f = energies.settled(constraint)
    if energies.jets.unknowns(f) and not any(jet.t for jet in energies.jets.unknowns(f)):
        f = energies.jets.D_t(f)
    if any(jet.end for jet in energies.jets.unknowns(f)) or not _linear(f, energies):
        raise FlexuraError(
            "A constraint holds the free end of a member or is not linear in the rates, so its reaction cannot be"
            " eliminated",
            advice="give as many speeds as there are rates in them",
        )
    return f


def _held(rates: Iterable[Basic], energies: Lagrangian) -> tuple[str, ...]:
    found = {jet.name for f in rates for jet in energies.jets.unknowns(f) if jet.t == 1}
    return tuple(name for name in energies.coordinates if name in found)


def _inverse(matrix: Table, names: tuple[str, ...]) -> Table:
    """Gauss and Jordan with exact entries; the simplest pivot first, so that little is divided by."""
    n = len(matrix)
    rows = [[*row, *(ONE if i == j else ZERO for j in range(n))] for i, row in enumerate(matrix)]
    for column in range(n):
        usable = [i for i in range(column, n) if not verdict(rows[i][column])]
        if not usable:
            raise FlexuraError(
                f"The speeds {', '.join(names)} are not independent of one another", advice="change one of them"
            )
        pivot = min(usable, key=lambda i: (not rows[i][column].is_Number, len(str(rows[i][column]))))
        rows[column], rows[pivot] = rows[pivot], rows[column]
        head = rows[column][column]
        rows[column] = [quotient(one / head) for one in rows[column]]
        for i in range(n):
            factor = rows[i][column]
            if i != column and factor != 0:
                rows[i] = [quotient(a - factor * b) for a, b in zip(rows[i], rows[column], strict=True)]
    return [row[n:] for row in rows]


def in_rates(equations: Equations) -> Equations:
    """The same equations with the rates of the coordinates as speeds: R_s = sum_r R'_r du_r/dq_s,t."""
    if not equations.speeds:
        return equations
    held = _held(equations.speeds.values(), equations.lagrangian)
    mine = [row for row in equations.derived if row.name in equations.speeds]
    others = [row for row in equations.derived if row.name not in equations.speeds]
    back = [_back(name, mine, equations.speeds) for name in held]
    return replace(equations, derived=(*back, *others), speeds={})


def _back(name: str, rows: Sequence[Row], speeds: Mapping[str, Basic]) -> Row:
    shares = [partial(speeds[row.name], Jet(name, t=1).symbol) for row in rows]
    return Row(
        "ordinary", name, combined((row.left for row in rows), shares), combined((row.right for row in rows), shares)
    )
