"""One step of linear equations with constant coefficients: its matrix, and those of the energies on it.

A mode alone, y'' + c y' + s y = f(t) with a polynomial f, is stepped in closed form at any s: over a step of length 1
with roots a and b its answers are divided differences of phi_k (Hochbruck and Ostermann 2010),

    y(1) = ... + sum f_i phi_i+1[a, b],    phi_k[a, b] = (phi_k(a) - phi_k(b)) / (a - b),
    phi_0(z) = e^z,    phi_k+1(z) = (phi_k(z) - 1/k!) / z.

A block of several unknowns is stepped by the exponential of its matrix.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import factorial
from typing import Any

import numpy as np
import scipy.linalg
from numpy.typing import NDArray

from flexura.errors import FlexuraError
from flexura.systems.sizes import refuse_size

Array = NDArray[np.float64]
_NEAR = 4.0  # up to here phi_k comes from its series, from here on from the recurrence
LARGEST = 1e120  # of a motion, whose energies are its square
_TERMS = 40  # of the series
_NOTHING = 1e-150  # over a step of length 1
_NODES, _WEIGHTS = (np.polynomial.legendre.leggauss(10)[0] + 1) / 2, np.polynomial.legendre.leggauss(10)[1] / 2


@dataclass(frozen=True)
class Blocks:
    """b independent blocks y'' + C y' + L y = E f(t), x = shapes y; each has m unknowns and q inputs."""

    L: Array
    C: Array
    E: Array
    power_loss: Array  # v' power_loss v
    power_in: Array  # v' power_in f
    power_circulating: Array  # - v' power_circulating y
    shapes: Array
    to_blocks: Array  # y = to_blocks x
    loads: Array  # f = loads u, (b, q, k)
    late: Array  # what rounding of the frequencies could change of each mode, as a part of it


def step_of(blocks: Blocks, degree: int, h: float) -> tuple[Array, Array | None, Array | None]:
    """exp(A) over one step, and the matrices of the energies; w = (y, y', f, f' h, f'' h^2, ...)."""
    b, m, q = *blocks.L.shape[:2], blocks.E.shape[2] * (degree >= 0)
    size = 2 * m + q * (degree + 1)
    A = np.zeros((b, size, size))
    first, second = slice(0, m), slice(m, 2 * m)
    A[:, first, second] = h * np.eye(m)
    A[:, second, first], A[:, second, second] = -h * blocks.L, -h * blocks.C
    if q:
        A[:, second, 2 * m : 2 * m + q] = h * blocks.E
        for i in range(degree):
            at = 2 * m + q * i
            A[:, at : at + q, at + q : at + 2 * q] = np.eye(q)
    scale = _balance(blocks, h, m, size)
    A = A * scale[:, None, :] / scale[:, :, None]
    lost, gained = np.zeros_like(A), np.zeros_like(A)
    lost[:, second, second] = h * blocks.power_loss
    gained[:, second, first] = -h * blocks.power_circulating
    if q:
        gained[:, second, 2 * m : 2 * m + q] = h * blocks.power_in
    if m == 1:
        forward = _alone(blocks, degree if q else -1, h)
    else:
        forward = np.array([scipy.linalg.expm(one) for one in A]) * scale[:, :, None] / scale[:, None, :]
    if not np.abs(forward).max(initial=0.0) < LARGEST:
        raise unstable(h)
    forms = _energies(A, [_form(one, scale) for one in (lost, gained)])
    back = [None if one is None else one / scale[:, :, None] / scale[:, None, :] for one in forms]
    return forward, back[0], back[1]


def unstable(h: float) -> FlexuraError:
    """What is said of a motion that leaves the range of numbers within a step."""
    return FlexuraError(
        f"The motion is unstable: within one step of {h:.3g} in t it grows beyond the range of floating-point numbers",
        advice="give times that are closer, or that end earlier",
    )


def _balance(blocks: Blocks, h: float, m: int, size: int) -> Array:
    """Each rate in the units of its displacement over a step, or over a turn where that is shorter."""
    scale = np.ones((len(blocks.L), size))
    turns = np.sqrt(np.abs(np.einsum("bii->bi", blocks.L)))
    scale[:, m : 2 * m] = np.maximum(turns, 1 / h)
    return scale


def _form(Q: Array, scale: Array) -> Array | None:
    """A symmetric form in balanced units; None where it is zero."""
    if not Q.any():
        return None
    return (Q + Q.transpose(0, 2, 1)) / 2 * scale[:, :, None] * scale[:, None, :]


