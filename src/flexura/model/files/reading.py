"""A TOML file becomes a model: parts, connections and loads, each with its line at hand for what goes wrong.

>>> model = read_model("machine.toml")
>>> print(fx.derive(model))
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from flexura.errors import FlexuraError, concerning
from flexura.files.toml_lines import Lines
from flexura.files.toml_quantities import Quantities
from flexura.files.toml_source import Source, text_of, toml_of
from flexura.model.files.document import Entry, ModelDocument, ReportAsked
from flexura.model.files.frame_table import frame_of
from flexura.model.files.kinds import CONNECTIONS, LOADS, PARTS, PLACES, TEXTS, check_keywords, choose
from flexura.model.model import Model
from flexura.parts.bodies import Body, ground
from flexura.parts.control import State
from flexura.parts.gears import Gear
from flexura.parts.loads import Constraint, DistributedForce, Gravity
from flexura.parts.members.member import Member
from flexura.parts.rides import Ride
from flexura.parts.rolling import Rolling
from flexura.symbolic.places import read_place

_NOT_ALONG = ("length", "rate", "initial", "law", "ratio")  # where x is no place on a member


def read_model(path: str | Path) -> Model:
    """Read a model from a file that ends in .toml; everything that is wrong in it is said with its line.

    Arguments:
        `path`: the file.
    Returns fx.Model.

    >>> import flexura as fx
    >>> beam = fx.EulerBernoulliBeam("beam", EI=50.0, rho=1.2, length=1.3)
    >>> model = fx.Model(fx.Fixed(fx.ground, beam.start), fx.Force(beam.end, "F"))
    >>> path = fx.write_model(model, "beam.toml", title="A beam")
    >>> str(fx.derive(fx.read_model("beam.toml"))) == str(fx.derive(model))
    True
    """
    path = Path(path)
    return model_of_text(text_of(path), path.name)


def title_of(path: str | Path) -> str:
    """The title a file gives itself, else its name."""
    try:
        return str(toml_of(text_of(Path(path)), str(path)).get("title", "")) or Path(path).stem
    except FlexuraError:
        return Path(path).stem


def report_of(path: str | Path) -> ReportAsked:
    """What a file asks to be shown in its report."""
    path = Path(path)
    return Source(text_of(path), path.name, ModelDocument).document.report or ReportAsked()


def model_of_text(text: str, name: str = "the model") -> Model:
    """The same from text; `name` stands in sentences."""
    return _ModelReading(text, name).model()


class _ModelReading:
    def __init__(self, text: str, name: str) -> None:
        if _moves(toml_of(text, name).get("frame")):
            line = Lines(text).of("frame")
            raise FlexuraError(
                "this file describes a frame on a moving body, not a model of parts",
                advice="read it with fx.read_frame, or on the command line with flexura campbell",
                place=f"{name}, line {line}",
            )
        self.source = Source(text, name, ModelDocument)
        self.document = self.source.document
        self.quantities = Quantities()
        self.parts: dict[str, Any] = {"ground": ground}
        self.where: list[tuple[Any, tuple[str | int, ...]]] = []

    def model(self) -> Model:
        document = self.document
        for parameter, value in document.parameters.items():
            with self.source.within("parameters", parameter):
                self.quantities.add(parameter, value)
        for name, entry in document.parts.items():
            self._part(name, entry)
        frame = self._frame()
        things = [*(self._connection(i, one) for i, one in enumerate(document.connections))]
        things += [*(self._load(i, one) for i, one in enumerate(document.loads)), *self._rest()]
        framed = [] if frame is None else [*frame.nodes.values(), *frame.members.values()]
        loose = [
            one for name, one in self.parts.items() if name != "ground" and not any(one is part for part in framed)
        ]
        measured = {self._member(of, "measured_from", of): self._body(by, "measured_from", of)
                    for of, by in document.measured_from.items()}  # fmt: skip
        names = {self._place(at, "names", at): self._given(to) for at, to in document.names.items()}
        things += frame.things if frame is not None else ()
        made = Model(*loose, *things, measured_from=measured, names=names, foreshortening=document.foreshortening)
        if frame is not None:
            alone = len(made.things) == len(frame.things) and not measured and not names
            made = made._called(frame.nodes, frame.members, frame.frame if alone else None)
        self._refuse_unused()
        self._try(made)
        return made

    def _frame(self) -> Model | None:
        """The frame of the file; its nodes and members are parts like others."""
        if self.document.frame is None:
            return None
        made = frame_of(self.document.frame, self.quantities, self.source)
        for key, table in (("nodes", made.nodes), ("members", made.members)):
            for name, part in table.items():
                if name in self.parts:
                    with self.source.within("frame", key, name):
                        raise FlexuraError(f"Two parts are called {name}", advice="rename one of them", part=name)
                self.parts[name] = part
                self.where.append((part, ("frame", key, name)))
        return made

    def _part(self, name: str, entry: Entry) -> None:
        with concerning(part=name), self.source.within("parts", name):
            kind = choose(PARTS, entry, f"The part {name}")
            given = {key: one for key, one in entry.items() if key != "kind"}
            check_keywords(kind, given, f"The part {name}")
            self.parts[name] = kind(name, **self._values(given, "parts", name))
            self.where.append((self.parts[name], ("parts", name)))

    def _values(self, given: Entry, *path: str | int, inputs: bool = False) -> Entry:
        read: Entry = {}
        for key, value in given.items():
            with self.source.within(*path, key), concerning(keyword=key):
                if key in TEXTS:
                    read[key] = tuple(value) if isinstance(value, list) and key in ("field", "names") else value
                else:
                    given_by = inputs or key == "motion"
                    read[key] = self.quantities.read(value, key, spine=key not in _NOT_ALONG, inputs=given_by)
        return read

    def _connection(self, i: int, entry: Entry) -> Any:
        path = ("connections", i)
        with self.source.within(*path):
            what = f"The connection number {i + 1}"
            kind = choose(CONNECTIONS, entry, what)
            between = entry.get("between")
            if not isinstance(between, list) or len(between) != 2 or not all(isinstance(o, str) for o in between):
                raise FlexuraError(f"{what} ({kind.__name__}) needs between = [place, place].")
            finds = (self._member if kind is Ride else self._place, self._place)
            p, q = (
                between if kind is Gear else (f(one, *path, "between") for f, one in zip(finds, between, strict=True))
            )
            given = {key: one for key, one in entry.items() if key not in ("kind", "between")}
            check_keywords(kind, given, f"{kind.__name__} between {between[0]} and {between[1]}")
            made = self._made(kind, p, q, self._values(given, *path))
            self.where.append((made, path))
            return made

    @staticmethod
    def _made(kind: Any, p: Any, q: Any, given: Entry) -> Any:
        """A connection of two places; what rolls on the first is the second, and axis = "none" makes it a sphere."""
        if kind is not Rolling:
            return kind(p, q, **given)
        if given.get("axis") == "none":
            given["axis"] = None
        return kind(q, given.pop("radius"), on=p, **given)

    def _load(self, i: int, entry: Entry) -> Any:
        path = ("loads", i)
        with self.source.within(*path):
            what = f"The load number {i + 1}"
            kind = choose(LOADS, entry, what)
            given = {key: one for key, one in entry.items() if key not in ("kind", *PLACES.values())}
            check_keywords(kind, given, what)
            read = self._values(given, *path, inputs=True)
            word = "member" if kind is DistributedForce else "at"
            if not isinstance(entry.get(word), str):
                raise FlexuraError(f"{what} ({kind.__name__}) needs {word} = where it acts.")
            find = self._member if word == "member" else self._place
            for other in ("reaction", "axes"):
                if other in entry:
                    read[other] = self._place(entry[other], *path, other)
            made = kind(find(entry[word], *path, word), **read)
            self.where.append((made, path))
            return made

    def _rest(self) -> Iterator[Any]:
        if self.document.gravity is not None:
            with self.source.within("gravity"):
                yield Gravity(**self._gravity(self.document.gravity))
        for one in self.document.constraints:
            with self.source.within("constraints"):
                made = Constraint(self.quantities.read(one, "constraint", spine=False))
                self.where.append((made, ("constraints",)))
                yield made
        for name, entry in self.document.states.items():
            yield self._state(name, entry)

    def _state(self, name: str, entry: Entry) -> State:
        path = ("states", name)
        with concerning(part=f"the state {name}"), self.source.within(*path):
            check_keywords(State, entry, f"The state {name}")
            made = State(name, **self._values(entry, *path, inputs=True))
            self.where.append((made, path))
            return made

    def _gravity(self, entry: Entry) -> Entry:
        for key in entry:
            if key not in ("g", "along"):
                raise FlexuraError(f"Gravity takes no {key!r}", advice="give g and along")
        return self._values(entry, "gravity")

    def _place(self, text: str, *path: str | int) -> Any:
        with self.source.within(*path):
            part, which, at = read_place(text)
            if part not in self.parts:
                raise FlexuraError(
                    f"The place {text!r} is on {part!r}, which is no part", advice=f"the parts are {self._known()}"
                )
            owner = self.parts[part]
            given = [self.quantities.read(one, "place", spine=False) if not _number(one) else float(one) for one in at]
            if isinstance(owner, Member):
                if which in ("start", "end"):
                    return getattr(owner, which)
                if len(given) != 1:
                    raise FlexuraError(
                        f"{text!r} is no place on the member {part}", advice=f"write {part}.start, .end or .at(s)"
                    )
                return owner.at(given[0])
            if which in ("start", "end"):
                raise FlexuraError(
                    f"{text!r} is no place, because {part} is a body", advice=f"write {part} or {part}.at(x, y)"
                )
            return owner.at(*given) if given else owner

    def _known(self) -> str:
        return ", ".join(self.parts)

    def _member(self, name: str, *path: str | int) -> Member:
        with self.source.within(*path):
            found = self.parts.get(name)
            if not isinstance(found, Member):
                members = ", ".join(key for key, one in self.parts.items() if isinstance(one, Member)) or "none"
                raise FlexuraError(f"{name!r} is no member", advice=f"the members are {members}")
            return found

    def _body(self, name: str, *path: str | int) -> Body:
        with self.source.within(*path):
            found = self.parts.get(name)
            if not isinstance(found, Body):
                raise FlexuraError(f"{name!r} is no body", advice=f"the parts are {self._known()}")
            return found

    @staticmethod
    def _given(names: str | list[str]) -> str | tuple[str | None, ...]:
        """An empty text keeps a default name, since TOML has no None."""
        return names if isinstance(names, str) else tuple(one or None for one in names)

    def _refuse_unused(self) -> None:
        for name in self.document.parameters:
            if name not in self.quantities.used:
                raise FlexuraError(
                    f"the parameter {name} is used by no part",
                    advice="use it, or leave it out",
                    place=self.source.place("parameters", name),
                )

    def _try(self, model: Model) -> None:
        """Build it now: what the parts together do wrong is said with the line of the one it is about."""
        try:
            model.lagrangian  # noqa: B018  # reading it builds the model
        except FlexuraError as error:
            path = self._about(error)
            if path:
                raise error.with_(place=self.source.place(*path)) from None
            raise

    def _about(self, error: FlexuraError) -> tuple[str | int, ...]:
        """The entry an error is about; empty where it does not say."""
        if error.keyword in ("names", "measured_from"):
            return (error.keyword, str(error.entry))
        named = (path for one, path in self.where if error.part and error.part in _called(one))
        path = next(named, ())
        return (*path, error.keyword) if path and error.keyword else path


def _called(thing: Any) -> tuple[Any, ...]:
    """What errors call a part, a connection, a load or a constraint."""
    return getattr(thing, "name", ""), getattr(thing, "words", ""), repr(thing)


def _moves(table: Any) -> bool:
    """Whether a table [frame] is about a frame on a moving body, which has elements instead of members."""
    return table is not None and not (isinstance(table, dict) and "members" in table)


def _number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
