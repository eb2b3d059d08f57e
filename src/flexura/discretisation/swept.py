"""The equations of the scalars of large systems: what `scalars.py` writes out entry by entry, along directions.

The mass block and the Jacobians are derivatives of momenta p and rows R by each scalar. Written out they are as many
trees as entries; here one tree for each row holds a direction d (`sweeps.py`) and is run for every unit direction:

    M d = dp/ds_t d          dR/ds d_0 + dR/ds_t d_1

The same blocks come out, in the same order, for a vector of arguments or a stack of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from flexura.discretisation.tape import Tape
from flexura.symbolic.engine import Basic, Symbol, partial
from flexura.symbolic.sweeps import Sweeps

if TYPE_CHECKING:
    from flexura.discretisation.scalars import Scalars

Array = NDArray[Any]


class SweptRun:
    """`Scalars.run`: mass, forces, weights, c, dc/ds_t, loss, loads."""

    def __init__(self, scalars: Scalars) -> None:
        s, c = scalars, scalars.energy
        self._n = len(s.s1)
        blocks = {"forces": s.forces, "rates": s.carried(c), "energy": c, "loss": s.loss, "loads": s.loads}
        self._plain = Tape(s.plain_arguments, blocks)
        d = _direction("d", self._n)
        moved = s.sweeps.tangents([*s.momenta, *c], dict(zip(s.s1, d, strict=True)))
        self._moved = Tape(s.plain_arguments, {"mass": moved[: self._n], "slopes": moved[self._n :]}, late=d)

    def __call__(self, arguments: Array) -> list[Array]:
        """The blocks, in arrays of their own."""
        forces, rates, energy, loss, loads = self._plain(arguments)
        mass, slopes = self._moved.columns(arguments, np.eye(self._n))
        mass = (mass + mass.swapaxes(-1, -2)) / 2  # symmetric to the last bit
        weights = np.stack((energy, -rates - loss), axis=-1)
        return [mass, forces, weights, energy, slopes.swapaxes(-1, -2), loss, loads]


class SweptSlopes:
    """`Scalars.slopes`: R_s0, R_s1, R_mu, then c, D_t c, loss, loads and the slopes of each by s0 and s1.

    With L = L_0 + sum c_k mu_k, the slopes by moments follow from the others:
    dR_i/dmu_k = d(D_t c_k)/ds_i,t - 2 dc_k/ds_i + dr_k/ds_i,t - dQ_i/dmu_k.
    """

    def __init__(self, scalars: Scalars) -> None:
        s, rates = scalars, scalars.D_t(scalars.energy)
        self._n, self._k = len(s.s0), len(s.mu)
        held = [Q.free_symbols for Q in s.gathered.force]
        pushed = {(i, k): partial(Q, m) for i, Q in enumerate(s.gathered.force) for k, m in enumerate(s.mu)
                  if m in held[i]}  # fmt: skip
        self._at = tuple(np.array(list(pushed), dtype=np.intp).reshape(-1, 2).T)
        blocks = {"energy": s.energy, "rates": rates, "loss": s.loss, "loads": s.loads, "pushed": list(pushed.values())}
        self._plain = Tape(s.all_arguments, blocks)
        d = _direction("d", 2 * self._n)
        groups = {"R": s.residuals, "energy": s.energy, "rates": rates, "loss": s.loss, "loads": s.loads}
        self._moved = Tape(s.all_arguments, _tangents(s.sweeps, groups, [*s.s0, *s.s1], d), late=d)

    def __call__(self, arguments: Array) -> list[Array]:
        """The blocks, in arrays of their own."""
        *plain, pushed = self._plain(arguments)
        moved = [one.swapaxes(-1, -2) for one in self._moved.columns(arguments, np.eye(2 * self._n))]
        (R_s0, R_s1), *others = [(one[..., : self._n], one[..., self._n :]) for one in moved]
        (c_0, _), (_, rates_1), (_, r_1), _ = others
        R_mu = (rates_1 - 2 * c_0 + r_1).swapaxes(-1, -2)
        R_mu[..., self._at[0], self._at[1]] -= pushed
        return [R_s0, R_s1, R_mu, *plain, *(part for pair in others for part in pair)]


def _direction(name: str, size: int) -> list[Symbol]:
    return [Symbol(f"${name}{i}") for i in range(size)]


def _tangents(
    sweeps: Sweeps, groups: dict[str, list[Basic]], by: list[Symbol], direction: list[Symbol]
) -> dict[str, list[Basic]]:
    """Of several lists in one sweep."""
    trees = [f for some in groups.values() for f in some]
    found = iter(sweeps.tangents(trees, dict(zip(by, direction, strict=True))))
    return {name: [next(found) for _ in trees] for name, trees in groups.items()}
