"""Natural frequencies and modes of linear equations: exact, counted, with shapes.

>>> modes = fx.modes(equations, count=8, values={"EI": 50.0})
>>> modes.frequencies, modes.shape(0).w(0.5), print(modes.certificate)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import singledispatch
from typing import Any

import numpy as np

from flexura.derivation.equations.equations import Equations
from flexura.derivation.family import linear_at
from flexura.derivation.linearise import linearise
from flexura.derivation.routes import can_be_derived, small_equations_of
from flexura.errors import FlexuraError
from flexura.solve.exact.damped import Damped, solve_damped
from flexura.solve.exact.kernels import Settled, settle
from flexura.solve.exact.reading import read_linear
from flexura.solve.exact.shapes import Shape, shape_of
from flexura.solve.exact.undamped import Undamped, solve_undamped
from flexura.solve.roots.found import Modes, ModesCertificate, zero_modes
from flexura.solve.roots.matrix_modes import matrix_modes
from flexura.solve.roots.ritz import ritz_modes
from flexura.solve.values import free_motions, numbers
from flexura.systems.second_order import SecondOrderSystem, refuse_for_matrices


def modes(
    equations: Any,
    count: int = 10,
    values: Mapping[str, Any] | None = None,
    method: str = "exact",
    near: complex | None = None,
    order: int | None = None,
    elements: int | None = None,
    about: Mapping[str, Any] | None = None,
) -> Modes:
    """Natural frequencies and modes, exact and counted: of a model, of equations, of matrices, or of a frame at rest.

    Arguments:
        `equations`: a model, equations, an fx.SecondOrderSystem or an fx.BeamFrame; nonlinear ones are linearised
            first.
        `count`: how many, the first ones, zero and repeated ones included; or those nearest to `near`, an eigenvalue
            in 1/s.
        `values`: numbers for parameters without one.
        `method`: "exact", or "ritz", which discretises with polynomials of `order` in each of `elements` to a member,
            refined where these are not given.
        `about`: a state other than zero, from fx.equilibrium or a point of a path, whose values are used; or a dict.
    Returns fx.Modes: `.frequencies` (count,) in rad/s, `.eigenvalues`, `.damping_ratios`, `.shape(k)`, `.certificate`,
    by which none is missed. Undamped: each frequency is bracketed by a count of modes. Damped or gyroscopic (decided
    with the values in): one of each pair of complex eigenvalues and every real one, by ascending |s|.

    >>> import flexura as fx
    >>> beam = fx.EulerBernoulliBeam("beam", EI=50.0, rho=1.2, length=1.3)
    >>> model = fx.Model(fx.Fixed(fx.ground, beam.start), fx.Force(beam.end, "F"))
    >>> found = fx.modes(model, 2)
    >>> (found.frequencies / (50.0 / 1.2) ** 0.5 * 1.3**2).round(6).tolist()
    [3.516015, 22.034492]
    """
    if about is not None:
        equations, values = linear_about(equations, about, values, "fx.modes"), None
    return _modes_of(equations, count, values, method, near, order, elements)


def linear_about(equations: Any, about: Mapping[str, Any], values: Mapping[str, Any] | None, verb: str) -> Equations:
    """The linear equations about a state; matrices and frames have none but zero."""
    if not can_be_derived(equations):
        raise FlexuraError(f"{verb} takes about= for equations only", advice="leave it out for matrices and frames")
    return linearise(equations, about, values)


@singledispatch
def _modes_of(system: Any, *how: Any) -> Modes:
    if can_be_derived(system):
        return _of_equations(small_equations_of(system), *how)
    from flexura.solve.kinds import matrices_of  # frames and mechanisms are loaded where they are asked for

    return _modes_of(matrices_of(system, "fx.modes"), *how)


@_modes_of.register
def _of_matrices(
    system: SecondOrderSystem,
    count: int,
    values: Mapping[str, Any] | None,
    method: str,
    near: complex | None,
    order: int | None,
    elements: int | None,
) -> Modes:
    refuse_for_matrices("fx.modes", values=values, order=order, elements=elements)
    if method != "exact":
        raise FlexuraError(
            f"method is {method!r}, which is for equations", advice="leave it out for a system of matrices"
        )
    return replace(matrix_modes(system, count, near), system=system)


@_modes_of.register
def _of_equations(
    equations: Equations,
    count: int,
    values: Mapping[str, Any] | None,
    method: str,
    near: complex | None,
    order: int | None,
    elements: int | None,
) -> Modes:
    linear = free_motions(linear_at(equations, values), values)
    found = _solved(linear, count, values, method, near, order, elements)
    return replace(found, equations=linear, values=dict(values or {}))


def _solved(
    equations: Equations,
    count: int,
    values: Mapping[str, Any] | None,
    method: str,
    near: complex | None,
    order: int | None,
    elements: int | None,
) -> Modes:
    if method not in ("exact", "ritz"):
        raise FlexuraError(f"method is {method!r}", advice="use 'exact' or 'ritz'")
    if method == "exact" and (order is not None or elements is not None):
        raise FlexuraError("order and elements are for method='ritz'", advice="leave them out, or ask for that method")
    if isinstance(count, bool) or not isinstance(count, int | np.integer) or count < 1:
        raise FlexuraError(f"count is {count!r}", advice="give a whole number of modes, 1 or more")
    if near is not None and not np.isfinite(near):
        raise FlexuraError(f"near is {near}", advice="give a finite number, the s to look around")
    held = equations.lagrangian.multiplier_fields
    if method == "exact" and held:
        return _by_ritz(ritz_modes(equations, int(count), values, near, order, elements), held)
    if method == "ritz":
        return ritz_modes(equations, int(count), values, near, order, elements)
    settled = settle(read_linear(equations, numbers(equations, values)))
    if settled.system.conservative and near is None:
        return _undamped(settled, int(count), equations.coordinates)
    return _damped(settled, int(count), near, equations.coordinates)


def _by_ritz(found: Modes, held: Sequence[str]) -> Modes:
    """Modes by Ritz that say why they are no exact ones."""
    told = f"Conditions hold along members ({', '.join(held)}), which exact lines do not take, so Ritz was used. "
    return replace(found, certificate=replace(found.certificate, text=told + found.certificate.text))


def _undamped(settled: Settled, count: int, names: tuple[str, ...]) -> Modes:
    found = solve_undamped(settled, count)
    entries = [(s, k) for k, value in enumerate(found.eigenvalues) for s in _exponents(float(value))]
    entries = sorted(entries, key=lambda one: abs(one[0]))[:count]
    eigenvalues = np.array([s for s, _ in entries], dtype=np.complex128)

    def shape(k: int) -> Shape:
        index = entries[k][1]
        pencil, X = found.vectors(index)
        return shape_of(pencil, X[:, index - found.group(index)[0]], names)

    return Modes(eigenvalues, _counted(found, len(entries), settled.note), shape)


def _exponents(square: float) -> tuple[complex, ...]:
    """s of omega^2: one of each conjugate pair, both real roots where omega^2 is negative."""
    root = float(np.sqrt(abs(square)))
    return (complex(0.0, root),) if square >= 0 else (complex(-root), complex(root))


_HOW = "Wittrick-Williams: negative pivots of the dynamic stiffness plus modes of all members with coordinates held"


def _counted(found: Undamped, entries: int, note: str) -> ModesCertificate:
    count = found.count
    text = f"{_number(entries, 'mode')}. {_told(found)}"
    zeros = int((found.eigenvalues == 0).sum())
    if zeros:
        text += f" {zero_modes(zeros, 2 * zeros)}"
    if count.total is not None and count.omega_high:
        text += f" The system has {_number(count.total, 'mode')} in all."
    if count.negative:
        fastest = np.sqrt(-found.eigenvalues[0])
        those = "1 mode grows" if count.negative == 1 else f"{count.negative} modes grow"
        text += f" UNSTABLE: {those} without oscillating (omega^2 < 0), the fastest as s = {fastest:.9g}."
    text += f" {note}" if note else ""
    return ModesCertificate(count.agrees, count.below, count.upto, _HOW, count.negative, 0.0, text)


def _told(found: Undamped) -> str:
    """What was counted, in words that fit what there is: frequencies, free motions, or nothing."""
    count, squares = found.count, found.eigenvalues
    if not len(squares):
        return "Nothing that can move has inertia, so there is nothing to count."
    if not count.omega_high:
        return (
            "The system has inertia and no stiffness, so all its modes are free motions and there is nothing to count."
        )
    agrees = f"the count at every frequency {'agrees' if count.agrees else 'DOES NOT AGREE'} with the list"
    if squares[-1] == 0:
        free = "free motions at zero" if count.upto - count.negative > 1 else "a free motion at zero"
        of = f"{count.upto - count.negative} of them " if count.negative else ""
        return (
            f"Up to omega = {count.omega_high:.3g} rad/s {_there(count.upto)}, {of}{free}, counted by {_HOW}; {agrees}."
        )
    steps = (
        f"counted by {_HOW}; {agrees}, and steps within {count.width:.0e} of each frequency, which was found apart from"
        " that count, with other rounded numbers."
    )
    if squares[-1] < 0:
        return f"Up to omega^2 = {-(count.omega_high**2):.12g} {_there(count.upto)}, {steps}"
    below = f"Below omega = {count.omega_low:.12g} rad/s {_there(count.below)}"
    return f"{below}, up to {count.omega_high:.12g} rad/s {_number(count.upto, 'mode')}, {steps}"


def _there(n: int) -> str:
    return "there is no mode" if not n else f"there {'is' if n == 1 else 'are'} exactly {_number(n, 'mode')}"


def _number(n: int, what: str) -> str:
    return f"{n} {what}" if n == 1 else f"{n or 'no'} {what}s"


def _damped(settled: Settled, count: int, near: complex | None, names: tuple[str, ...]) -> Modes:
    found: Damped = solve_damped(settled, count, near)

    def shape(k: int) -> Shape:
        x, m = found.vectors[:, k], settled.system.multipliers
        moving = x[: found.pencil.stiffness.n - m] if m else x  # multipliers are no part of a shape
        return shape_of(found.pencil, x / (np.abs(moving).max(initial=0.0) or 1.0) if m else x, names)

    unstable = len(found.unstable)
    text = f"{_number(len(found.eigenvalues), 'eigenvalue')}, {found.how}; largest residual {found.residual:.1e}."
    text += f" {zero_modes(*found.zeros)}" if found.zeros[0] else ""
    if unstable:
        fastest = found.unstable[np.argmax(found.unstable.real)]
        those = "1 of those in the circle grows" if unstable == 1 else f"{unstable} of those in the circle grow"
        text += f" UNSTABLE: {those}, the fastest as s = {fastest:.9g}."
    text += f" {settled.note}" if settled.note else ""
    certificate = ModesCertificate(found.agrees, found.below, found.upto, found.how, unstable, found.residual, text)
    return Modes(found.eigenvalues, certificate, shape)
