"""A machine as plain data: what a random model is drawn as, before flexura or the direct solution sees it.

    >>> machine = Machine()
    >>> machine.part("beam", "EulerBernoulliBeam", EI=3.0, rho=1.0, length=2.0)
    >>> machine.join("Fixed", GROUND, ("beam", 0.0))
    >>> machine.model(), machine.script

A place is (part,), (body, (x, y, z)) or (member, s). Nothing here is shared with flexura's own readers.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import sympy

import flexura as fx

Place = tuple[Any, ...]
GROUND: Place = ("ground",)
MEMBERS = ("EulerBernoulliBeam", "RayleighBeam", "TimoshenkoBeam", "Rod", "Shaft", "String", "SpatialBeam")


@dataclass(frozen=True)
class Along:
    """A property or a load along x: the text flexura reads, where it is not smooth, and the numbers themselves."""

    text: str
    of: Callable[[float], float] = field(repr=False, compare=False)
    breaks: tuple[float, ...] = ()


@dataclass
class Machine:
    """Parts by name, joints and springs in order, loads; all numbers are plain floats, or `Along` a member."""

    spatial: bool = False
    parts: dict[str, tuple[str, dict[str, Any]]] = field(default_factory=dict)
    joints: list[tuple[str, Place, Place, dict[str, Any]]] = field(default_factory=list)
    springs: list[tuple[str, Place, Place, dict[str, Any]]] = field(default_factory=list)
    loads: list[tuple[str, Place, dict[str, Any]]] = field(default_factory=list)
    others: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = field(default_factory=list)
    options: dict[str, Any] = field(default_factory=dict)
    shapes: dict[str, Along] = field(default_factory=dict)  # of the inputs that are spread along a member

    def part(self, name: str, kind: str, **numbers: Any) -> str:
        self.parts[name] = (kind, numbers)
        return name

    def join(self, kind: str, p: Place, q: Place, **keywords: Any) -> None:
        self.joints.append((kind, p, q, keywords))

    def spring(self, kind: str, p: Place, q: Place, **keywords: Any) -> None:
        self.springs.append((kind, p, q, keywords))

    def load(self, kind: str, place: Place, **keywords: Any) -> None:
        self.loads.append((kind, place, keywords))

    def kinds(self) -> set[str]:
        """Every kind of part, joint, spring and load in it."""
        named = (*self.joints, *self.springs, *self.loads, *self.others)
        return {kind for kind, _ in self.parts.values()} | {one[0] for one in named}

    def is_member(self, place: Place) -> bool:
        return place != GROUND and self.parts[place[0]][0] in MEMBERS

    def length(self, name: str) -> float:
        return float(self.parts[name][1]["length"])

    def piece(self, place: Place) -> str:
        """The member at a place, or the piece of it between attachments, as flexura calls its fields."""
        name, s = place
        ends = (0.0, self.length(name))
        named = [one for _, *ones, _ in (*self.joints, *self.springs, *self.loads) for one in ones]
        cuts = sorted({one[1] for one in named if one[0] == name and len(one) > 1 and one[1] not in ends})
        return f"{name}_{1 + sum(s > cut for cut in cuts)}" if cuts else name

    @property
    def values(self) -> dict[str, str]:
        """What flexura needs besides the model: the shapes of spread inputs."""
        return {name: one.text for name, one in self.shapes.items()}

    # -- for flexura ---------------------------------------------------------------------------------------------

    def built(self) -> tuple[fx.Model, Mapping[str, Any]]:
        """flexura's model, and its parts by name; what construction warns of is expected here."""
        made = {name: _made(kind, name, numbers) for name, (kind, numbers) in self.parts.items()}
        things = [getattr(fx, kind)(self._place(made, p), self._place(made, q), **_given(keywords))
                  for kind, p, q, keywords in (*self.joints, *self.springs)]  # fmt: skip
        for kind, place, keywords in self.loads:
            on = made[place[0]] if kind == "DistributedForce" else self._place(made, place)
            things.append(getattr(fx, kind)(on, **self._keywords(made, keywords)))
        things += [getattr(fx, kind)(*given, **keywords) for kind, given, keywords in self.others]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return fx.Model(*made.values(), *things, **self.options), made

    def _keywords(self, made: Mapping[str, Any], keywords: Mapping[str, Any]) -> dict[str, Any]:
        return {k: self._place(made, v) if k == "reaction" else v for k, v in _given(keywords).items()}

    def _place(self, made: Mapping[str, Any], place: Place) -> Any:
        if place == GROUND:
            return fx.ground
        part = made[place[0]]
        if len(place) == 1:
            return part
        if not self.is_member(place):
            return part.at(*place[1])
        return _at(part, place[1], self.length(place[0]))

    @property
    def script(self) -> str:
        """What to run to see this machine again."""
        lines = ["import flexura as fx"]
        for name, (kind, numbers) in self.parts.items():
            lines.append(f"{name} = fx.{kind}({name!r}, {_shown(numbers)})")
        lines.append("model = fx.Model(")
        lines.append(f"    {', '.join(self.parts)},")
        for kind, p, q, keywords in (*self.joints, *self.springs):
            lines.append(f"    fx.{kind}({self._text(p)}, {self._text(q)}, {_shown(keywords)}),")
        for kind, place, keywords in self.loads:
            on = place[0] if kind == "DistributedForce" else self._text(place)
            shown = {k: self._text(v) if k == "reaction" else repr(v) for k, v in _given(keywords).items()}
            lines.append(f"    fx.{kind}({on}, {', '.join(f'{k}={v}' for k, v in shown.items())}),")
        lines += [f"    fx.{kind}({', '.join(map(repr, given))}{_shown(k)})," for kind, given, k in self.others]
        return "\n".join([*lines, f"    {_shown(self.options)})"])

    def _text(self, place: Place) -> str:
        if place == GROUND:
            return "fx.ground"
        if len(place) == 1:
            return str(place[0])
        if not self.is_member(place):
            return f"{place[0]}.at{place[1]!r}"
        s, length = place[1], self.length(place[0])
        return f"{place[0]}.start" if s == 0 else f"{place[0]}.end" if s == length else f"{place[0]}.at({s!r})"


def along(text: Any, s: float) -> float:
    """A shape that is given as a text in x, at x = s."""
    return float(sympy.sympify(str(text)).subs(sympy.Symbol("x"), s))


def _made(kind: str, name: str, numbers: Mapping[str, Any]) -> Any:
    return getattr(fx, kind)(name, **_given(numbers))


def _given(numbers: Mapping[str, Any]) -> dict[str, Any]:
    return {k: v.text if isinstance(v, Along) else v for k, v in numbers.items()}


def _shown(numbers: Mapping[str, Any]) -> str:
    return ", ".join(f"{k}={v!r}" for k, v in _given(numbers).items())


def _at(member: Any, s: float, length: float) -> Any:
    return member.start if s == 0 else member.end if s == length else member.at(s)
