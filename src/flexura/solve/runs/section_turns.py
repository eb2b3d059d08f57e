"""How sections turn, and how fast: by small rotation vectors, or by quaternions where they turn far in space.

>>> by_quaternion([e, e_t, e_tt])        # R(e) and its rates, (times, 3, 3) each
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from flexura.errors import FlexuraError, warn

Array = NDArray[np.float64]
Series = list[Array]
"""A function of time, its rate and its acceleration; or the first of these."""
_SAME = 1e-12  # of rotation vectors that lie along one axis
_COUNTED = np.pi / 2  # rad, by which rates may miss an angle where full turns are counted by them


def by_quaternion(e: Series) -> Series:
    """R(e) and as many rates: n R = N(e, e), where N is bilinear and n = e.e is 1 but for what shapes leave of it."""
    n = [np.asarray(one[:, None, None]) for one in _squared(e, lambda a, b: np.sum(a * b, axis=1))]
    N = _squared(e, _bilinear)
    found = [N[0] / n[0]]
    if len(e) > 1:
        found.append((N[1] - n[1] * found[0]) / n[0])
    if len(e) > 2:
        found.append((N[2] - 2 * n[1] * found[1] - n[2] * found[0]) / n[0])
    return found


def vectors_of(e: Array) -> Array:
    """Rotation vectors, up to a full turn long."""
    size = np.linalg.norm(e[:, 1:], axis=1)
    per_size = 2 * np.arctan2(size, e[:, 0]) / np.where(size > 0, size, 1.0)
    return np.asarray(per_size[:, None] * e[:, 1:])


def by_vectors(turned: Series) -> Series:
    """The rotations of rotation vectors; with rates where all lie along one axis."""
    from scipy.spatial.transform import Rotation

    if len(turned) == 1:
        return [np.asarray(Rotation.from_rotvec(turned[0]).as_matrix())]
    every = np.concatenate(turned)
    axis = every[np.argmax(np.linalg.norm(every, axis=1))] if len(every) else np.zeros(3)
    size = float(np.linalg.norm(axis))
    axis = axis / size if size else np.array([0.0, 0.0, 1.0])
    if np.abs(np.cross(every, axis)).max(initial=0.0) > _SAME * size:
        raise FlexuraError(
            "A rate relative to a section that turns in space is not known here",
            advice="ask relative to a body, or in ground's axes",
        )
    angle, w, w_t = (one @ axis for one in turned)
    K = np.cross(np.eye(3), axis)
    first, second = _trigonometric(angle, K), _trigonometric(angle + np.pi / 2, K)
    w, w_t = w[:, None, None], w_t[:, None, None]
    return [np.eye(3) + K @ K + first, w * second, w_t * second - w**2 * first]


def full_turns(t: Array, angle: Array, rate: Array, what: str) -> Array:
    """An angle that is known but for full turns, counted by its rate between the times."""
    expected = np.diff(t) * (rate[1:] + rate[:-1]) / 2
    change = np.diff(angle)
    change += 2 * np.pi * np.round((expected - change) / (2 * np.pi))
    if np.abs(change - expected).max(initial=0.0) > _COUNTED:
        warn(f"The {what} changes so much between times that full turns may be missed; ask for more times.")
    return np.asarray(angle[0] + np.concatenate([[0.0], np.cumsum(change)])) if len(angle) else angle


def _trigonometric(angle: Array, K: Array) -> Array:
    """sin(angle) K - cos(angle) K K; a quarter of a turn later it is the slope."""
    return np.asarray(np.sin(angle)[:, None, None] * K - np.cos(angle)[:, None, None] * (K @ K))


def _squared(e: Series, form: Callable[[Array, Array], Array]) -> Series:
    """A symmetric form of e twice, and its rates."""
    found = [form(e[0], e[0])]
    if len(e) > 1:
        found.append(2 * form(e[0], e[1]))
    if len(e) > 2:
        found.append(2 * form(e[0], e[2]) + 2 * form(e[1], e[1]))
    return found


def _bilinear(a: Array, b: Array) -> Array:
    """(e0^2 - v.v) I + 2 v v' + 2 e0 [v x], once in each of two."""
    (a0, av), (b0, bv) = ((one[:, 0, None, None], one[:, 1:]) for one in (a, b))
    level = a0 * b0 - np.sum(av * bv, axis=1)[:, None, None]
    outer = av[:, :, None] * bv[:, None, :] + bv[:, :, None] * av[:, None, :]
    return np.asarray(level * np.eye(3) + outer + a0 * _across(bv) + b0 * _across(av))


def _across(v: Array) -> Array:
    """v x, as matrices."""
    return np.asarray(np.cross(np.eye(3)[None], v[:, None, :]))
