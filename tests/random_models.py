"""Random models: trees of bodies and members with joints, springs, loads of every kind, and the script that makes each.

    >>> @given(models())
    ... def test(drawn): fx.verify(fx.derive(drawn.model))

A failing example prints itself as a script that can be run.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from hypothesis import assume
from hypothesis import strategies as st

import flexura as fx

IDLE = "Nothing in the model can move"
REFUSALS = (
    IDLE,
    "share no motion, so it would hold nothing",
    "cannot be integrated in closed form",
    "cannot close a loop of joints",
    "do not bend in one plane; use fx.SpatialBeam",
    "acts along a direction in which its ends cannot move",
    "joins two places whose distance never changes",
    "acts on a rotation that does not exist",
    "between parts that joints turn about other axes",
    "acts along the line to ground, which is everywhere",
    "connects a place to itself",
    "turns about another axis than its own",
    "moves nothing that has mass or inertia",
    "turns against the body it is measured from",
    "does not hang on the body it is measured from",
    "which does not come before it",
    "contradicts itself: along",
    "float separately are connected",
    "describe one motion twice",
    "is a pin on a member that bends far in one plane",
    "holds a member that bends far to something else than ground",
    "which bends far: its shortening under what that does is not known",
)
"""Sentences with which a model may refuse what is drawn at random; anything else is a bug."""


@dataclass(frozen=True)
class Written:
    """A value and the text that makes it."""

    value: Any
    text: str

    def at(self, *where: Any) -> Written:
        """A place on it."""
        return Written(self.value.at(*where), f"{self.text}.at({', '.join(map(repr, where))})")

    def __getattr__(self, name: str) -> Written:
        return Written(getattr(self.value, name), f"{self.text}.{name}")


GROUND = Written(fx.ground, "fx.ground")


def write(kind: str, *given: Any, **keywords: Any) -> Written:
    """`write("Fixed", hub, beam.start, angle=1)`: the part, and its text."""
    shown = [one.text if isinstance(one, Written) else repr(one) for one in given]
    shown += [f"{name}={one.text if isinstance(one, Written) else repr(one)}" for name, one in keywords.items()]
    values = [one.value if isinstance(one, Written) else one for one in given]
    named = {name: one.value if isinstance(one, Written) else one for name, one in keywords.items()}
    return Written(getattr(fx, kind)(*values, **named), f"fx.{kind}({', '.join(shown)})")


@dataclass
class Drawn:
    """A model as it grows: parts, the order in which they hang on one another, and what connects and loads them."""

    draw: st.DrawFn = field(repr=False)
    spatial: bool
    wide: bool = False
    parts: list[Written] = field(default_factory=list)
    definitions: list[str] = field(default_factory=list)
    things: list[Written] = field(default_factory=list)
    measured_from: list[tuple[Written, Written]] = field(default_factory=list)
    names: list[tuple[Written, tuple[str, ...]]] = field(default_factory=list)
    foreshortening: bool = True
    floating: bool = False
    turns: int = 0
    used: int = 0

    def name(self, stem: str) -> str:
        self.used += 1
        return f"{stem}{self.used}"

    def pick(self, choices: Sequence[Any]) -> Any:
        return self.draw(st.sampled_from(choices))

    def chance(self, one_in: int) -> bool:
        return self.draw(st.integers(1, one_in)) == one_in

    def part(self, kind: str, name: str, **keywords: Any) -> Written:
        made = write(kind, name, **keywords)
        self.definitions.append(f"{name} = {made.text}")
        made = Written(made.value, name)
        self.parts.append(made)
        return made

    @property
    def bodies(self) -> list[Written]:
        return [one for one in self.parts if not isinstance(one.value, fx.Member)]

    @property
    def members(self) -> list[Written]:
        return [one for one in self.parts if isinstance(one.value, fx.Member)]

    def build(self, foreshortening: bool | None = None) -> fx.Model:
        """The model; what a member held at both ends leaves out is told in a warning, which is expected here."""
        keep = self.foreshortening if foreshortening is None else foreshortening
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model = fx.Model(
                *(one.value for one in self.things),
                measured_from={member.value: body.value for member, body in self.measured_from},
                names={place.value: names for place, names in self.names},
                foreshortening=keep,
            )
            _ = model.lagrangian
        return model

    @property
    def model(self) -> fx.Model:
        return self.build()

    def possible(self, growing: bool = False) -> bool:
        """Whether what is drawn so far is legal; a refusal must be one that is known."""
        try:
            self.build()
        except fx.FlexuraError as error:
            if growing and str(error).startswith(IDLE):
                return True
            if not self._expected(error):
                raise AssertionError(f"{error}\n{self.script}") from error
            return False
        except Exception as error:
            raise AssertionError(f"{error!r}\n{self.script}") from error
        return True

    def _expected(self, error: fx.FlexuraError) -> bool:
        """Wide models may be refused with any sentence, others with those that are known."""
        return self.wide or any(re.search(one, str(error)) for one in REFUSALS)

    def attempt(self, *makers: Callable[[Drawn], Written]) -> None:
        """Add something if the model takes it."""
        for maker in makers:
            try:
                made = maker(self)
            except fx.FlexuraError as error:
                if not self._expected(error):
                    raise AssertionError(f"{error}\n{self.script}") from error
                continue
            self.things.append(made)
            if not self.possible():
                self.things.pop()

    @property
    def script(self) -> str:
        """What to run to see this model again."""
        lines = ["import flexura as fx", *self.definitions, "model = fx.Model("]
        lines += [f"    {one.text}," for one in self.things]
        measured = ", ".join(f"{member.text}: {body.text}" for member, body in self.measured_from)
        lines += [f"    names={{{place.text}: {names}}}," for place, names in self.names]
        return "\n".join([*lines, f"    measured_from={{{measured}}}, foreshortening={self.foreshortening})"])

    def __repr__(self) -> str:
        return self.script

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(f"\n{self.script}\n")


@st.composite
def models(
    draw: st.DrawFn,
    size: tuple[int, int] = (2, 6),
    conservative: bool = False,
    floating: bool = False,
    members: bool = True,
    spatial: bool | None = None,
    supports: bool = True,
    wide: bool = False,
) -> Drawn:
    """Trees of bodies and members. `conservative`: no time, loss or loads; `floating`: on Free, away from ground.

    `wide`: every kind of part and keyword, loops of joints and constraints too.
    """
    leaves_plane = draw(st.integers(1, 5)) == 5 if spatial is None else spatial
    drawn = Drawn(draw, leaves_plane, wide)
    drawn.foreshortening = not drawn.chance(4)
    count = draw(st.integers(size[0], min(size[1], 3 if drawn.spatial else size[1])))
    if floating:
        _float(drawn)
    while len(drawn.parts) < count:
        _grow(drawn, members, conservative)
    if not drawn.possible():  # nothing moves yet: rejected, it would cost a tenth of the draws, the simplest among them
        _stir(drawn)
    if supports and not floating and drawn.chance(4):
        drawn.attempt(_support)
    for _ in range(draw(st.integers(0, 4))):
        roots = [_line_spring] if len(drawn.parts) < 4 else []  # square roots are slow to compare
        drawn.attempt(drawn.pick([_spring, _spring, _torsion_spring, *roots]))
    if not floating and draw(st.booleans()):
        drawn.things.append(_gravity(drawn))
    if not conservative:
        for _ in range(draw(st.integers(0, 4))):
            drawn.attempt(drawn.pick([_damper, _torsion_damper, _force, _torque, _distributed]))
        if wide:
            for _ in range(draw(st.integers(0, 3))):
                drawn.attempt(drawn.pick(MORE))
            _name(drawn)
        _measure(drawn)
    assume(drawn.possible())
    return drawn


# -- parts ---------------------------------------------------------------------------------------------------------


def _float(drawn: Drawn) -> None:
    drawn.floating = True
    hub = drawn.part("RigidBody", drawn.name("hub"), m="M", I=("Ix", "Iy", "Iz") if drawn.spatial else "I")
    names = ("X", "Y", "Z", "psi", "theta", "phi") if drawn.spatial else ("X", "Y", "theta")
    drawn.things.append(write("Free", GROUND, hub, names=names))


def _grow(drawn: Drawn, members: bool, conservative: bool) -> None:
    """One more part, hung on what is there already."""
    p = _place(drawn, drawn.pick(drawn.parts)) if drawn.parts and not drawn.chance(4) else GROUND
    if drawn.floating and p is GROUND:
        p = drawn.parts[0]
    before = len(drawn.parts), len(drawn.definitions), len(drawn.things), drawn.turns
    part = _member(drawn) if members and drawn.draw(st.booleans()) else _body(drawn)
    q = _end(drawn, part) if isinstance(part.value, fx.Member) else _place(drawn, part)
    drawn.things.append(_connection(drawn, p, q, conservative))
    if not drawn.possible(growing=True):
        for kept, number in zip((drawn.parts, drawn.definitions, drawn.things), before, strict=False):
            del kept[number:]
        drawn.turns = before[3]


def _stir(drawn: Drawn) -> None:
    """A part that can move, away from all others."""
    mass = drawn.part("Mass", drawn.name("p"), m=drawn.name("m"))
    drawn.things.append(write("Slide", GROUND, mass, along=drawn.pick(DIRECTIONS), name=drawn.name("s")))


def _body(drawn: Drawn) -> Written:
    if drawn.chance(4):
        return drawn.part("Mass", drawn.name("p"), m=drawn.name("m"))
    scalar = [drawn.name("I")] * 3 + [0]
    shapes = [tuple(drawn.name("I") for _ in range(3)), tuple(tuple(drawn.name("J") for _ in "xyz") for _ in "xyz")]
    inertia = drawn.pick([*scalar, shapes[0], _symmetric(shapes[1])] if drawn.spatial else scalar)
    return drawn.part("RigidBody", drawn.name("b"), m=drawn.name("m"), I=inertia)


def _symmetric(rows: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(tuple(rows[min(i, j)][max(i, j)] for j in range(3)) for i in range(3))


def _member(drawn: Drawn) -> Written:
    planar = [
        "EulerBernoulliBeam",
        "EulerBernoulliBeam",
        "RayleighBeam",
        "TimoshenkoBeam",
        "Rod",
        "String",
        "ExactBeam",
    ]
    one_is_enough = any(isinstance(one.value, fx.SpatialBeam) for one in drawn.members)
    in_space = planar[::2] if one_is_enough else ["SpatialBeam", "SpatialBeam", *planar[::2]]
    kind = drawn.pick(in_space if drawn.spatial else [*planar, "Shaft"])
    name = drawn.name("m")
    number, length = name[1:], f"l{name[1:]}"

    def along(stem: str) -> str:
        return f"{stem}{number}" + drawn.pick(["", "", f"*(1 - x/(2*{length}))"])

    rho, rest = along("rho"), dict[str, Any](length=length)
    if drawn.wide and kind not in ("Shaft", "String", "Rod"):
        rest |= {one: f"{one[0]}d{number}" for one in ("damping", "internal_damping") if drawn.chance(4)}
    if kind == "Shaft":
        return drawn.part(kind, name, GJ=along("GJ"), rotary_inertia=f"J{number}", **rest)
    if kind == "String":
        return drawn.part(kind, name, tension=along("P"), rho=rho, **rest)
    if kind == "Rod":
        return drawn.part(kind, name, EA=along("EA"), rho=rho, **rest)
    if kind == "SpatialBeam":
        section = drawn.pick([0, f"J{number}", tuple(f"J{axis}{number}" for axis in "xyz")])
        stiff = {one: f"{one}{number}" for one in ("EA", "EIy", "EIz", "GJ")}
        return drawn.part(kind, name, **stiff, rho=rho, rotary_inertia=section, **rest)
    if kind == "ExactBeam":
        stiff = {one: drawn.pick([None, f"{one}{number}"]) for one in ("EA", "kGA")}
        section = {"rotary_inertia": drawn.pick([0, f"J{number}"]), "curvature": drawn.pick([0, 0, f"k{number}"])}
        return drawn.part(kind, name, EI=along("EI"), rho=rho, **stiff, **section, **rest)
    if drawn.chance(3):
        rest["EA"] = f"EA{number}"
    for extra in ("axial_force", "foundation"):
        if drawn.chance(5):
            rest[extra] = f"{extra[0]}f{number}"
    if kind == "RayleighBeam":
        rest["rotary_inertia"] = along("J")
    if kind == "TimoshenkoBeam":
        rest |= {"rotary_inertia": f"J{number}", "kGA": along("kGA")}
    return drawn.part(kind, name, EI=along("EI"), rho=rho, **rest)


def _place(drawn: Drawn, part: Written) -> Written:
    if isinstance(part.value, fx.Member):
        length = str(part.value.length)
        return drawn.pick([part.start, part.end, part.end, part.at(f"{length}/2"), part.at(f"{length}/3")])
    offsets = [part, part, part.at(drawn.name("d")), part.at(drawn.name("d"), drawn.name("h"))]
    return drawn.pick([*offsets, part.at(0, drawn.name("h"), drawn.name("k"))] if drawn.spatial else offsets)


def _end(drawn: Drawn, member: Written) -> Written:
    return drawn.pick([member.start, member.start, member.start, member.end, member.at(f"{member.value.length}/2")])


# -- connections ---------------------------------------------------------------------------------------------------

ANGLES = (0, 0, "30 deg", "60 deg", "90 deg", "-90 deg", "120 deg", "180 deg", 0.7, "alpha")
DIRECTIONS = ("x", "y", "-y", "-x", (1, 2, 0), (3, -4, 0))


def _connection(drawn: Drawn, p: Written, q: Written, conservative: bool) -> Written:
    kinds = ["Fixed", "Fixed", "Fixed", "Pin", "Roller"]
    kinds += ["Slide", "Slide"]
    if drawn.wide and drawn.turns < (1 if drawn.spatial else 3):
        kinds += ["Spherical", "Universal", "Cylindrical", "Planar"] if drawn.spatial else ["Planar"]
    if drawn.turns < (2 if drawn.spatial else 3):
        kinds += ["Revolute", "Revolute", "Revolute", *([] if drawn.spatial and not drawn.wide else ["Free"])]
    kind = drawn.pick(kinds)
    p, q = (q, p) if drawn.chance(5) else (p, q)
    if kind == "Fixed":
        angle = drawn.pick(ANGLES)
        about = {"about": drawn.pick(["x", "y", "-z", (1, 2, 0)])} if drawn.wide and drawn.spatial and angle else {}
        return write("Fixed", p, q, **({"angle": angle} if angle else {}), **about)
    turned = {"angle": drawn.pick(ANGLES)} if drawn.wide and drawn.chance(4) else {}
    if kind == "Pin":
        return write("Pin", p, q, **turned)
    if kind == "Roller":
        return write("Roller", p, q, along=drawn.pick(DIRECTIONS), **turned)
    drawn.turns += 2 if kind == "Spherical" else kind != "Slide"
    if kind in ("Spherical", "Universal", "Cylindrical", "Planar"):
        return _several(drawn, kind, p, q, turned)
    if kind == "Free":
        stems = ("X", "Y", "Z", "psi", "th", "phi") if drawn.spatial else ("X", "Y", "th")
        return write("Free", p, q, names=tuple(drawn.name(one) for one in stems))
    motion = {} if conservative or not drawn.chance(5) else _motion(drawn)
    name = drawn.name("s" if kind == "Slide" else "th")
    if kind == "Slide":
        along = drawn.pick([*DIRECTIONS, "z"] if drawn.spatial else DIRECTIONS)
        return write("Slide", p, q, along=along, name=name, **motion, **turned)
    about = drawn.pick(["z", "y", "x", "-y"] if drawn.spatial else ["z", "z", "-z"])
    return write("Revolute", p, q, about=about, name=name, **motion, **turned)


def _several(drawn: Drawn, kind: str, p: Written, q: Written, turned: dict[str, Any]) -> Written:
    """Joints of more than one coordinate."""
    names = {"names": tuple(drawn.name("q") for _ in range(2 if kind in ("Universal", "Cylindrical") else 3))}
    if kind == "Spherical":
        return write(kind, p, q, **names)
    if kind == "Universal":
        return write(kind, p, q, about=drawn.pick([("x", "y"), ("z", "x"), ((1, 2, 0), "z")]), **names)
    if kind == "Cylindrical":
        return write(kind, p, q, along=drawn.pick(["x", "z", "-y"]), **names, **turned)
    return write(kind, p, q, normal=drawn.pick(["x", "y", "-z"]) if drawn.spatial else "z", **names, **turned)


def _motion(drawn: Drawn) -> dict[str, str]:
    return {"motion": drawn.pick(["Omega*t", "y0*sin(Omega*t)", "a0*t**2/2"])}


def _support(drawn: Drawn) -> Written:
    """One more connection to ground, which closes a loop."""
    place = _place(drawn, drawn.pick(drawn.parts))
    return drawn.pick([write("Pin", GROUND, place), write("Roller", GROUND, place, along=drawn.pick(DIRECTIONS))])


# -- springs and loads ---------------------------------------------------------------------------------------------


def _two(drawn: Drawn, fixed: bool = False) -> tuple[Written, Written]:
    here = GROUND.at(drawn.name("d"), drawn.name("h")) if fixed else GROUND
    first = _place(drawn, drawn.pick(drawn.parts))
    second = here if not drawn.floating and drawn.chance(2) else _place(drawn, drawn.pick(drawn.parts))
    return (second, first) if drawn.chance(2) else (first, second)


def _spring(drawn: Drawn) -> Written:
    p, q = _two(drawn)
    return write("Spring", p, q, k=drawn.name("k"), along=drawn.pick(DIRECTIONS))


def _line_spring(drawn: Drawn) -> Written:
    p, q = _two(drawn, fixed=True)
    return write("Spring", p, q, k=drawn.name("k"), along="line", free_length=drawn.pick([drawn.name("L"), None]))


def _torsion_spring(drawn: Drawn) -> Written:
    return write("TorsionSpring", *_two(drawn), k=drawn.name("k"))


def _damper(drawn: Drawn) -> Written:
    return write("Damper", *_two(drawn), c=drawn.name("c"), along=drawn.pick(DIRECTIONS))


def _torsion_damper(drawn: Drawn) -> Written:
    return write("TorsionDamper", *_two(drawn), c=drawn.name("c"))


def _friction(drawn: Drawn) -> Written:
    return write("Friction", *_two(drawn), drawn.name("F"), along=drawn.pick(DIRECTIONS), name=drawn.name("rub"))


def _stop(drawn: Drawn) -> Written:
    law = drawn.pick([{"restitution": drawn.name("e")}, {"k": drawn.name("k"), "c": drawn.name("c")}])
    return write("Stop", *_two(drawn), drawn.name("gap"), along=drawn.pick(DIRECTIONS), name=drawn.name("stop"), **law)


def _gravity(drawn: Drawn) -> Written:
    return write("Gravity", g="g", along=drawn.pick(["-y", "-y", "x", (1, -2, 0), *(["-z"] if drawn.spatial else [])]))


def _force(drawn: Drawn) -> Written:
    place, value = _place(drawn, drawn.pick(drawn.parts)), drawn.name("F")
    return write("Force", place, drawn.pick([value, f"{value}*sin(t)"]), along=drawn.pick(DIRECTIONS))


def _torque(drawn: Drawn) -> Written:
    others = [None, *(_place(drawn, one) for one in drawn.parts)]
    return write("Torque", _place(drawn, drawn.pick(drawn.parts)), drawn.name("tau"), reaction=drawn.pick(others))


def _distributed(drawn: Drawn) -> Written:
    if not drawn.members:
        return _force(drawn)
    value = drawn.name("f")
    value = drawn.pick([value, f"{value}(x)", f"{value}(x, t)", f"{value}(t)", f"{value}*x"])
    return write("DistributedForce", drawn.pick(drawn.members), value, along=drawn.pick(["y", "y", "x", (1, 2, 0)]))


def _measure(drawn: Drawn) -> None:
    """Measure a member's deflection from a body it hangs on, where that is legal."""
    if drawn.members and drawn.chance(3):
        drawn.measured_from.append((drawn.pick(drawn.members), drawn.pick([GROUND, *drawn.bodies])))
        if not drawn.possible():
            drawn.measured_from.pop()


