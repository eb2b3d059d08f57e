"""The power equation: d(T + U)/dt is the power of the forces that are not in U ([V] I.2). One equation, one coordinate.

No Lagrange equation is written here: energies are differentiated in time along the motion, and the rate, which every
term then holds as a factor, is divided out.

    >>> fx.derive(pendulum, method="power")
"""

from __future__ import annotations

import symengine

from flexura.derivation.equations.rows import Row, Sum
from flexura.derivation.equations.steps import Step
from flexura.energy.lagrangian import Lagrangian
from flexura.errors import FlexuraError
from flexura.symbolic.engine import ZERO, Basic, Symbol, partial
from flexura.symbolic.integrals import factors, terms
from flexura.symbolic.jets import Jet
from flexura.symbolic.zero import verdict


def power_refusal(energies: Lagrangian) -> FlexuraError | None:
    """Why the power equation does not apply; None if it does."""
    reason = _freedom(energies) or _moving_support(energies)
    if not reason:
        return None
    return FlexuraError(f"The route 'power' does not apply: {reason}", advice="use 'surrogate' or 'variational'")


def _freedom(energies: Lagrangian) -> str:
    """One equation is enough for one coordinate only."""
    if energies.fields:
        return (
            "it gives one equation, and a system with the fields"
            f" {', '.join(energies.fields)} has infinitely many degrees of freedom"
        )
    count, held = len(energies.coordinates) - len(energies.states), len(energies.constraints)
    if held:
        return (
            f"it gives one equation and no multiplier, and this system has {count} coordinates under {held}"
            f" constraint{'s' if held > 1 else ''} ({count - held} degree{'' if count - held == 1 else 's'} of freedom)"
        )
    return "" if count == 1 else f"it gives one equation, and this system has {count} degrees of freedom"


def _moving_support(energies: Lagrangian) -> str:
    """In a system that depends on time explicitly the support does work too, which no energy here tells."""
    if energies.prescribed:
        return (
            f"the supports that drive {', '.join(energies.prescribed)} do work on the system, which is not known here"
        )
    name = energies.coordinates[0]
    q, rate = Jet(name).symbol, Jet(name, t=1).symbol
    T, U = energies.kinetic, energies.potential
    explicit = [energies.jets.D_t(f) - partial(f, q) * rate - partial(f, rate) * Jet(name, t=2).symbol for f in (T, U)]
    homogeneous = 2 * T - rate * partial(T, rate)
    if any(not verdict(f) for f in (*explicit, homogeneous)) or partial(U, rate) != 0:
        return "its energies depend on time or on a given motion, so a support does work on it, which is not known here"
    return ""


def power_rows(energies: Lagrangian) -> tuple[Row, ...]:
    """The equation of motion: the balance of power divided by the rate."""
    name = energies.coordinates[0]
    left, right = (divided(side, Jet(name, t=1).symbol) for side in _balance(energies))
    return (Row("ordinary", name, Sum(left), Sum(right)),)


def _balance(energies: Lagrangian) -> tuple[Basic, Basic]:
    """d(T + U)/dt plus what the dampers take, and what the loads give."""
    D_t, name = energies.jets.D_t, energies.coordinates[0]
    rate = Jet(name, t=1).symbol
    taken = rate * partial(energies.dissipation, rate)
    return D_t(energies.kinetic) + D_t(energies.potential) + taken, rate * energies.work.get(name, ZERO)


def divided(f: Basic, rate: Symbol) -> Basic:
    """f / rate, if the rate is a factor of every term."""
    quotients = [term / rate for term in terms(f.expand())]
    if any(_holds_below(term, rate) for term in quotients):
        raise FlexuraError(
            f"The power {f.expand()} does not hold the rate {rate} as a factor", advice="use another route"
        )
    return symengine.Add(*quotients)


def _holds_below(term: Basic, rate: Symbol) -> bool:
    powers = [one for one in factors(term) if isinstance(one, symengine.Pow) and one.args[0] == rate]
    return any(one.args[1].is_Number and one.args[1].is_negative for one in powers)


def power_steps(energies: Lagrangian, rows: tuple[Row, ...]) -> tuple[Step, ...]:
    """Energies, power of the other forces, their balance, division by the rate."""
    name = energies.coordinates[0]
    rate = Jet(name, t=1).symbol
    left, right = (side.expand() for side in _balance(energies))
    taken = -rate * partial(energies.dissipation, rate)
    power = _define("P", (taken + rate * energies.work.get(name, ZERO)).expand())
    told = [
        (
            "One degree of freedom",
            f"The coordinate {name} describes the system, and one equation is enough.",
            [],
        ),
        (
            "Energies",
            "Reactions that do no work never appear.",
            [_define("T", energies.kinetic), _define("U", energies.potential)],
        ),
        ("Power of the nonconservative forces", "Loads give power, dampers take it.", [power]),
        (
            "Balance of power",
            "The energies change at the rate of that power: every term holds the rate as a factor.",
            [Row("ordinary", name, Sum(left), Sum(right))],
        ),
        ("Divide by the rate", f"The common factor {rate} is divided out: the equation of motion.", rows),
    ]
    return tuple(Step(i, title, text, tuple(content), energies) for i, (title, text, content) in enumerate(told, 1))


def _define(name: str, f: Basic) -> Row:
    return Row("ordinary", name, Sum(Symbol(name)), Sum(f))
