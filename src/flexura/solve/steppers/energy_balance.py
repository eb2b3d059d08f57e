"""The energy balance of a run: energies at its times, and the powers integrated along its curve.

>>> energy = energy_balance(mechanics, curve, times, *curve.at(times)[:2])
>>> energy.error

The powers know nothing of the way the run was stepped: they are integrated by Gauss's rule along the curve through its
states, so the balance proves the run.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from flexura.solve.steppers.history import Curve
from flexura.solve.steppers.mechanics import Mechanics
from flexura.solve.steppers.trajectory import Energy

Array = NDArray[np.float64]
_AT_ONCE = 2_000_000  # numbers of mass matrices at a time
_MANY = 512  # ends of steps at which the largest energy is looked for
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(8)
_NODES, _WEIGHTS = (_NODES + 1) / 2, _WEIGHTS / 2


def energy_balance(mechanics: Mechanics, curve: Curve, times: Array, q: Array, v: Array) -> Energy:
    """Kinetic and potential energy at the times (q and v there); dissipated and supplied since the first state.

    The largest energy is looked for at the ends of all steps, whichever times are asked for.
    """
    stored, seen = mechanics.energies(times, q, v), mechanics.energies(*_some(curve))
    if mechanics.powered or np.any(_powers(mechanics, curve, curve.t)):  # a force may act in few states only: a contact
        spent, whole = _integrated(mechanics, curve, times)
    else:
        spent, whole = np.zeros((len(times), 2)), np.zeros((1, 2))
    largest = Energy(seen[:, 0], seen[:, 1], *np.abs(whole).max(axis=0, keepdims=True).T).scale
    return Energy(stored[:, 0], stored[:, 1], spent[:, 0], spent[:, 1], largest=largest)


def missed_energy(energy: Energy, asked: float) -> list[str]:
    """What a run whose energies do not balance as well as was asked says."""
    if energy.error <= asked:
        return []
    return [f"The energy balance misses {energy.error:.1g} of the largest energy, more than the {asked:.1g} asked for."]


def _some(curve: Curve) -> tuple[Array, Array, Array]:
    """States at the ends of steps, spread over the run if there are many."""
    chosen = np.unique(np.linspace(0, len(curve.t) - 1, _MANY).astype(int))
    return curve.t[chosen], curve.q[chosen], curve.v[chosen]


def _integrated(mechanics: Mechanics, curve: Curve, times: Array) -> tuple[Array, Array]:
    """The two energies at the times: whole steps by Gauss's rule, parts of steps by the polynomial on its nodes.

    The second are those at the ends of steps.
    """
    h = np.diff(curve.t)
    if not len(h):
        return np.zeros((len(times), 2)), np.zeros((1, 2))
    nodes = (curve.t[:-1, None] + h[:, None] * _NODES).ravel()
    powers = _powers(mechanics, curve, nodes).reshape(len(h), len(_NODES), 2)
    whole = np.einsum("kjp,j,k->kp", powers, _WEIGHTS, h)
    sums = np.concatenate([np.zeros((1, 2)), np.cumsum(whole, axis=0)])
    k = np.clip(np.searchsorted(curve.t, times, side="right") - 1, 0, len(h) - 1)
    share = (times - curve.t[k]) / h[k]
    partial = np.einsum("ij,ijp,i->ip", _partial_weights(share), powers[k], h[k])
    return np.asarray(sums[k] + partial), sums


def _partial_weights(share: Array) -> Array:
    """Weights of the nodes for the integral from 0 to each share of a step."""
    degree = len(_NODES)
    legendre = np.polynomial.legendre
    x = 2 * share - 1
    integrals = np.empty((len(share), degree))
    values = legendre.legvander(x, degree)
    integrals[:, 0] = share
    for j in range(1, degree):  # int P_j = (P_{j+1} - P_{j-1}) / (2 j + 1), halved by the change of variable
        integrals[:, j] = (values[:, j + 1] - values[:, j - 1]) / (2 * (2 * j + 1))
    at_nodes = legendre.legvander(2 * _NODES - 1, degree - 1)
    onto = (2 * np.arange(degree) + 1)[:, None] * at_nodes.T * _WEIGHTS  # Legendre coefficients from values
    return np.asarray(integrals @ onto)


def _powers(mechanics: Mechanics, curve: Curve, times: Array) -> Array:
    many = 1 + times.size * max(mechanics.system.n, 1) ** 2 // _AT_ONCE
    return np.concatenate([_powers_of_some(mechanics, curve, part) for part in np.array_split(times, many)])


def _powers_of_some(mechanics: Mechanics, curve: Curve, times: Array) -> Array:
    q, v, a = curve.at(times)
    multipliers = np.zeros((len(times), 0))
    if mechanics.constrained:
        a, multipliers = mechanics.accelerations(times, q, v)
    return mechanics.powers(times, q, v, a, multipliers)
