"""Contacts in numbers: how far, how fast and along what a contact moves, and what it may exert.

    >>> contacts = read_contacts(equations, known, system)
    >>> s, A, b, c = contacts[0].motion(t, q, v)        # s, s_t = A v + b, s_tt = A a + c

A limit may hold normal forces: N_<stop> is that of a stop, N_<connection> what a connection of rigid bodies transmits
across the direction of the contact, from Newton's and Euler's laws.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import symengine
from numpy.typing import NDArray

from flexura.derivation.equations.equations import Equations
from flexura.derivation.newton_euler import Laws, newton_euler_refusal
from flexura.energy.lagrangian import Lagrangian
from flexura.errors import FlexuraError
from flexura.solve.runs.pressing import Pressing
from flexura.solve.runs.riding import Riding, read_ride
from flexura.symbolic.engine import TIME, ZERO, Basic, Symbol, exact, partial, symbol_name
from flexura.symbolic.kinematics.motion import STRETCH, STRETCH_RATE
from flexura.symbolic.machine import machine_function
from flexura.systems.nonlinear import InputSlot, NonlinearSystem

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ContactLaw:
    """One contact: its motion, its slot among the inputs, and its law.

    `normals` are the names of normal forces its limits hold: of stops, of connections with the function that gives them
    from (t, q, v, a, u), or of what rolls, with the place of its multiplier.
    """

    name: str
    slot: InputSlot
    moved: Callable[[Array], Array] | None
    numbers: Mapping[str, float]
    limits: Callable[[Array], Array] | None
    pressing: Pressing | None = None
    normals: tuple[str, ...] = ()
    transmitted: Mapping[str, Callable[[Array], float]] | None = None
    rolled: Mapping[str, int] | None = None
    riding: Riding | None = None
    across: int = -1

    @property
    def rubs(self) -> bool:
        """Whether it is dry friction, and no stop."""
        return self.limits is not None

    @property
    def held(self) -> bool:
        """Whether it rides and cannot lift off."""
        return bool(self.numbers.get("held", 0.0))

    def present(self, t: float, q: Array, v: Array) -> bool:
        """Whether it is there: what rides has left the member beyond its ends."""
        return self.riding is None or self.riding.on_member(t, q, v)

    @property
    def compliant(self) -> bool:
        """Whether it gives way."""
        return self.pressing is not None

    def pushing(self, t: float, q: Array, v: Array) -> float:
        """What a compliant stop would push with, if it could pull too."""
        assert self.pressing is not None
        s, A, b, _ = self.motion(t, q, v)
        return self.pressing.push(s - self.numbers["gap"], float(A @ v + b))

    def motion(self, t: float, q: Array, v: Array) -> tuple[float, Array, float, float]:
        """s, A, b and c: s_t = A v + b, s_tt = A a + c."""
        if self.riding is not None:  # asked very often: without wrappers
            return self.riding.motion(self.across, t, q, v)
        n = len(q)
        assert self.moved is not None
        found = np.asarray(self.moved(np.concatenate([[t], q, v])), dtype=np.float64).ravel()
        return float(found[0]), found[1 : n + 1], float(found[n + 1]), float(found[n + 2])

    def speed(self, t: float, q: Array, v: Array) -> float:
        """s_t."""
        _, A, b, _ = self.motion(t, q, v)
        return float(A @ v + b)

    def beyond(self, t: float, q: Array, v: Array) -> float:
        """s - gap, of a stop."""
        return self.motion(t, q, v)[0] - self.numbers["gap"]

    def limit(self, t: float, q: Array, v: Array, normals: Mapping[str, float]) -> tuple[float, float]:
        """What it exerts while it slides, and what it can hold; both without sign."""
        assert self.limits is not None
        given = [normals[one] for one in self.normals]
        sliding, held = np.asarray(self.limits(np.concatenate([[t], q, v, given])), dtype=np.float64).ravel()
        for value, word in ((sliding, "force"), (held, "static")):
            if not value >= 0:
                raise FlexuraError(
                    f"The {word} of the friction {self.name} is {value:.6g} at t = {t:.6g}",
                    advice="give a limit that is never negative",
                    part=self.name,
                    keyword=word,
                )
        return float(sliding), max(float(held), float(sliding))


def read_contacts(equations: Equations, known: Mapping[str, float], system: NonlinearSystem) -> list[ContactLaw]:
    """The contacts of equations, with numbers in."""
    reader = _ContactReader(equations.lagrangian, known, system)
    return [reader.read(name, laws) for name, laws in equations.lagrangian.contacts.items()]


class _ContactReader:
    def __init__(self, energies: Lagrangian, known: Mapping[str, float], system: NonlinearSystem) -> None:
        self.energies, self.system = energies, system
        self.known = {Symbol(name): exact(value) for name, value in known.items()}
        states = {Symbol(name): Symbol(f"${name}_t") for name in energies.states if f"${name}" in system.names}
        self.known |= states
        self.q = [Symbol(name) for name in system.names]
        self.v = [Symbol(f"{name}_t") for name in system.names]

    def _tree(self, f: Basic) -> Basic:
        f = self.energies.driven(self.energies.settled(f))
        ends = {
            jet.symbol: Symbol(f"{replace(jet, t=0).label}_t") for jet in self.energies.jets.unknowns(f) if jet.t == 1
        }
        return f.xreplace(ends).xreplace(self.known)

    def _number(self, f: Basic, what: str) -> float:
        tree = f.xreplace(self.known)
        left = sorted(one.name for one in tree.free_symbols)
        if left:
            raise FlexuraError(
                f"{what} holds {', '.join(left)}, which has no value",
                advice=f"give values={{{left[0]!r}: ...}}",
                missing=tuple(left),
            )
        return float(tree)

    def read(self, name: str, laws: Mapping[str, Basic]) -> ContactLaw:
        """One contact."""
        slot = next(one for one in self.system.slots if one.name == f"R_{name}")
        if "place" in laws:
            return self._ride(name, laws, slot)
        arguments = [TIME, *self.q, *self.v]
        s = self._tree(laws["extent"]) if "extent" in laws else ZERO
        slopes = [partial(s, one) for one in self.q]
        rate = symengine.Add(*(f * v for f, v in zip(slopes, self.v, strict=True))) + partial(s, TIME)
        if "rate" in laws:  # known by how fast it moves alone
            rate = self._tree(laws["rate"])
            slopes = [partial(rate, one) for one in self.v]
        own = rate.xreplace(dict.fromkeys(self.v, ZERO))
        bend = symengine.Add(*(partial(rate, q) * v for q, v in zip(self.q, self.v, strict=True))) + partial(rate, TIME)
        self._refuse_strangers(s + rate, name, arguments)
        moved = machine_function(arguments, [s, *slopes, own, bend])
        numbers = {word: self._number(laws[word], f"The {word} of {name}")
                   for word in ("gap", "restitution") if word in laws}  # fmt: skip
        if not 0 <= numbers.get("restitution", 0.0) <= 1:
            raise FlexuraError(
                f"The restitution of {name} is {numbers['restitution']:.6g}", advice="give a number from 0 to 1"
            )
        if "force" not in laws:
            return ContactLaw(name, slot, moved, numbers, None, self._pressing(name, laws))
        trees = [self._tree(laws[word]) for word in ("force", "static")]
        normals = sorted({one.name for f in trees for one in f.free_symbols if one.name.startswith("N_")})
        for f in trees:
            self._refuse_strangers(f, name, [*arguments, *map(Symbol, normals)])
        limits = machine_function([*arguments, *map(Symbol, normals)], trees)
        stops = {f"N_{one}" for one, other in self.energies.contacts.items() if "gap" in other}
        rolled = {one: k for one, k in self._rolled.items() if one in normals}
        transmitted = {one: self._transmitted(one, laws) for one in normals if one not in {*stops, *rolled}}
        return ContactLaw(name, slot, moved, numbers, limits, None, tuple(normals), transmitted, rolled)

    @property
    def _rolled(self) -> dict[str, int]:
        """The normal forces of what rolls: where their multipliers stand."""
        conditions = enumerate(self.system.multipliers)
        return {f"N_{one[len('lambda_') : -len('_n')]}": k for k, one in conditions if one.endswith("_n")}

    def _pressing(self, name: str, laws: Mapping[str, Basic]) -> Pressing | None:
        """How a stop gives way: by its law, or k times the depth and c times its rate."""
        if "law" not in laws and "k" not in laws:
            return None
        law, stored = (self._tree(laws.get(word, ZERO)) for word in ("law", "stored"))
        if "k" in laws:
            k, c = (exact(self._number(laws[word], f"The {word} of {name}")) for word in ("k", "c"))
            law, stored = k * STRETCH + c * STRETCH_RATE, k * STRETCH**2 / 2
        self._refuse_strangers(law, name, [STRETCH, STRETCH_RATE])
        return Pressing.of(law, stored, name)

    def _ride(self, name: str, laws: Mapping[str, Basic], slot: InputSlot) -> ContactLaw:
        """A body on a member: what it follows less where it is."""
        riding, across = read_ride(self._tree, name, laws, self.system)
        if riding.own is None:
            self._refuse_strangers(self._tree(laws["place"]), name, [TIME])
        numbers = {"gap": 0.0, "restitution": 0.0, "held": float(laws["held"])}
        return ContactLaw(name, slot, None, numbers, None, riding=riding, across=across)

    def _refuse_strangers(self, f: Basic, name: str, arguments: Sequence[Symbol]) -> None:
        stray = sorted(one.name for one in f.free_symbols if one not in arguments)
        if {Symbol(one) for one in self.energies.driving or ()} & f.free_symbols:
            raise FlexuraError(
                f"The contact {name} is between parts that {stray[0]} moves, and follows motions that are formulas",
                advice=f"give {stray[0]} as text in t",
                part=name,
            )
        if stray:
            raise FlexuraError(
                f"The contact {name} holds {', '.join(stray)}, which has no value",
                advice=f"give values={{{stray[0]!r}: ...}}",
                missing=tuple(stray),
                part=name,
            )

    def _transmitted(self, normal: str, laws: Mapping[str, Basic]) -> Callable[[Array], float]:
        """The force that a connection passes on across the direction of a contact, of (t, q, v, a, u)."""
        energies, which = self.energies, normal.removeprefix("N_")
        refusal = newton_euler_refusal(energies)
        if refusal is not None:
            raise FlexuraError(f"{normal} cannot be had: {refusal.problem}", advice="give the force as a number")
        mechanics = Laws(energies)
        hold = next((one for one in mechanics.free.holds if one.name == which), None)
        if hold is None or not hold.determined:
            known = [*(f"N_{one.name}" for one in mechanics.free.holds if one.determined), *self._rolled]
            raise FlexuraError(f"There is no normal force {normal}", advice=f"there are {', '.join(known) or 'none'}")
        force = [self._tree(f) for f in mechanics.held(hold)[0]]
        axis = [self._tree(laws[f"along_{one}"]) if f"along_{one}" in laws else ZERO for one in "xyz"]
        accelerations = [Symbol(f"{name}_tt") for name in self.system.names]
        loads = [Symbol(slot.name) for slot in self.system.slots if slot.points is None and not slot.derivative]
        places = [slot.start for slot in self.system.slots if slot.points is None and not slot.derivative]
        arguments = [TIME, *self.q, *self.v, *accelerations, *loads]
        for f in (*force, *axis):
            self._refuse_strangers(f, normal, arguments)
        made, n = machine_function(arguments, [*force, *axis]), 1 + 3 * len(self.q)

        def value(at: Array) -> float:
            found = np.asarray(made(np.concatenate([at[:n], at[n:][places]])), dtype=np.float64).ravel()
            R, along = found[:3], found[3:]
            return float(np.linalg.norm(R - (R @ along) * along))

        return value


def contact_inputs(energies: Any) -> dict[str, str]:
    """The inputs that are forces of contacts, with the words for them."""
    contacts = getattr(energies, "contacts", {})
    pushed = {symbol_name(laws["pushed"]) for laws in contacts.values() if "pushed" in laws}
    return dict.fromkeys([*(f"R_{name}" for name in contacts), *sorted(pushed)], "a contact")


def without_contacts(names: Sequence[str], energies: Any) -> list[str]:
    """The inputs among names that are no forces of contacts."""
    return [name for name in names if name not in contact_inputs(energies)]
