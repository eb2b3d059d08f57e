"""A model becomes a TOML file that reads back as the same model: every part in the words it was made with.

>>> fx.write_model(model, "machine.toml")
>>> str(fx.derive(fx.read_model("machine.toml"))) == str(fx.derive(model))
True
"""

from __future__ import annotations

import json
import math
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from flexura.errors import FlexuraError
from flexura.files.toml_source import text_of
from flexura.files.writing import check_place, replacing
from flexura.model.files.comments import with_comments
from flexura.model.files.kinds import CONNECTIONS, LOADS, PARTS, PLACES, TEXTS
from flexura.model.files.written_frame import frame_tables
from flexura.model.model import Model
from flexura.parts.bodies import Body, ground
from flexura.parts.control import State
from flexura.parts.gears import Gear
from flexura.parts.loads import Constraint, Gravity
from flexura.parts.members.member import Member
from flexura.symbolic.engine import Symbol
from flexura.symbolic.expression import Expression, InputDeclaration, ParameterDeclaration
from flexura.symbolic.quantities import quantity

_PLACES = ("p", "q", "joint1", "joint2", "body", "on")


def write_model(model: Model, path: str | Path, title: str = "") -> Path:
    """Write a model as a TOML file; what a file has no word for is said, and nothing is written.

    Arguments:
        `model`: a model; `path`: ends in .toml; `title`: what the model calls itself.
    Returns the path. Where the file is there already its comments stay with their entries, and so do its title, if
    none is given, and what it asks of reports.

    >>> import flexura as fx
    >>> beam = fx.EulerBernoulliBeam("beam", EI=50.0, rho=1.2, length=1.3)
    >>> model = fx.Model(fx.Fixed(fx.ground, beam.start), fx.Force(beam.end, "F"))
    >>> fx.write_model(model, "beam.toml", title="A beam").name
    'beam.toml'
    """
    if not isinstance(model, Model):
        raise FlexuraError(f"A {type(model).__name__} is no model", advice="give what fx.Model(...) made")
    path = check_place(Path(path))
    if path.suffix != ".toml":
        raise FlexuraError(f"A model file ends in .toml, and {path.name} does not", advice=f"write {path.stem}.toml")
    old = _before(path)
    text = with_comments(model_text(model, title or _title_in(old)), old)
    with replacing(path) as unfinished:
        unfinished.write_text(text, encoding="utf-8", newline="\n")
    return path


def _before(path: Path) -> str:
    """What stands in the file so far, if it is text."""
    try:
        return text_of(path) if path.is_file() else ""
    except FlexuraError:
        return ""


def _title_in(text: str) -> str:
    try:
        found = tomllib.loads(text).get("title", "")
    except ValueError:
        return ""
    return found if isinstance(found, str) else ""


def model_text(model: Model, title: str = "") -> str:
    """The same as text."""
    return _Writing(model).text(title)