# -- what the wide ones hold besides -------------------------------------------------------------------------------


def _line_damper(drawn: Drawn) -> Written:
    return write("Damper", *_two(drawn, fixed=True), c=drawn.name("c"), along="line")


def _torsion_about(drawn: Drawn) -> Written:
    kind, word = drawn.pick([("TorsionSpring", "k"), ("TorsionDamper", "c")])
    return write(kind, *_two(drawn), **{word: drawn.name(word)}, about=drawn.pick(["x", "z", "-y"]))


def _closing(drawn: Drawn) -> Written:
    """One more connection between what hangs together already: a loop, of welds or of joints."""
    p, q = (_place(drawn, drawn.pick(drawn.parts)) for _ in range(2))
    p = GROUND.at(drawn.name("d"), drawn.name("h")) if drawn.chance(3) else p
    kind = drawn.pick(["Revolute", "Pin", "Slide", "Fixed"])
    return write(kind, p, q, **({"name": drawn.name("cut")} if kind in ("Revolute", "Slide") else {}))


def _coordinates(drawn: Drawn) -> list[str]:
    return list(drawn.model.lagrangian.coordinates) or ["t"]


def _gear(drawn: Drawn) -> Written:
    one, other = (drawn.pick(_coordinates(drawn)) for _ in range(2))
    return write("Gear", one, other, drawn.name("r"), **({"k": drawn.name("k")} if drawn.chance(2) else {}))


