"""Mobility before any run: how many motions the conditions among coordinates leave free, and which of them repeat.

    >>> fx.mobility(equations)                  # or equations.mobility
    >>> fx.mobility(equations, values={"L": 0.4}, about={"theta": 0.3})

The rank of the conditions' slopes says how many count, at a position where they hold: the reference configuration, or
one nearby where more of them count. Where some repeat others, that a motion which the slopes allow can go on is seen by
going: a little along it and back onto the conditions, which leads back to the start if it cannot (Maxwell's count and
Calladine's: bars in one line store a state of stress, and their motion is infinitesimal).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import scipy.linalg
from numpy.typing import NDArray

from flexura.derivation.equations.equations import Equations
from flexura.derivation.equations.mobility import Mobility
from flexura.derivation.routes import equations_of
from flexura.discretisation.tape import Tape
from flexura.errors import FlexuraError
from flexura.solve.values import numbers
from flexura.symbolic.engine import TIME, ZERO, Symbol, exact, partial
from flexura.symbolic.jets import Jet
from flexura.symbolic.named import by_name
from flexura.systems.conditions import COUNTS, shortest

Array = NDArray[np.float64]
_ASIDE = 1e-2  # how far beside a position another one is looked at
_FOLLOWED = 0.1  # of a way aside: what is left of it after coming back onto the conditions, where it can be gone
_BESIDE = 1e-2 * _ASIDE  # of conditions that count aside; what comes back to where they do not is not back by less
_HOLDS = 1e-12  # of the size of coordinates: so little is left of a condition that holds
_REPEATS = 1e-7  # of a condition: less than that beside those before it is rounding
_ROUNDING = 1e-13  # of lengths and turns: slopes that are no larger anywhere
_LOOKS = 3  # places at which sizes are seen
_ROUNDS = 80
_STARTS = 8  # positions from which conditions are met, where the reference configuration does not
_GOLDEN = (5**0.5 - 1) / 2


def mobility(
    equations: Any, values: Mapping[str, Any] | None = None, about: Mapping[str, float] | None = None
) -> Mobility:
    """How many motions are free, and which conditions repeat others: near the reference configuration, or a state.

    Lengths without a value are taken as numbers without relation to one another, and `notes` name them.

    >>> int(fx.mobility(model)), fx.mobility(model).conditions
    """
    equations = equations_of(equations)
    energies = equations.lagrangian
    conditions, notes = _read(equations, values or {})
    q, moved = _start(conditions, by_name(about or {}, "The state"))
    notes += ["The reference configuration does not meet the conditions; this is told of a state that does."] * moved
    place = _generic(conditions, q)
    A = conditions.slopes(place)
    free, infinitesimal = _freedoms(conditions, place)
    repeated = tuple(name for name, again in zip(energies.multipliers, _repeating(A), strict=True) if again)
    if _rank(conditions.slopes(q)) < len(A) - len(repeated):
        notes.append("That is so nearby: the position itself is singular, and more motions can begin there.")
    spare = energies.spare
    return Mobility(
        freedoms=free,
        redundant=len(spare) + len(repeated),
        conditions=(*spare, *repeated),
        coordinates=conditions.count,
        held=len(spare) + len(A),
        infinitesimal=infinitesimal,
        fields=equations.fields,
        notes=tuple(notes),
    )


@dataclass(frozen=True, eq=False)
class _Conditions:
    """g(q) of those on coordinates, and the slopes of all; the first `count` unknowns are coordinates."""

    names: tuple[str, ...]
    count: int
    holonomic: NDArray[np.bool_]
    tape: Tape | None

    def _all(self, q: Array) -> tuple[Array, Array]:
        n, m = len(self.names), len(self.holonomic)
        found = np.zeros(0) if self.tape is None else self.tape(q)[0]
        return found[:m], found[m:].reshape(m, n)

    def left(self, q: Array) -> Array:
        """What is left of the conditions on coordinates."""
        return self._all(q)[0][self.holonomic]

    @cached_property
    def _sizes(self) -> tuple[Array, Array]:
        """How large slopes by each unknown are elsewhere, and of each condition by unknowns of that size.

        Those of a condition that holds by itself are rounding wherever one looks.
        """
        random = np.random.default_rng(0)
        places = random.uniform(-1, 1, (_LOOKS, len(self.names)))
        seen = np.abs(np.nan_to_num([self._all(one)[1] for one in places], posinf=0.0, neginf=0.0)).max(axis=0)
        rows = seen.max(axis=1, initial=0.0)
        rows = np.where(rows > _ROUNDING * max(1.0, rows.max(initial=0.0)), rows, np.inf)
        columns = (seen / rows[:, None]).max(axis=0, initial=0.0)
        return rows, np.where(columns > 0, columns, 1.0)

    @property
    def scale(self) -> Array:
        """Of unknowns: how far a motion is, for conditions."""
        return self._sizes[1]

    def slopes(self, q: Array) -> Array:
        """Of all conditions, those on rates by rates; conditions and unknowns in sizes of their own."""
        rows, columns = self._sizes
        return np.asarray(self._all(q)[1] / rows[:, None] / columns)

    def met(self, q: Array) -> Array | None:
        """The nearest position that meets the conditions; None if there is none."""
        unit = np.eye(len(q))
        for _ in range(_ROUNDS):
            g, A = self.left(q), self._all(q)[1][self.holonomic]
            if not (np.all(np.isfinite(g)) and np.all(np.isfinite(A))):
                return None
            size = max(1.0, float(np.abs(q).max()))
            if not len(g) or np.abs(g).max() <= _HOLDS * size:
                return q
            way = shortest(A, unit, -g)
            q = q + way
            if np.abs(way).max() <= _HOLDS * size:
                break
        return q if np.all(np.abs(self.left(q)) <= COUNTS * max(1.0, float(np.abs(q).max()))) else None


def _read(equations: Equations, values: Mapping[str, Any]) -> tuple[_Conditions, list[str]]:
    energies = equations.lagrangian
    trees = [energies.driven(energies.settled(f)) for f in energies.constraints.values()]
    known, unset = _numbers(equations, values)
    inputs = {jet.symbol: ZERO for f in trees for jet in energies.jets.inside(f) if jet.name in energies.inputs}
    names = tuple(name for name in energies.coordinates if name not in energies.states)
    inside = [jet for f in trees for jet in energies.jets.unknowns(f)]
    ends = dict.fromkeys(Jet(jet.name, jet.x, 0, jet.end) for jet in inside if jet.end)
    unknowns = [*map(Jet, names), *ends]
    rates = [Jet(jet.name, jet.x, 1, jet.end).symbol for jet in unknowns]
    on_places = np.array([not any(jet.t for jet in energies.jets.unknowns(f)) for f in trees], dtype=bool)
    put = {**{Symbol(name): exact(value) for name, value in known.items()}, **inputs, TIME: ZERO}
    at_rest = {**put, **dict.fromkeys(rates, ZERO)}
    slopes = [
        partial(f, jet.symbol if whole else rate)
        for f, whole in zip(trees, on_places, strict=True)
        for jet, rate in zip(unknowns, rates, strict=True)
    ]
    written = [f.xreplace(at_rest) for f in (*trees, *slopes)]
    arguments = [jet.symbol for jet in unknowns]
    held = {symbol.name for f in trees for symbol in f.free_symbols}
    tape = Tape(arguments, {"all": written}) if written else None  # branches that long trees share are seen once
    found = _Conditions(tuple(jet.label for jet in unknowns), len(names), on_places, tape)
    generic = [name for name in unset if name in held]
    told = f"{', '.join(generic)} {'has' if len(generic) == 1 else 'have'} no value: any will do but special ones."
    return found, [told] if generic else []


def _numbers(equations: Equations, values: Mapping[str, Any]) -> tuple[dict[str, float], list[str]]:
    """The values, and numbers without relation to one another for parameters that have none."""
    energies = equations.lagrangian
    unset = [name for name in energies.parameters if values.get(name) is None and equations.values.get(name) is None]
    generic = {name: 1 + (i * _GOLDEN) % 1 for i, name in enumerate(unset, 1)}
    return numbers(equations, {**values, **generic}), unset


def _start(conditions: _Conditions, about: Mapping[str, float]) -> tuple[Array, bool]:
    """A position that meets the conditions, and whether it is another one than was asked for."""
    unknown = [name for name in about if name not in conditions.names]
    if unknown:
        raise FlexuraError(
            f"The state gives {unknown[0]!r}, which is no coordinate",
            advice=f"the coordinates are {', '.join(conditions.names) or 'none'}",
            keyword="about",
        )
    q = np.array([float(about.get(name, 0.0)) for name in conditions.names])
    g = conditions.left(q)
    if not len(g) or (np.all(np.isfinite(g)) and np.abs(g).max() <= COUNTS * max(1.0, float(np.abs(q).max()))):
        return q, False
    random = np.random.default_rng(0)
    for k in range(_STARTS):
        beside = _ASIDE if k < _STARTS // 2 else 1.0
        met = conditions.met(q + beside * random.uniform(-1, 1, len(q)))
        if met is not None:
            return met, True
    raise FlexuraError(
        "No position near the reference configuration was found that meets the conditions",
        advice="give one, like about={'theta': 0.3}",
        keyword="about",
    )


def _generic(conditions: _Conditions, q: Array) -> Array:
    """This position, or one nearby where more conditions count."""
    A = conditions.slopes(q)
    if _rank(A) == len(A):
        return q
    free = _kernel(A) / conditions.scale
    places, random = [q], np.random.default_rng(0)
    for _ in range(2 if len(free) else 0):
        way = random.standard_normal(len(free)) @ free
        met = conditions.met(q + _ASIDE * way / np.abs(way).max())
        places += [] if met is None else [met]
    ranks = [_rank(conditions.slopes(one), _BESIDE) for one in places]
    best = int(np.argmax(ranks))
    return places[best] if ranks[best] > _rank(A) else q


def _freedoms(conditions: _Conditions, q: Array) -> tuple[int, int]:
    """How many motions of coordinates are free and can go on, and how many can only begin."""
    A, n = conditions.slopes(q), conditions.count
    free = n - (_rank(A) - _rank(A[:, n:]))
    held = A[conditions.holonomic]
    ways = _kernel(held)
    if _rank(held) == len(held) or not len(ways):
        return free, 0
    gone = []
    for way in ways:
        far = _ASIDE / np.abs(way / conditions.scale).max()
        end = conditions.met(q + far * way / conditions.scale)
        gone.append(np.zeros(len(ways)) if end is None else ways @ ((end - q) * conditions.scale) / far)
    lost = len(ways) - int(np.sum(np.linalg.svd(np.array(gone), compute_uv=False) > _FOLLOWED))
    return free - lost, lost


def _rank(A: Array, counts: float = COUNTS) -> int:
    """How many conditions count, of slopes in their own sizes."""
    return int(np.sum(np.linalg.svd(A, compute_uv=False) > counts)) if A.size else 0


def _kernel(A: Array) -> Array:
    """Orthonormal motions that conditions leave free, as rows."""
    return np.asarray(np.linalg.svd(A)[2][_rank(A) :]) if A.size else np.eye(A.shape[1])


def _repeating(A: Array) -> NDArray[np.bool_]:
    """Which conditions repeat those before them, as many as do not count."""
    count, sizes = _rank(A), np.linalg.norm(A, axis=1)
    S = A / np.where(sizes > COUNTS, sizes, np.inf)[:, None]
    found, basis = np.ones(len(A), dtype=bool), np.zeros((0, A.shape[1]))
    for i, row in enumerate(S):
        left = row - (row @ basis.T) @ basis
        left = left - (left @ basis.T) @ basis
        if len(basis) < count and (size := float(np.linalg.norm(left))) > _REPEATS:
            found[i], basis = False, np.vstack([basis, left / size])
    if len(basis) < count:  # what is left of long chains of conditions is small: the largest of all count
        found[:] = True
        found[scipy.linalg.qr(S.T, mode="r", pivoting=True)[1][:count]] = False
    return found