class _Writing:
    """Tables in the order in which people read them; parameters are collected on the way."""

    def __init__(self, model: Model) -> None:
        if model.nodes and model.frame is None:
            raise FlexuraError(
                "This model is a frame of nodes with other parts, which is not written",
                advice="keep the file or the script it was made by",
            )
        self.model = model
        self.made = {id(part) for made in model.made_by_rides.values() for part in made}
        self.parameters: dict[str, float] = {}

    def text(self, title: str) -> str:
        """The whole file."""
        frame = self.model.frame
        if frame is not None:
            tables = [*frame_tables(frame, self._word, self._value, _key)]
        else:
            tables = [*self._parts(), *self._things(), *self._named()]
        head = [f"title = {json.dumps(title, ensure_ascii=False)}"] if title else []
        head += [] if self.model.foreshortening else ["foreshortening = false"]
        conditions = [self._value(one.given["expression"]) for one in self._all(Constraint)]
        head += [f"constraints = [{', '.join(conditions)}]"] if conditions else []
        known = _table("[parameters]", {name: _number(value) for name, value in sorted(self.parameters.items())})
        return "\n\n".join(filter(None, ("\n".join(head), known if self.parameters else "", *tables))) + "\n"

    def _all(self, kind: Any) -> list[Any]:
        return [thing for thing in self.model.things if isinstance(thing, kind)]

    def _parts(self) -> Iterator[str]:
        for part in (one for one in self.model.parts if id(one) not in self.made):
            if PARTS.get(type(part).__name__) is not type(part):
                raise _no_word(part, part.name)
            yield self._entry(f"[parts.{part.name}]", part, {})

    def _things(self) -> Iterator[str]:
        for thing in (one for one in self.model.things if id(one) not in self.made):
            kind = type(thing).__name__
            if CONNECTIONS.get(kind) is type(thing):
                yield self._entry("[[connections]]", thing, {"between": self._between(thing)})
            elif LOADS.get(kind) is type(thing):
                words = {word: key for key, word in PLACES.items() if thing.given.get(key) is not None}
                if kind != "DistributedForce":
                    words = {word: key for word, key in words.items() if word != "member"}
                where = {word: _text(self._place(thing.given[key])) for word, key in words.items()}
                yield self._entry("[[loads]]", thing, where)
            elif isinstance(thing, Gravity):
                yield _table("[gravity]", dict(self._keywords(thing)))
            elif isinstance(thing, State):
                yield _table(f"[states.{thing.name}]", dict(self._keywords(thing)))
            elif not isinstance(thing, Constraint | Body | Member) and not hasattr(thing, "at_ends"):
                raise _no_word(thing, repr(thing))

    def _between(self, thing: Any) -> str:
        given = thing.given
        if isinstance(thing, Gear):
            pair = [one if isinstance(one, str) else one.name for one in (given["joint1"], given["joint2"])]
            if not all(pair):
                raise FlexuraError(
                    f"{thing!r} names a joint without a name", advice="give the joint a name=", part=repr(thing)
                )
            return f"[{', '.join(map(_text, pair))}]"
        pair = (
            [given["p"], given["q"]] if "p" in given else [given.get("member", given.get("on", ground)), given["body"]]
        )
        return f"[{', '.join(_text(self._place(place)) for place in pair)}]"

    def _entry(self, head: str, thing: Any, places: Mapping[str, str]) -> str:
        return _table(head, {"kind": _text(type(thing).__name__), **places, **dict(self._keywords(thing))})

    def _keywords(self, thing: Any) -> Iterator[tuple[str, str]]:
        """What was given beside places and the part's own name, each as TOML says it."""
        named = isinstance(thing, Body | Member | State)
        for key, value in thing.given.items():
            if key in (*_PLACES, *PLACES) or (key == "name" and named):
                continue
            if value is None and key == "axis":
                yield key, _text("none")
            elif value is not None:
                yield key, self._word(value) if key in TEXTS else self._value(value)

    def _named(self) -> Iterator[str]:
        """The tables of how deflections are measured and ends are called."""
        measured = {_key(of.name): _text(by.name) for of, by in self.model.measured_from.items()}
        if measured:
            yield _table("[measured_from]", measured)
        names = {_key(self._place(at)): self._word(_without_none(to)) for at, to in self.model.names.items()}
        if names:
            yield _table("[names]", names)

    def _place(self, place: Any) -> str:
        """A body, a point of it, or a place on a member, as `between` names them."""
        if isinstance(place, Body):
            return place.name
        if isinstance(place, Member):
            return str(place.name)
        for declaration in getattr(place, "declarations", ()):
            self._carry(declaration)
        return repr(place)

    def _word(self, value: Any) -> str:
        """A word or a direction."""
        if isinstance(value, str):
            return _text(value)
        if isinstance(value, list | tuple):
            return f"[{', '.join(map(self._word, value))}]"
        return self._value(value)

    def _value(self, value: Any) -> str:
        """A quantity: a number, text, a name with its number, a table of them, or a formula."""
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, str):
            return _text(value)
        if isinstance(value, list | tuple):
            return f"[{', '.join(map(self._value, value))}]"
        if hasattr(value, "tolist"):
            return self._value(value.tolist())
        if isinstance(value, int | float):
            return _number(value)
        if hasattr(value, "magnitude"):
            return _text(f"{float(value.magnitude)!r} {value.units}")
        formula = value if isinstance(value, Expression) else quantity(value, "value", "the model", unit_allowed=False)
        for declaration in formula.declarations:
            self._carry(declaration)
        return _text(_formula(formula))

    def _carry(self, declaration: Any) -> None:
        if isinstance(declaration, ParameterDeclaration) and declaration.value is not None:
            self.parameters[declaration.name] = declaration.value


def _formula(formula: Expression) -> str:
    """As the parser reads it: an input says what it is a function of."""
    inputs = {one.name: one.of for one in formula.declarations if isinstance(one, InputDeclaration)}
    called = {Symbol(name): Symbol(f"{name}({', '.join(sorted(of, reverse=True))})") for name, of in inputs.items()}
    return str(Expression(formula.engine.xreplace(called)))


def _table(head: str, entries: Mapping[str, str]) -> str:
    return "\n".join((head, *(f"{key} = {value}" for key, value in entries.items())))


def _without_none(names: Any) -> Any:
    """An empty text keeps a default name, since TOML has no None."""
    return names if isinstance(names, str) else [name or "" for name in names]


def _number(value: Any) -> str:
    if not math.isfinite(value):
        return repr(float(value))
    return repr(int(value)) if isinstance(value, int) else repr(float(value))


def _text(text: str) -> str:
    """A basic string of TOML: JSON's, but for the letter it does not escape."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _key(name: str) -> str:
    return name if name.isascii() and name.isidentifier() else _text(name)


def _no_word(thing: Any, part: str) -> FlexuraError:
    return FlexuraError(
        f"A model file has no word for {type(thing).__name__} ({part}), so nothing was written",
        advice="keep the script that made the model",
        part=part,
    )
