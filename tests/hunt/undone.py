"""What was mended, undone again: each with the smallest patch that brings the wrong answer back, and who sees it.

    >>> with undone("the blow of a motion whose speed jumps"): ...

Every one must turn a trial of its family from good to bad, or the hunt would not see it come back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pkgutil import resolve_name
from typing import Any
from unittest.mock import patch

import numpy as np

from flexura.structures.operating.chains import ZeroRoots
from hunt.families import FAMILIES
from hunt.trial import Outcome, run

Change = tuple[str, Callable[[Any], Any]]
"""What is patched, as "module:name" or "module:Class.name", and what is put there, given what was."""


@dataclass(frozen=True)
class Undone:
    """One mended thing: the changes that undo it, and a trial that must see them."""

    changes: tuple[Change, ...]
    family: str
    number: int
    verb: str

    def outcome(self) -> Outcome:
        """Of the trial, as things are now."""
        trial = FAMILIES[self.family][0](self.number)
        return next(run(replace(trial, checks={self.verb: trial.checks[self.verb]})))


def always(value: Any) -> Callable[[Any], Any]:
    """Put a function there that always says this."""
    return lambda _: lambda *__, **___: value


def _put(value: Any) -> Callable[[Any], Any]:
    return lambda _: value


@contextmanager
def undone(name: str) -> Iterator[Undone]:
    """Undo one of the table while the block runs."""
    with ExitStack() as stack:
        for where, change in UNDONE[name].changes:
            module, _, path = where.partition(":")
            *owners, attribute = path.split(".")
            owner = resolve_name(f"{module}:{'.'.join(owners)}" if owners else module)
            stack.enter_context(patch.object(owner, attribute, change(vars(owner)[attribute])))
        yield UNDONE[name]


# -- how it was ------------------------------------------------------------------------------------------------------


def _without_idle(kernel_of: Any) -> Any:
    return lambda stiffness: replace(kernel_of(stiffness), idle=np.zeros((stiffness.n, 0)))


def _soft_is_free(free_first: Any) -> Any:
    def found(system: Any, q: Any) -> Any:
        soft, turn = free_first(system, q)
        return replace(soft, image=0 * soft.image, noise=0 * soft.noise, doubt=0.0, hidden=0.0), turn

    return found


def _without_tension(_: Any) -> Any:
    return lambda problem, t, T, f, moments: [one.displacements for one in moments]


def _rigid_is_zero(_: Any) -> Any:
    """Every rigid motion and its drift count as roots at zero, though the frame's rotation pulls on them."""

    def found(pencil: Any) -> ZeroRoots:
        q, M, C = pencil.q, pencil.system.M, pencil.system.rates
        x, v = np.hstack([q, 0 * q]), np.hstack([0 * q, q])
        states, B = np.vstack([x, v]), np.vstack([(0 if C is None else C.T @ x) + M @ v, M.T @ x])
        left = np.linalg.solve((B.conj().T @ states).conj(), B.T).T if q.shape[1] else B
        return ZeroRoots(q, states, left)

    return found


def _no_defect(_: Any) -> Any:
    return lambda operator, s, X: np.zeros(len(s))


def _nothing_missing(left_out: Any) -> Any:
    def found(*given: Any) -> Any:
        missing = left_out(*given)
        return replace(missing, shares=dict.fromkeys(missing.shares, 0.0), together=0.0)

    return found


def _balanced(out_of_balance: Any) -> Any:
    def found(*given: Any) -> Any:
        M, left = out_of_balance(*given)
        return M, 0 * left

    return found


def _real_part(_: Any) -> Any:
    return lambda system: object.__setattr__(system, "K", np.real(system.K))


def _never_ends(_: Any) -> Any:
    """Every branch goes on with the nearest entry, whatever it is."""
    from flexura.solve.roots import branches as room

    def matched(branches: Any, entries: Any, step: float) -> Any:
        cost = np.where(np.isfinite(found := room._cost(branches, entries, step)), found, 9.0)
        return room._Matched({k: i for i, k in room._assigned(cost, []).items()}, {}, set(), set())

    return matched


def _no_errors(time_errors: Any) -> Any:
    def found(mechanics: Any, curve: Any) -> Any:
        t, errors, _ = time_errors(mechanics, curve)
        return t, 0 * errors, 1.0

    return found


def _at_ends_only(_: Any) -> Any:
    """The largest energy is looked for at the first state only."""
    return lambda curve: (curve.t[:1], curve.q[:1], curve.v[:1])


def _loses_nothing(lost: Any) -> Any:
    """No line seems to lose digits, so that none enters in mixed form."""
    return lambda one, *given: 0 * lost(one, *given)


_NO_BREAKS = tuple(
    (f"flexura.{room}:breaks_along", always(()))
    for room in ("solve.exact.reading", "discretisation.layout", "solve.runs.spread", "solve.rest_shapes")
)

