"""`verify`: derive again by every other route that applies, hold the energies against the parts, and compare."""

from __future__ import annotations

from typing import Any

from flexura.derivation.equations.certificate import Certificate, Comparison
from flexura.derivation.equations.equations import Equations
from flexura.derivation.equivalence import equivalent
from flexura.derivation.routes import MOTION_ROUTES, ROUTES, derive, equations_of, why_not
from flexura.energy.lagrangian import Lagrangian
from flexura.errors import FlexuraError
from flexura.symbolic.multiplied import written_out
from flexura.symbolic.walk import branches

MOST_NODES = 3_000_000
"""What is compared at most where there are fields, in nodes of trees."""
MOST_BRANCHES = 3_000
"""The same without fields, in different branches of the energies: some thirty-five bodies on revolutes in a row."""


def verify(equations: Any) -> Certificate:
    """Prove equations by independent routes, and the energies of a model by its parts.

    Arguments:
        `equations`: equations, a model or a Lagrangian.
    Returns fx.Certificate: true where everything that was compared agrees; `.compared` and `.skipped` say what was and
    what was not, and why.

    >>> import flexura as fx
    >>> bob = fx.RigidBody("bob", m=2.0, I=0.1)
    >>> model = fx.Model(fx.Revolute(fx.ground, bob.at(0, 0.5), name="theta"), fx.Torque(bob, "tau"), fx.Gravity())
    >>> bool(fx.verify(fx.derive(model)))
    True
    """
    equations = equations_of(equations)
    _refuse_long(equations)
    refusals = {method: why_not(equations.lagrangian, method) for method in MOTION_ROUTES}
    skipped = {method: str(refusal) for method, refusal in refusals.items() if refusal}
    methods = [method for method in (*ROUTES, *MOTION_ROUTES) if method not in (*skipped, equations.method)]
    compared = [_compare(equations, method) for method in methods]
    of_parts = _parts(equations.lagrangian)
    if isinstance(of_parts, str):
        skipped |= {"parts": of_parts} if of_parts else {}
    else:
        compared.append(of_parts)
    return Certificate(equations.method, tuple(compared), skipped)


def _refuse_long(equations: Equations) -> None:
    """Rows with fields are compared tree by tree, however often a branch is used; those without, branch by branch."""
    energies = equations.lagrangian
    if energies.fields:
        what, most = "written out they are", MOST_NODES
        size = written_out(f for row in equations.derived for side in row.sides for f in side.parts())
    else:
        what, most = "their energies are", MOST_BRANCHES
        size = len(branches([energies.kinetic, energies.potential, energies.dissipation]))
    if size > most:
        raise FlexuraError(
            f"These equations are too long to be verified: {what} {size:.1g} symbols and operations, and at most"
            f" {most:.0e} are compared",
            advice="verify a shorter chain of the same parts, whose longer one is derived by the same rules",
        )


def _compare(equations: Equations, method: str) -> Comparison:
    result = equivalent(equations, derive(equations.lagrangian, method))
    differences = {} if result else {name: str(left) for name, left in result.difference.items()}
    return Comparison(method, bool(result), result.compared, result.how, differences)


def _parts(energies: Lagrangian) -> Comparison | str:
    """The energies against the parts, or why not; "" where there never were any."""
    if energies.source is None:
        return "The energies came without the parts; verify the equations of the model itself." * bool(energies.members)
    from flexura.derivation.prove.compare import compare  # with mpmath, which takes its time to load
    from flexura.derivation.prove.read import UnreadableError

    try:
        found = compare(energies)
    except FlexuraError as refusal:
        return f"The energies are not held against their parts, because {refusal.words}."
    except (UnreadableError, ZeroDivisionError) as reason:
        return f"The energies are not held against their parts, because {reason}."
    shortening = "shortening to second order" if energies.source.foreshortening else "without shortening"
    how = f"{found.states} random states to {found.digits} digits{f', {shortening}' if found.bends else ''}"
    how += f"; {', '.join(found.skipped)} not compared" if found.skipped else ""
    return Comparison("parts", bool(found), found.compared, how, found.differences, "parts -> Lagrangian")
