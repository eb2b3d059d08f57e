"""`fx.frame`: a model from the coordinates of nodes and the members between them; it closes by itself.

    >>> frame = fx.frame({"A": (0, 0), "B": (0, 3), "C": (4, 3)}, {"column": ("A", "B"), "beam": ("B", "C")},
    ...                  supports={"A": "fixed", "C": "pinned"}, section={"EI": 1e5, "EA": 1e8, "rho": 4.0})
    >>> fx.modes(frame, 5).frequencies

Nodes are rigid points whose motions are the coordinates (x_B, y_B, theta_B); members run from their first node to their
second. In space a member's y axis lies as near to ground's y as it can; `roll` turns it about the member.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from flexura.arguments import nearest
from flexura.errors import FlexuraError, concerning
from flexura.model.files.kinds import PARTS, check_keywords, keywords
from flexura.model.frame_motions import Bar, Row, free_motion, strains
from flexura.model.frame_spans import Span, Spots
from flexura.model.model import Model
from flexura.parts.bodies import ground
from flexura.parts.loads import DistributedForce, Force, Torque
from flexura.parts.members.euler_bernoulli import EulerBernoulliBeam
from flexura.parts.members.member import Member
from flexura.parts.members.spatial import SpatialBeam
from flexura.parts.members.timoshenko import TimoshenkoBeam
from flexura.parts.nodes import MOTIONS, Held, Node, Seat
from flexura.parts.sections import section_properties
from flexura.parts.springs import Damper, Spring, TorsionDamper, TorsionSpring
from flexura.symbolic.kinematics.motion import Pose
from flexura.symbolic.kinematics.vectors import AXES, IDENTITY, transpose
from flexura.symbolic.near import Near
from flexura.symbolic.quantities import unit_of

_SYNONYMS = {"rx": "phi", "ry": "beta", "rz": "theta"}
_TURNING = {"rotation", "tilt", "twist"}
_SHEAR = {"kGA", "kGAy", "kGAz"}
_KNOWN = {key for kind in PARTS.values() if issubclass(kind, Member) for key in keywords(kind)}
"""What some kind of member takes: said for all members, it is left out of those of a kind that does not."""


def frame(
    nodes: Mapping[Any, Sequence[Any]],
    members: Mapping[Any, Sequence[Any]],
    supports: Mapping[Any, Any] | None = None,
    masses: Mapping[Any, Any] | None = None,
    springs: Mapping[Any, Mapping[str, Any]] | None = None,
    section: Any = None,
    *,
    loads: Mapping[Any, Mapping[str, Any]] | None = None,
    dampers: Mapping[Any, Mapping[str, Any]] | None = None,
) -> Model:
    """A frame of members between nodes, in the plane or in space; it closes by itself.

    Arguments:
        `nodes`: {name: (x, y[, z])} in m.
        `members`: {name: (node, node, member or properties)}; properties are the keywords of EulerBernoulliBeam (in
            space SpatialBeam), or of `kind`, without name and length, or `section` and `material` by name (with
            `shear=True` as Timoshenko's), and `pinned` "start", "end" or "both".
        `supports`: {node: "fixed", "pinned" or motions like "x y theta"}; `masses`: {node: m or (m, I)} in kg and kg
            m^2.
        `springs` and `dampers`: {node: {"y": k}}; `loads`: {node or member: {"y": "F"}}.
        `section`: the properties that a member does not say.
    Returns fx.Model; `model.node("A")` and `model.member("beam")` are places for loads, springs and outputs.

    >>> import flexura as fx
    >>> nodes, bars = {"A": (0, 0), "B": (0, 2), "C": (3, 2)}, {"AB": ("A", "B"), "BC": ("B", "C")}
    >>> section = {"EI": 50.0, "EA": 9e3, "rho": 1.2}
    >>> portal = fx.frame(nodes, bars, supports={"A": "fixed", "C": "pinned"}, section=section)
    >>> fx.modes(portal, 2).frequencies.shape
    (2,)
    """
    return _Frame(nodes, members, section).model(
        dict(supports or {}), dict(masses or {}), {**(springs or {})}, {**(dampers or {})}, {**(loads or {})}
    )


class _Frame:
    def __init__(self, nodes: Any, members: Any, section: Any) -> None:
        for what, given in (("nodes", nodes), ("members", members)):
            if not isinstance(given, Mapping) or not given:
                raise FlexuraError(
                    f"A frame has {what}={given!r}", advice=f"give {what} by name in a dict", keyword=what
                )
        self.told = {"nodes": nodes, "members": members, "section": None if section is ... else section}
        self.spots = Spots(nodes)
        self.spatial = self.spots.spatial
        self.words = MOTIONS if self.spatial else ("x", "y", "theta")
        self.default = self._properties(section, "section")
        self.ends: dict[Any, tuple[Any, Any]] = {}
        self.spans: dict[Any, Span] = {}
        self.pinned: dict[Any, tuple[bool, bool]] = {}
        self.members: dict[Any, Member] = {}
        for name, given in members.items():
            with concerning(part=str(name), keyword="members"):
                self._member(name, given)
        used = {node for pair in self.ends.values() for node in pair}
        for node in nodes:
            if node not in used:
                raise FlexuraError(
                    f"No member ends at the node {node}", advice="connect it, or leave it out", entry=node
                )

    # -- members -------------------------------------------------------------------------------------------------------

    def _member(self, name: Any, given: Any) -> None:
        if not isinstance(given, tuple | list) or len(given) not in (2, 3):
            raise FlexuraError(f"The member {name} is {given!r}", advice="give (node, node, properties)")
        a, b, *rest = given
        for node in (a, b):
            self._check_node(node, f"The member {name} ends at")
        if a == b:
            raise FlexuraError(
                f"The member {name} runs from the node {a} to itself, so it has no length", advice="name two nodes"
            )
        own = rest[0] if rest and rest[0] is not None else {}
        if isinstance(own, Member):
            span, pinned = self.spots.span(a, b), ""
            self.members[name] = self._given(name, own, span)
        else:
            read = self._properties(own, f"member {name}")
            told = {**self.default, **read}
            pinned, span = told.get("pinned", "") or "", self.spots.span(a, b, told.get("roll", 0))
            self.members[name] = self._made(name, read, span)
        if pinned not in ("", "start", "end", "both"):
            raise FlexuraError(f"The member {name} is pinned={pinned!r}", advice="write 'start', 'end' or 'both'")
        self.ends[name], self.spans[name] = (a, b), span
        self.pinned[name] = (pinned in ("start", "both"), pinned in ("end", "both"))

    def _check_node(self, node: Any, what: str) -> None:
        known = isinstance(node, str | int | float | tuple)
        if not known or node not in self.spots.at:
            advice = nearest(str(node), [str(one) for one in self.spots.at])
            raise FlexuraError(f"{what} the node {node!r}, which there is not", advice=advice)

    @staticmethod
    def _properties(given: Any, what: str) -> dict[str, Any]:
        if given is None or given is ...:
            return {}
        if isinstance(given, Mapping):
            return dict(given)
        if isinstance(given, str) or hasattr(given, "A"):
            return {"section": given}
        raise FlexuraError(
            f"The properties of {what} are {given!r}", advice="give keywords in a dict, like {'EI': 50.0}"
        )

    def _given(self, name: Any, member: Member, span: Span) -> Member:
        values = {**self.spots.near.values, **Near.carried(member.length.declarations)}
        near, wanted = Near(values), span.length.engine
        if not near.cancels(member.length.engine - wanted, [member.length.engine, wanted]):
            have, need = (near.number(one) for one in (member.length.engine, wanted))
            shown = [
                str(f) if number is None else f"{number:.9g}" for f, number in ((member.length, have), (wanted, need))
            ]
            raise FlexuraError(
                f"The member {name} is {shown[0]} long, but its nodes are {shown[1]} apart",
                advice="give it that length, or give its properties alone",
            )
        return member

    def _made(self, name: Any, own: Mapping[str, Any], span: Span) -> Member:
        told = {key: one for key, one in {**self.default, **own}.items() if key not in ("pinned", "roll")}
        shears = told.pop("shear", False)
        flat = TimoshenkoBeam if shears else EulerBernoulliBeam
        kind = told.pop("kind", SpatialBeam if self.spatial else flat)
        if isinstance(kind, str):
            if kind not in PARTS or not issubclass(PARTS[kind], Member):
                raise FlexuraError(f"The member {name} is of the kind {kind!r}", advice=nearest(kind, PARTS))
            kind = PARTS[kind]
        takes = keywords(kind)
        if shears and not _SHEAR & set(takes):
            advice = "leave kind out, or write kind='TimoshenkoBeam', in space 'SpatialBeam'"
            raise FlexuraError(f"The member {name} ({kind.__name__}) cannot shear", advice=advice)
        derived = self._of_section(name, told, takes, shears)
        usual = {key for key in self.default if key not in own and key not in takes and key in _KNOWN}
        read = {**derived, **{key: one for key, one in told.items() if key not in usual}}
        for word in ("name", "length"):
            if word in read:
                raise FlexuraError(f"The member {name} is given {word}", advice="leave it out: the frame says it")
        check_keywords(kind, [*read, "length"], f"The member {name}")
        number = self.spots.near.number(span.length.engine) if not span.length.engine.free_symbols else None
        made: Member = kind(str(name), length=span.length if number is None else number, **read)
        return made

    @staticmethod
    def _of_section(name: Any, told: dict[str, Any], takes: Mapping[str, bool], shears: bool) -> dict[str, Any]:
        """What a section and a material say of a member of this kind; the two words are taken out."""
        section, material = told.pop("section", None), told.pop("material", None)
        if section is None:
            what = "a material" if material is not None else "shear=True" if shears else None
            if what and not (what == "shear=True" and _SHEAR & set(told)):
                raise FlexuraError(f"The member {name} has {what} and no section", advice="give section='tube 60x3 mm'")
            return {}
        if material is None and not hasattr(section, "E"):
            raise FlexuraError(f"The member {name} has a section and no material", advice="give material='steel'")
        derived = section_properties(section, material)
        polar, three = derived.pop("polar"), derived.pop("three")
        if "GJ" in takes:
            derived["rotary_inertia"] = three if shears else polar
            skipped = set() if shears else _SHEAR
            derived = {key: one for key, one in derived.items() if key not in skipped}
        return {key: one for key, one in derived.items() if key in takes}

    # -- the model -----------------------------------------------------------------------------------------------------

    def model(self, supports: Any, masses: Any, springs: Any, dampers: Any, loads: Any) -> Model:
        given = {"supports": supports, "masses": masses, "springs": springs, "dampers": dampers}
        given_by_user = dict(given)
        for keyword, table in given.items():
            for node in table:
                with concerning(keyword=keyword):
                    self._check_node(node, f"{keyword} names")
        held = {node: self._motions(node, one) for node, one in supports.items()}
        for keyword, table in (("springs", springs), ("dampers", dampers)):
            given[keyword] = {node: self._by_motion(node, one, keyword) for node, one in table.items()}
        forces = {key: self._load(key, one) for key, one in loads.items()}
        self._refuse_mechanism(held, given["springs"])
        spun = {node: {*given["springs"].get(node, ()), *given["dampers"].get(node, ())} for node in self.spots.at}
        spun = {node: words | set(forces.get(node, ())) for node, words in spun.items()}
        bodies = {node: self._node(node, masses.get(node, 0), spun[node]) for node in self.spots.at}
        things = [
            *self._supported(bodies, held),
            *self._seated(bodies),
            *self._linked(bodies, given["springs"], Spring, TorsionSpring),
            *self._linked(bodies, given["dampers"], Damper, TorsionDamper),
            *self._loaded(bodies, forces),
        ]
        told = {**self.told, **given_by_user, "loads": loads}
        return Model(*things)._called(bodies, self.members, told)

    def _node(self, node: Any, given: Any, words: set[str]) -> Node:
        m, I = given if is_pair(given) else (given, 0)
        name = re.sub(r"\W", "_", str(node))
        taken = {one.name for one in self.members.values()} | {"ground"}
        name = f"node_{name}" if not name[:1].isalpha() or name in taken or name in ("t", "pi", "x") else name
        stiff = any(
            not self.pinned[member][end] and _TURNING & set(self.members[member].ends)
            for member, pair in self.ends.items()
            for end in (0, 1)
            if pair[end] == node
        )
        with concerning(keyword="masses", entry=node):
            turns = bool(stiff or words & set(MOTIONS[3:]) or I)
            return Node(name, m, I, turns, self.spots.at[node])

    def _supported(self, bodies: Mapping[Any, Node], held: Mapping[Any, tuple[str, ...]]) -> Iterator[Any]:
        for node, words in held.items():
            directions = [AXES[i] for i, word in enumerate(MOTIONS[:3]) if word in words]
            axes = [AXES[i] for i, word in enumerate(MOTIONS[3:]) if word in words and bodies[node].turns]
            if directions or axes:
                place = ground.at(*self.spots.at[node][: 3 if self.spatial else 2])
                yield Held(place, bodies[node], directions, axes, self.spatial)

    def _seated(self, bodies: Mapping[Any, Node]) -> Iterator[Any]:
        for name, member in self.members.items():
            turns = self.spans[name].turns
            for node, place, pinned in zip(self.ends[name], (member.start, member.end), self.pinned[name], strict=True):
                yield Seat(bodies[node], place, turns, pinned)
            if self.spatial and all(self.pinned[name]) and "twist" in member.ends:  # or it would spin about itself
                axis = transpose(Pose().then(turns, IDENTITY).rotation)[0]
                yield Held(ground, member.start, (), (axis,), True)

    def _linked(self, bodies: Mapping[Any, Node], table: Mapping[Any, Any], along: Any, about: Any) -> Iterator[Any]:
        for node, words in table.items():
            for word, k in words.items():
                name = f"{bodies[node].name}_{word}"
                with concerning(part=str(node)):
                    if word in MOTIONS[:3]:
                        yield along(ground, bodies[node], k, along=word, name=name)
                    else:
                        axis = "xyz"[MOTIONS.index(word) - 3]
                        yield about(ground, bodies[node], k, about=axis if self.spatial else None, name=name)

    def _loaded(self, bodies: Mapping[Any, Node], forces: Mapping[Any, Mapping[str, Any]]) -> Iterator[Any]:
        for key, words in forces.items():
            for word, value in words.items():
                if key not in bodies:
                    yield DistributedForce(self.members[key], value, along=word)
                elif word in MOTIONS[:3]:
                    yield Force(bodies[key], value, along=word)
                else:
                    yield Torque(bodies[key], value, about="xyz"[MOTIONS.index(word) - 3])

    # -- words ---------------------------------------------------------------------------------------------------------

    def _motions(self, node: Any, given: Any) -> tuple[str, ...]:
        if given == "fixed":
            return tuple(self.words)
        if given == "pinned":
            return tuple(one for one in self.words if one in MOTIONS[:3])
        words = given.replace(",", " ").split() if isinstance(given, str) else given
        if not isinstance(words, tuple | list) or not words:
            raise FlexuraError(
                f"The support of the node {node} is {given!r}",
                advice="write 'fixed', 'pinned' or motions like 'x y theta'",
            )
        return tuple(self._word(one, f"The support of the node {node}") for one in words)

    def _word(self, word: Any, what: str) -> str:
        found = _SYNONYMS.get(word, word) if isinstance(word, str) else word
        if found not in self.words:
            advice = f"choose among fixed, pinned, {', '.join(self.words)}" if "support" in what else ""
            raise FlexuraError(f"{what} has {word!r}", advice=advice or f"choose among {', '.join(self.words)}")
        return str(found)

    def _by_motion(self, node: Any, given: Any, keyword: str) -> dict[str, Any]:
        if not isinstance(given, Mapping):
            raise FlexuraError(
                f"The {keyword} of the node {node} are {given!r}", advice="give them by motion, like {'y': 1e5}"
            )
        what = f"The {keyword} of the node {node}"
        return {self._word(word, what): one for word, one in given.items()}

    def _load(self, key: Any, given: Any) -> dict[str, Any]:
        if key in self.spots.at and key in self.members:
            raise FlexuraError(
                f"loads names {key!r}, which is a node and a member", advice="rename one of them", keyword="loads"
            )
        if key not in self.spots.at and key not in self.members:
            names = [str(one) for one in (*self.spots.at, *self.members)]
            raise FlexuraError(
                f"loads names {key!r}, which is no node and no member", advice=nearest(str(key), names), keyword="loads"
            )
        return self._by_motion(key, given, "loads")

    # -- mechanisms ----------------------------------------------------------------------------------------------------

    def _refuse_mechanism(self, held: Mapping[Any, Sequence[str]], springs: Mapping[Any, Mapping[str, Any]]) -> None:
        bars = [self._bar(name) for name in self.members]
        kinds = (0, 1, 2, 3, 4, 5) if self.spatial else (0, 1, 5)
        turning = {node for bar in bars if bar.bends for node, rigid in zip(bar.nodes, bar.rigid, strict=True) if rigid}
        unknowns = [(node, i) for node in self.spots.at for i in kinds if i < 3 or node in turning]
        rows = [row for bar in bars for row in strains(bar, self.spatial)]
        rows += [
            {(node, MOTIONS.index(word)): 1.0} for node, words in (*held.items(), *springs.items()) for word in words
        ]
        loose = free_motion(rows, unknowns, self._as_a_whole() if not (held or springs) else ())
        if loose is None:
            return
        (node, i), _ = max(loose.items(), key=lambda one: (round(abs(one[1]), 6), -one[0][1]))
        word = MOTIONS[i]
        motion = f"move along {word}" if i < 3 else f"turn about {'xyz'[i - 3]}"
        others = [str(one) for one in dict.fromkeys(key[0] for key, f in loose.items() if abs(f) > 1e-6) if one != node]
        along = f" together with {', '.join(others[:4])}{' ...' if len(others) > 4 else ''}" if others else ""
        raise FlexuraError(
            f"The frame is a mechanism: the node {node} can {motion}{along}, and nothing resists that",
            advice="add a support, a spring or a member, or weld what is pinned",
            part=str(node),
        )

    def _bar(self, name: Any) -> Bar:
        member, turns = self.members[name], self.spans[name].turns
        axes = transpose(Pose().then(turns, IDENTITY).rotation)
        numbers = tuple(tuple(map(self.spots._number, row)) for row in axes)
        rigid = tuple(not one for one in self.pinned[name])
        bends = "rotation" in member.ends
        return Bar(str(name), self.ends[name], numbers, self.spans[name].size, (rigid[0], rigid[1]), bends)

    def _as_a_whole(self) -> list[Row]:
        """Rigid motions of all nodes: three in the plane, six in space."""
        found: list[Row] = [{(node, i): 1.0 for node in self.spots.at} for i in range(3 if self.spatial else 2)]
        for i in range(3) if self.spatial else (2,):
            j, k = (i + 1) % 3, (i + 2) % 3
            row: Row = {}
            for node, point in self.spots.numbers.items():
                row |= {(node, j): -point[k], (node, k): point[j], (node, 3 + i): 1.0}
            found.append(row)
        return found


def is_pair(given: Any) -> bool:
    """Mass and inertia, and not a name with its value."""
    if not isinstance(given, tuple | list) or len(given) != 2:
        return False
    named = isinstance(given[0], str) and given[0].isidentifier()
    return not (named and (isinstance(given[1], int | float) or bool(unit_of(given[1]))))