def _rolling(drawn: Drawn) -> Written:
    body = drawn.pick(drawn.bodies or drawn.parts)
    axis = {"axis": drawn.pick(["x", "z", None])} if drawn.spatial else {}
    return write("Rolling", body, drawn.name("r"), normal=drawn.pick(["y", "-y"]), **axis)


def _constraint(drawn: Drawn) -> Written:
    one, other = (drawn.pick(_coordinates(drawn)) for _ in range(2))
    text = f"{one}_t - {drawn.name('p')}*{other}" if one != "t" else "t"
    return write("Constraint", text)


def _feedback(drawn: Drawn) -> Written:
    """A load that depends on the motion."""
    name, gain, place = drawn.pick(_coordinates(drawn)), drawn.name("K"), _place(drawn, drawn.pick(drawn.parts))
    value = f"-{gain}*{name}" + drawn.pick(["", f" - {drawn.name('D')}*{name}_t"]) * (name != "t")
    return drawn.pick([write("Force", place, value, along="y"), write("Torque", place, value)])


def _load_on_field(drawn: Drawn) -> Written:
    """A load that depends on the deflection of the member it acts on."""
    if not drawn.members:
        return _feedback(drawn)
    member, gain = drawn.pick(drawn.members), drawn.name("K")
    field_name = drawn.pick([one.name for one in member.value.fields])
    if drawn.chance(2):
        return write("Force", drawn.pick([member.end, member.start]), f"-{gain}*{field_name}", along="y")
    return write("DistributedForce", member, f"-{gain}*{field_name}_t", along="y")