UNDONE: dict[str, Undone] = {
    "free members keep their motions without strain, and momenta are balanced": Undone(
        (
            ("flexura.solve.steppers.subspace:_moving", lambda _: lambda shapes, M: shapes[:, :0]),
            ("flexura.solve.runs.refine:left_out", _nothing_missing),
            ("flexura.solve.runs.momenta:_out_of_balance", _balanced),
        ),
        "pushed", 7, "simulate",
    ),
    "linear motions after a short pulse take the order that follows their waves": Undone(
        (("flexura.solve.runs.refine:settled_order", lambda _: lambda question, elements, first, groups: first),),
        "frames", 110, "simulate",
    ),
    "roots at zero of a turning frame come from the kernel of the whole K and its chains": Undone(
        (
            ("flexura.solve.roots.matrix_damped:zero_roots", _rigid_is_zero),
            ("flexura.solve.roots.shift_invert:Shifted.defects", _no_defect),
        ),
        "spins", 7, "modes",
    ),
    "certificates claim what a second count, with other matrices, confirms": Undone(
        (
            ("flexura.solve.exact.undamped:_rough", always(False)),
            ("flexura.solve.exact.undamped:_first_is_rough", always(False)),
            ("flexura.solve.exact.undamped:_unproved", always([])),
        ),
        "steps", 13, "certificate",
    ),
    "conditions on coordinates and rates have multipliers": Undone(
        (
            ("flexura.solve.exact.reading:Reader._mixed", always(False)),
            ("flexura.discretisation.linear:_Conditions.mixed", lambda _: property(lambda of: [False] * len(of.rates))),
        ),
        "pencils", 0, "modes",
    ),
    "loads that jump along a member are integrated piece by piece": Undone(_NO_BREAKS, "frames", 8, "response"),
    "short inputs are not stepped over": Undone(
        (
            ("flexura.systems.signals.scales:Scales.reach", always(np.inf)),
            ("flexura.systems.signals.scales:Scales.crowded", lambda _: lambda one, a, b: np.zeros(np.shape(a), bool)),
        ),
        "pulses", 0, "simulate",
    ),
    "the blow of a motion whose speed jumps": Undone(
        (("flexura.solve.steppers.impulses:GivenSpeeds.jump", always(False)),), "shaken", 1, "simulate"
    ),
    "members that leave their theory say so": Undone(
        (("flexura.solve.runs.theory:Bending.error", _put(0.0)), ("flexura.solve.runs.theory:Bending.bent", _put(0.0))),
        "far", 4, "equilibrium",
    ),
    "zero modes by the rank of strains": Undone(
        (
            ("flexura.solve.exact.kernels:null_space", lambda _: lambda rows, n: np.zeros((n, 0))),
            ("flexura.solve.exact.undamped:_unproved", always([])),
        ),
        "lines", 0, "modes",
    ),
    "idle coordinates are left out": Undone(
        (
            ("flexura.solve.exact.kernels:kernel_of", _without_idle),
            ("flexura.model.builder:Builder._idle", always(frozenset())),
        ),
        "hubs", 0, "modes",
    ),
    "soft mounts keep their stiffness": Undone(
        (("flexura.structures.operating.split:free_first", _soft_is_free),), "mounts", 1, "modes"
    ),
    "forces that joints pass on stiffen": Undone(
        (("flexura.solve.runs.mechanism:MechanismProblem._stiffness", _without_tension),), "halves", 0, "simulate"
    ),
    "structural damping counts": Undone(
        (("flexura.systems.second_order:SecondOrderSystem._split_complex", _real_part),), "hysteretic", 0, "response"
    ),
    "units of parameters are checked": Undone(
        (("flexura.symbolic.quantities:misfit", always("")),), "texts", 0, "units"
    ),
    "branches end where roots merge": Undone(
        (("flexura.solve.roots.branches:_matched", _never_ends),), "branches", 26, "campbell"
    ),
    "names that look like motions are refused": Undone(
        (("flexura.model.wording:_refuse_likeness", always(None)),), "texts", 1, "names"
    ),
    "the scale of a balance is that of the whole run": Undone(
        (("flexura.solve.steppers.energy_balance:_some", _at_ends_only),), "still", 2, "simulate"
    ),
    "runs state how far they may be off": Undone(
        (("flexura.solve.runs.run_error:time_errors", _no_errors),), "tumbling", 0, "simulate"
    ),
    "energies are held against their parts": Undone(
        (("flexura.derivation.verify:_parts", always("")),), "mutants", 0, "verify"
    ),
    "runs that end early warn": Undone(
        (("flexura.solve.runs.equations:_warned", lambda _: lambda one: one),), "rubbing", 3, "simulate"
    ),
    "responses beside stiff members keep their digits": Undone(
        (("flexura.solve.exact.response:_ResponseSolver._lost", _loses_nothing),), "frames", 16, "response"
    ),
    "events that graze are found": Undone(
        (("flexura.solve.steppers.run:away_from_zero", always(True)),), "grazing", 0, "simulate"
    ),
}  # fmt: skip
