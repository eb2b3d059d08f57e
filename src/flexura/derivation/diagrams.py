"""`fx.free_bodies`: every body and member cut free, with all that acts on it, and its balance as an equation.

    >>> diagrams = fx.free_bodies(model)
    >>> diagrams["bar"].loads, diagrams["bar"].equations, diagrams.reactions["R_theta_y"]
    >>> fx.plot(diagrams, "free_bodies.svg")

Reactions are called as in Newton's and Euler's route: R_<joint>_x and M_<joint>_z are what p exerts on q, in ground's
axes, at the place of the joint; on p acts the opposite. Members are told in `cut_diagrams.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from flexura.arguments import checked_methods
from flexura.derivation.cut_diagrams import CutLaws, centre_of
from flexura.derivation.equations.equations import Equations
from flexura.derivation.equations.rows import Row
from flexura.derivation.equations.text import TEXT, Printer, rows_text
from flexura.derivation.newton_euler import Laws, unknown_reactions
from flexura.derivation.routes import lagrangian_of
from flexura.display import Displayed, Table, counted
from flexura.energy.lagrangian import Lagrangian
from flexura.errors import FlexuraError
from flexura.symbolic.kinematics.motion import Wrench
from flexura.symbolic.kinematics.vectors import Vector, change

_NAMED = 6


@dataclass(frozen=True, eq=False)
class DiagramLoad:
    """What acts on a body: `amount` times a force along `force` at `point`, or a moment about `moment`; SymPy.

    `kind` is weight, spring, damper, force, torque, reaction, boundary (N, V, M at an end of a member), or cut (the
    reaction where a loop was cut). Vectors are in ground's axes. Along a member the amount is per length at x, on the
    piece of the member that has the fields `along`.
    """

    name: str
    kind: str
    amount: Any
    force: tuple[Any, Any, Any]
    moment: tuple[Any, Any, Any]
    point: tuple[Any, Any, Any]
    along: tuple[str, ...] = ()


@checked_methods
@dataclass(frozen=True, eq=False, repr=False)
class FreeBodyDiagram(Displayed):
    """One body cut free: its mass centre, what acts on it, and Newton's and Euler's equations for it.

    A member (`spines` names its pieces) is balanced in its own axes, with moments about its start, where `centre` is;
    then follows what holds N, V and M at its ends.
    """

    body: str
    centre: Vector
    wrenches: tuple[Wrench, ...]
    rows: tuple[Row, ...]
    energies: Lagrangian
    spines: tuple[str, ...] = ()

    @property
    def loads(self) -> tuple[DiagramLoad, ...]:
        """All loads, as SymPy."""
        from flexura.derivation.equations.sympy_rows import sympy_form

        form = sympy_form(self.energies)

        def vector(v: Vector) -> tuple[Any, Any, Any]:
            return (form.tree(v[0]), form.tree(v[1]), form.tree(v[2]))

        return tuple(
            DiagramLoad(
                one.name,
                one.kind,
                form.tree(one.amount),
                vector(one.force),
                vector(one.couple),
                vector(one.point),
                next((spine.fields for spine in self.energies.spines if spine.name == one.spine), ()),
            )
            for one in self.wrenches
        )

    @property
    def equations(self) -> tuple[Any, ...]:
        """Mass times acceleration equals the sum of forces, and Euler's equation about the mass centre; SymPy."""
        from flexura.derivation.equations.sympy_rows import rows_to_sympy

        return rows_to_sympy(self.rows, self.energies)

    @property
    def is_drawn(self) -> bool:
        """The body, and what acts on it."""
        return True

    def summary(self) -> str:
        """Which body, under how many loads."""
        return f"{self.body}, {counted(len(self.wrenches), 'load')}"

    def told(self) -> Iterator[Table | str]:
        """What acts on it, and its balance."""
        yield self._text()

    def _text(self) -> str:
        printer = Printer(self.energies, TEXT)
        lines = [f"{self.body}"]
        lines += [f"  {one.kind:9} {one.name:14} {printer.tree(one.amount).text}" for one in self.wrenches]
        return "\n".join([*lines, rows_text(self.rows, self.energies, 100)])