def _follower(drawn: Drawn) -> Written:
    """A force that turns with its own place or another."""
    place, held = (_place(drawn, drawn.pick(drawn.parts)) for _ in range(2))
    return write("Force", place, drawn.name("F"), along=drawn.pick(DIRECTIONS), axes=drawn.pick([place, held]))


def _torque_about(drawn: Drawn) -> Written:
    place = _place(drawn, drawn.pick(drawn.parts))
    return write(
        "Torque", place, drawn.name("tau"), about=drawn.pick(["x", "-y", (1, 2, 2)] if drawn.spatial else ["-z"])
    )


def _state(drawn: Drawn) -> Written:
    """A first-order state that follows the motion, itself and another one; loads that come later may name it."""
    coordinates = [one for one in _coordinates(drawn) if one != "t"] or ["0"]
    one, other, name = drawn.pick(coordinates), drawn.pick(coordinates), drawn.name("z")
    own = f"{drawn.name('p')}*{one} - {name}/2"
    more = [f"{drawn.name('K')}*{other}_t", f"{drawn.name('r')}(t)", f"{one}*{name}"] if other != "0" else ["sin(t)"]
    return write("State", name, f"{own} + {drawn.pick(more)}")


def _law(drawn: Drawn) -> Written:
    """A spring or damper that is not linear."""
    kind = drawn.pick(["Spring", "Damper", "TorsionSpring", "TorsionDamper"])
    one = "s" if "Spring" in kind else "v"
    a, b = drawn.name("k"), drawn.name("k")
    law = drawn.pick([f"{a}*{one} + {b}*{one}**3", f"{a}*{one}*abs({one})", f"{a} + {b}*{one}", f"{a}*sin({one})"])
    along = {} if kind.startswith("Torsion") else {"along": drawn.pick(DIRECTIONS)}
    return write(kind, *_two(drawn), law=law, **along)


MORE = (
    _law,
    _gear,
    _line_damper,
    _torsion_about,
    _closing,
    _constraint,
    _feedback,
    _load_on_field,
    _torque_about,
    _state,
    _friction,
    _stop,
)


def _name(drawn: Drawn) -> None:
    """Names for the motions of an end, which give it coordinates of its own, where that is legal."""
    if drawn.members and drawn.chance(3):
        member = drawn.pick(drawn.members)
        drawn.names.append((member.end, tuple(drawn.name("n") for _ in member.value.ends)))
        if not drawn.possible():
            drawn.names.pop()