def _energies(A: Array, forms: list[Array | None]) -> list[Array | None]:
    """int_0^1 exp(A's) Q exp(As) ds of each block, each halved as often as it needs: halvings cost digits."""
    norms = np.abs(A).sum(axis=2).max(axis=1, initial=0.0)
    refuse_size(max(float(norms.max(initial=0.0)), 1.0), "the fastest motion over one step")
    halvings = np.maximum(0, np.ceil(np.log2(np.maximum(norms, 1e-300) / 0.25))).astype(int)
    found = [None if Q is None else np.zeros_like(Q) for Q in forms]
    for count in np.unique(halvings).tolist():
        some = halvings == count
        for total, Q in zip(found, forms, strict=True):
            if total is not None and Q is not None:
                total[some] = _doubled(A[some], Q[some], count)
    return found


def _doubled(A: Array, Q: Array, halvings: int) -> Array:
    """A short series, doubled by G(2s) = G(s) + exp(A's) G exp(As)."""
    small = A / 2**halvings
    forward = np.eye(A.shape[1]) + np.zeros_like(A)
    term = forward
    for i in range(1, 15):
        term = term @ small / i
        forward = forward + term
    rate = Q / 2**halvings
    total = rate
    for i in range(1, 17):
        rate = (small.transpose(0, 2, 1) @ rate + rate @ small) / (i + 1)
        total = total + rate
    for _ in range(halvings):
        total = total + forward.transpose(0, 2, 1) @ total @ forward
        forward = forward @ forward
    return np.asarray(total)


def _alone(blocks: Blocks, degree: int, h: float) -> Array:
    """The step of modes that are each alone, in closed form."""
    q = blocks.E.shape[2]
    square, rate = _normal(blocks.L[:, 0, 0] * h * h), _normal(blocks.C[:, 0, 0] * h)
    a, b = _roots(square, rate)
    with np.errstate(over="ignore", invalid="ignore"):
        differences = _differences(a, b, degree + 2)
        mean = ((np.exp(a) + np.exp(b)) / 2).real
        forward = np.zeros((len(square), 2 + q * (degree + 1), 2 + q * (degree + 1)))
        forward[:, 0, 0], forward[:, 0, 1] = mean + rate / 2 * differences[0], h * differences[0]
        forward[:, 1, 0], forward[:, 1, 1] = -square / h * differences[0], mean - rate / 2 * differences[0]
    columns = [slice(2 + q * i, 2 + q * (i + 1)) for i in range(degree + 1)]
    for i, mine in enumerate(columns):
        forward[:, 0, mine] = h * h * blocks.E[:, 0] * differences[i + 1, :, None]
        forward[:, 1, mine] = h * blocks.E[:, 0] * differences[i, :, None]
        for j in range(i, degree + 1):
            forward[:, mine, columns[j]] = np.eye(q) / factorial(j - i)
    return forward


def _normal(values: Array) -> Array:
    """What is so small that its quotients leave the range of numbers does nothing within a step."""
    return np.where(np.abs(values) < _NOTHING, 0.0, values)


def _roots(square: Array, rate: Array) -> tuple[NDArray[Any], NDArray[Any]]:
    """Of z^2 + rate z + square, neither by a difference of large numbers."""
    spread = np.emath.sqrt((rate / 2) ** 2 - square + 0j)
    far = np.where(rate < 0, -rate / 2 + spread, -rate / 2 - spread)
    real = (spread.imag == 0) & (far != 0)
    near = np.where(rate < 0, -rate / 2 - spread, -rate / 2 + spread)
    return far, np.where(real, square / np.where(real, far, 1.0), near)


def _differences(a: NDArray[Any], b: NDArray[Any], count: int) -> Array:
    """phi_k[a, b] for k = 0 ... count - 1: where a and b are close, the mean slope between them."""
    apart = a - b
    close = np.abs(apart) <= 1.0
    found = (_phi(a, count)[0] - _phi(b, count)[0]) / np.where(close, 1.0, apart)
    between = b[close] + apart[close] * _NODES[:, None]
    found[:, close] = np.einsum("j,kjb->kb", _WEIGHTS, _phi(between, count)[1])
    return np.asarray(found.real)


def _phi(z: NDArray[Any], count: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """phi_k and its slope for k = 0 ... count - 1: (count, ...)."""
    values, slopes = np.empty((2, count + 1, *z.shape), dtype=complex)
    values[0] = slopes[0] = np.exp(z)
    near = np.abs(z) <= _NEAR
    small, large = z[near], z[~near]
    top = sum((small**j / factorial(j + count) for j in range(_TERMS)), 0 * small)
    values[count, near] = top
    for k in range(count - 1, 0, -1):
        values[k, near] = small * values[k + 1, near] + 1 / factorial(k)
    for k in range(1, count):
        slopes[k, near] = values[k, near] - k * values[k + 1, near]
    for k in range(count):
        values[k + 1, ~near] = (values[k, ~near] - 1 / factorial(k)) / large
        slopes[k + 1, ~near] = (slopes[k, ~near] - values[k + 1, ~near]) / large
    return values[:count], slopes[:count]