@checked_methods
@dataclass(frozen=True, eq=False, repr=False)
class FreeBodyDiagrams(Displayed):
    """The diagrams of all bodies, by name or in order; `reactions` are what the equations of motion make of them."""

    diagrams: tuple[FreeBodyDiagram, ...]
    reaction_rows: tuple[Row, ...]
    energies: Lagrangian

    def __iter__(self) -> Iterator[FreeBodyDiagram]:
        return iter(self.diagrams)

    def __len__(self) -> int:
        return len(self.diagrams)

    def __getitem__(self, body: str | int) -> FreeBodyDiagram:
        if isinstance(body, int):
            return self.diagrams[body]
        for diagram in self.diagrams:
            if diagram.body == body:
                return diagram
        names = ", ".join(one.body for one in self.diagrams)
        raise FlexuraError(f"There is no free body called {body!r}", advice=f"bodies are {names}")

    @property
    def reactions(self) -> Mapping[str, Any]:
        """Each reaction as a function of the motion, SymPy."""
        from flexura.derivation.equations.sympy_rows import rows_to_sympy

        equal = rows_to_sympy(self.reaction_rows, self.energies)
        return {row.name: one.rhs for row, one in zip(self.reaction_rows, equal, strict=True)}

    @property
    def is_drawn(self) -> bool:
        """All of them."""
        return len(self.diagrams) > 0

    def summary(self) -> str:
        """Which bodies and members."""
        names = ", ".join(one.body for one in self.diagrams[:_NAMED]) + (", ..." if len(self.diagrams) > _NAMED else "")
        return f"{names or 'no bodies'}, {counted(len(self.reaction_rows), 'reaction')}"

    def told(self) -> Iterator[Table | str]:
        """One below the other."""
        yield from map(str, self.diagrams)


def free_bodies(system: Any) -> FreeBodyDiagrams:
    """Cut every body and member of a model free; what it is held by and what acts on it become loads.

    Arguments:
        `system`: a model, or equations of one.
    Returns fx.FreeBodyDiagrams, iterated over, or asked for by the name of a body or member: `.loads`, `.equations`;
    `.reactions` are formulas by name. Diagrams of systems with members hold to first order in the deflections.

    >>> import flexura as fx
    >>> bob = fx.RigidBody("bob", m=2.0, I=0.1)
    >>> model = fx.Model(fx.Revolute(fx.ground, bob.at(0, 0.5), name="theta"), fx.Torque(bob, "tau"), fx.Gravity())
    >>> [load.name for load in fx.free_bodies(model)["bob"].loads]
    ['weight', 'tau', 'R_theta_x', 'R_theta_y']
    """
    energies = system.lagrangian if isinstance(system, Equations) else lagrangian_of(system)
    free = getattr(energies.motion, "free_bodies", None)
    if free is None:
        raise FlexuraError(
            "There are no free bodies to draw, because this system does not know its parts",
            advice="describe it by parts with fx.Model, and give the model",
        )
    return _with_members(energies) if free.refusal else _of_bodies(energies)


def _of_bodies(energies: Lagrangian) -> FreeBodyDiagrams:
    """By Newton's and Euler's route."""
    laws = Laws(energies)
    reactions = tuple(laws.reactions())
    unknown = unknown_reactions(laws, reactions)
    diagrams = []
    for body in laws.free.bodies:
        acting = [_unit(one) for one in laws.free.wrenches if one.body == body.name]
        loads = (*acting, *laws.reactions_on(body.name, unknown))
        rows = tuple(laws.balance(body, unknown))
        diagrams.append(FreeBodyDiagram(body.name, body.position, loads, rows, energies))
    return FreeBodyDiagrams(tuple(diagrams), reactions, energies)


def _with_members(energies: Lagrangian) -> FreeBodyDiagrams:
    """To first order in the deflections."""
    if energies.cutting is None:
        raise FlexuraError(
            "There are no free-body diagrams: these equations do not keep their members",
            advice="give the model itself",
        )
    small = energies.of_small_motions
    cut = energies.cutting()
    if cut.refusal:
        raise FlexuraError(cut.refusal, advice=cut.advice, part=cut.part)
    laws = CutLaws(small, cut)
    bodies = (
        FreeBodyDiagram(
            part.name, centre_of(part), _told(laws, laws.on_body(part.name)), tuple(laws.of_body(part)), small
        )
        for part in laws.cut.bodies
    )
    members = (
        FreeBodyDiagram(
            name,
            laws.start_of(name),
            _told(laws, laws.on_member(name)),
            (*laws.of_member(name), *laws.at_ends(name)),
            small,
            tuple(part.spine for part in pieces),
        )
        for name, pieces in laws.cut.members.items()
    )
    return FreeBodyDiagrams((*bodies, *members), laws.formulas, small)


def _told(laws: CutLaws, loads: Iterable[Wrench]) -> tuple[Wrench, ...]:
    """To first order in the deflections, as the balances are."""

    def first(v: Vector) -> Vector:
        return change(v, laws.first)

    for_reading = (
        replace(
            one,
            amount=laws.first(one.amount),
            force=first(one.force),
            couple=first(one.couple),
            point=first(one.point),
        )
        for one in loads
    )
    return tuple(map(_unit, for_reading))


def _unit(wrench: Wrench) -> Wrench:
    """A weight as m g along a unit vector, where gravity is along one axis."""
    along = [part for part in wrench.force if part != 0]
    if wrench.kind != "weight" or len(along) != 1:
        return wrench
    size = -along[0] if str(along[0]).startswith("-") else along[0]  # what is printed with a minus points backwards
    x, y, z = (part / size for part in wrench.force)
    return replace(wrench, amount=wrench.amount * size, force=(x, y, z))
