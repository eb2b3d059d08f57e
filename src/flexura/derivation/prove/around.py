"""A state with what it was a little before and will be a little after: rates, spins, and what names are worth there.

>>> around = StateAround(state, s)
>>> around.velocity(lambda snapshot: snapshot.place(spot)[0])
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from flexura.derivation.prove.moving import RandomState, Snapshot
from flexura.derivation.prove.polynomials import Polynomial, at, derived
from flexura.derivation.prove.program import STEP, DigitsProgram, Number
from flexura.derivation.prove.read import UnreadableError
from flexura.derivation.prove.vectors import ZERO, Matrix, Vector, axial, scale, subtract
from flexura.symbolic.engine import SPINE, TIME, Symbol
from flexura.symbolic.jets import Jet


@dataclass(frozen=True, eq=False)
class StateAround:
    """The state at one s: as it is, a little before and a little after."""

    state: RandomState
    s: Number

    @cached_property
    def before(self) -> Snapshot:
        """At -h."""
        return Snapshot(self.state, self.s, -STEP)

    @cached_property
    def here(self) -> Snapshot:
        """At 0."""
        return Snapshot(self.state, self.s, ZERO)

    @cached_property
    def after(self) -> Snapshot:
        """At +h."""
        return Snapshot(self.state, self.s, STEP)

    def rate(self, of: Callable[[Snapshot], Number]) -> Number:
        """How fast a number changes."""
        return (of(self.after) - of(self.before)) / (2 * STEP)

    def velocity(self, of: Callable[[Snapshot], Vector]) -> Vector:
        """How fast a vector changes."""
        return scale(1 / (2 * STEP), subtract(of(self.after), of(self.before)))

    def spin(self, of: Callable[[Snapshot], Matrix]) -> Vector:
        """The angular velocity of turning axes, in space."""
        return axial(of(self.before), of(self.after), 2 * STEP)

    def deflection(self, jet: Jet, x: Number, shifted: bool) -> Number:
        """A field or one of its derivatives at x of its piece; `shifted` as the energies measure it."""

        def value(snapshot: Snapshot) -> Number:
            polynomial: Polynomial = snapshot.fields[jet.name]
            for _ in range(jet.x):
                polynomial = derived(polynomial)
            found = at(polynomial, x - self.state.starts[jet.name])
            return found + (snapshot.shifts.get(jet.name, ZERO) if shifted and jet.x == 0 else ZERO)

        if jet.t > 1:
            raise UnreadableError(f"the acceleration {jet.label} is in a load")
        return self.rate(value) if jet.t else value(self.here)

    def named(self, name: str, x: Number | None, shifted: bool) -> Number:
        """What a symbol of a tree is worth: x, time, a parameter, an input, a coordinate, a field, or a rate."""
        state = self.state
        if name == TIME.name:
            return state.now
        if name == SPINE.name:
            return x
        jet = state.energies.jets.find(Symbol(name))
        if jet is None:
            return state.reading.value(name)
        if jet.name in state.energies.inputs:
            return state.given(jet, x)
        if jet.name in state.energies.fields:
            where = state.end_of(jet) if jet.end else x
            return self.deflection(jet, where, shifted)
        if jet.t > 1:
            raise UnreadableError(f"the acceleration {jet.label} is in a load")
        return self.rate(lambda one: one.coordinates[jet.name]) if jet.t else self.here.coordinates[jet.name]

    def evaluate(self, program: DigitsProgram, x: Number | None = None, shifted: bool = False) -> list[Number]:
        """Trees here."""
        return program(lambda name: self.named(name, x, shifted))
