"""Rotors seen from ground: shafts alike in all directions, on bearings that are not.

>>> rotor = fx.Rotor(shaft, bearings={0: fx.Bearing(k=[[5e7, 1e6], [-1e6, 3e7]], c=2e3), 8: fx.Bearing(k=4e7)})
>>> fx.modes(rotor.system(300.0), 6), fx.unbalance_response(rotor, speeds, {4: 1e-4})

In the turning frame d' the motions of a frame obey M d'' + C d' + K d = 0 (theory, section 4). With T the rotation
about the axis, d_ground = e^(Omega t T) d, and a shaft that is alike in all directions has matrices that commute with
T, so that ground sees M d'' + (C - 2 Omega M T) d' + (K - Omega C T + Omega^2 M T^2) d = 0, again constant. What
turns with the frame and damps (`damping`, `dampers`) is internal damping: - Omega D T is circulatory, and drives.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sparse
from numpy.typing import NDArray
from scipy.sparse.linalg import spsolve

from flexura.arguments import checked_methods
from flexura.errors import FlexuraError, concerning
from flexura.structures.moving.assembly import Constants
from flexura.structures.moving.attachments import known_node
from flexura.structures.moving.body import Instant, tilde
from flexura.structures.moving.frame import BeamFrame
from flexura.systems.second_order import SecondOrderSystem

Array = NDArray[np.float64]
AXES = {"x": 0, "y": 1, "z": 2}
_ALIKE = 1e-9


@dataclass(frozen=True)
class Bearing:
    """A bearing that stands on ground: stiffness k and damping c across the axis, from the shaft's displacement.

    Each is a number (alike in all directions), a pair, a 2 x 2 matrix (rows and columns y, z for the axis x), a
    function of the speed that gives one of these, or a table (speeds, list of these), between whose speeds it is
    straight and beyond which it is refused.
    """

    k: Any
    c: Any = 0.0

    def __post_init__(self) -> None:
        """What is known before any speed is looked at once; functions when they are asked."""
        for what in ("k", "c"):
            given = getattr(self, what)
            if _is_table(given):
                _tabulated(given[0], given[1], what, float(given[0][0]) if np.size(given[0]) else 0.0)
            elif not callable(given):
                _across(given, what, 0.0)

    def at(self, speed: float) -> tuple[Array, Array]:
        """k and c at a speed in rad/s, as 2 x 2 matrices."""
        return _across(self.k, "k", speed), _across(self.c, "c", speed)


def _across(given: Any, what: str, speed: float) -> Array:
    if callable(given):
        given = given(speed)
    elif _is_table(given):
        return _tabulated(given[0], given[1], what, speed)
    try:
        matrix = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        matrix = np.full(3, np.nan)
    matrix = matrix * np.eye(2) if matrix.ndim == 0 else np.diag(matrix) if matrix.ndim == 1 else matrix
    if matrix.shape != (2, 2) or not np.all(np.isfinite(matrix)):
        raise FlexuraError(
            f"The bearing's {what} is {given!r}",
            advice="give a finite number, a pair, 2 x 2 numbers, a function of the speed, or (speeds, list of these)",
            keyword=what,
        )
    return matrix


def _is_table(given: Any) -> bool:
    """Speeds and as many values; two rows of two numbers are a matrix where they are no such pair."""
    return isinstance(given, tuple) and len(given) == 2 and np.ndim(given[0]) == 1


def _tabulated(speeds: Any, values: Any, what: str, speed: float) -> Array:
    try:
        places = np.asarray(speeds, dtype=np.float64)
    except (TypeError, ValueError):
        places = np.zeros(0)
    if np.ndim(values) == 0 or len(values) != len(places) or len(places) < 2 or not np.all(np.diff(places) > 0):
        values = values if np.ndim(values) else [values]
        raise FlexuraError(
            f"The bearing's table of {what} has {len(places)} speeds and {len(values)} values",
            advice="give as many values as ascending speeds, two or more",
            keyword=what,
        )
    if not places[0] <= speed <= places[-1]:
        raise FlexuraError(
            f"The bearing's table of {what} goes from {places[0]:g} to {places[-1]:g} rad/s, not to {speed:g}",
            advice="ask within the table, or lengthen it",
            keyword=what,
        )
    table = np.array([_across(one, what, speed) for one in values])
    right = min(max(int(np.searchsorted(places, speed)), 1), len(places) - 1)
    part = (speed - places[right - 1]) / (places[right] - places[right - 1])
    return np.asarray((1 - part) * table[right - 1] + part * table[right])


@checked_methods
@dataclass(frozen=True, eq=False)
class Rotor:
    """A frame that turns about an axis through its origin, on bearings {node: Bearing} that stand on ground.

    The frame, its discs (`bodies`) and what turns with it must be alike in all directions across the axis; its
    `damping` and `dampers` are internal. `system(speed)` is what ground sees, rows named as in the frame.
    """

    frame: BeamFrame
    bearings: Mapping[int, Bearing] = field(default_factory=dict)
    axis: str = "x"

    def __post_init__(self) -> None:
        if not isinstance(self.frame, BeamFrame):
            raise FlexuraError(f"The rotor's frame is a {type(self.frame).__name__}", advice="give an fx.BeamFrame")
        if self.axis not in AXES:
            raise FlexuraError(f"The rotor cannot turn about {self.axis!r}", advice="say 'x', 'y' or 'z'")
        for node, one in self.bearings.items():
            with concerning(keyword="bearings", entry=node):
                known_node(node, len(self.frame.nodes), "bearings")
                if not isinstance(one, Bearing):
                    problem = f"The bearing of node {node} is {one!r}"
                    raise FlexuraError(problem, advice="write fx.Bearing(k=..., c=...)")
                if any(not self._rows(node)[[k]].nnz for k in range(2)):
                    problem = f"The bearing of node {node} acts where a support holds the shaft"
                    raise FlexuraError(problem, advice="leave out the support or the bearing")

    def __repr__(self) -> str:
        return (
            f"Rotor(about {self.axis}, {len(self.frame.nodes)} nodes, bearings on {', '.join(map(str, self.bearings))})"
        )

    @property
    def dofs(self) -> tuple[str, ...]:
        """Names of the rows."""
        return self.frame.dofs

    @cached_property
    def constants(self) -> Constants:
        """The constant integrals of the frame."""
        return Constants.of(self.frame)

    @cached_property
    def omega(self) -> Array:
        """The unit vector along the axis."""
        return np.asarray(np.eye(3)[AXES[self.axis]])

    def _rows(self, node: int) -> Any:
        """The two displacements across the axis at a node, from the free motions (2, n)."""
        axis = AXES[self.axis]
        T = Constants.of(self.frame).pattern.T
        return T[[6 * node + (axis + 1) % 3, 6 * node + (axis + 2) % 3]]

    def across(self, node: int) -> Any:
        """The two displacements across the axis at a node, from the free motions (2, n)."""
        return self._rows(known_node(node, len(self.frame.nodes), "orbit"))

    @cached_property
    def turn(self) -> Any:
        """T on the free motions."""
        pattern = self.constants.pattern
        P = pattern.T.tocsc()
        whole = sparse.kron(sparse.eye_array(2 * len(self.frame.nodes)), tilde(self.omega), format="csc")
        T = sparse.csc_array(spsolve((P.T @ P).tocsc(), (P.T @ (whole @ P)).tocsc())).reshape(P.shape[1], P.shape[1])
        if abs(whole @ P - P @ T).max() > _ALIKE:
            raise FlexuraError(
                f"The supports or links of the frame are not alike in all directions across the axis {self.axis}",
                advice="hold or free both motions across the axis together, and give what differs as fx.Bearing(...)",
            )
        return T

    @cached_property
    def _alike(self) -> None:
        """Refuse what would change periodically for ground."""
        constants, T = self.constants, self.turn
        parts = {
            "mass": constants.mass, "stiffness": constants.elements, "springs": constants.mounts,
            "damping": constants.damping,
        }  # fmt: skip
        for what, data in parts.items():
            A = constants.matrix(data)
            if A is not None and abs(T @ A - A @ T).max() > _ALIKE * max(abs(A).max(), 1e-300):
                verb = "differ" if what == "springs" else "differs"
                raise FlexuraError(
                    f"Ground sees the frame change as it turns, because its {what} {verb} across the axis {self.axis}",
                    advice="give sections with Iy = Iz, discs and springs alike across the axis, or use fx.whirl, which"
                    " looks from the turning frame",
                )

    def system(self, speed: float) -> SecondOrderSystem:
        """M d'' + (D + G) d' + (K + H) d = 0 at a speed in rad/s, as ground sees it."""
        _ = self._alike
        constants, T, W = self.constants, self.turn, float(speed)
        instant = Instant(W * self.omega, np.zeros(3), np.zeros(3))
        M, K = constants.matrix(constants.mass), constants.matrix(constants.stiffness(instant, geometric=False))
        for data in (constants.circulatory(instant.omega, instant.epsilon),):
            K = K if data is None else K + constants.matrix(data)
        C = 0 * M
        for data in (constants.gyroscopic(instant.omega), constants.damping):
            C = C if data is None else C + constants.matrix(data)
        K, C = K - W * (C @ T) + W**2 * (M @ T @ T), C - 2 * W * (M @ T)
        k, c = self._mounts(W)
        D, G = _halves(C + c)
        K, H = _halves(K + k)
        return SecondOrderSystem(M, D, K, G=G, H=H, nodes=self.frame.nodes, dofs=self.dofs)

    def undamped(self, speed: float) -> tuple[Any, Any, Any]:
        """M, G at unit speed, and the symmetric K with bearings as at a speed: what critical speeds are made of."""
        _ = self._alike
        M, unit = self.constants.matrix(self.constants.mass), self.constants.gyroscopic(self.omega)
        G = -2 * (M @ self.turn) + (0 * M if unit is None else self.constants.matrix(unit))
        K = self.constants.matrix(self.constants.elastic) + self._mounts(speed)[0]
        return M, (G - G.T) / 2, (K + K.T) / 2

    def _mounts(self, speed: float) -> tuple[Any, Any]:
        n = self.constants.pattern.n
        total = [sparse.csr_array((n, n)), sparse.csr_array((n, n))]
        for node, one in self.bearings.items():
            rows = self._rows(node)
            with concerning(keyword="bearings", entry=node):
                for i, matrix in enumerate(one.at(speed)):
                    total[i] = total[i] + rows.T @ sparse.csr_array(matrix) @ rows
        return total[0], total[1]


def _halves(A: Any) -> tuple[Any, Any]:
    """The symmetric and the skew part, None where it is rounding."""
    skew = (A - A.T) / 2
    size = abs(A).max()
    return (A + A.T) / 2, skew if abs(skew).max() > 1e-14 * size else None
