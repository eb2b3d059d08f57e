"""Arguments that a function does not take: a sentence that names those it takes, instead of a TypeError.

>>> @checked
... def modes(equations, count=10): ...
>>> modes(equations, cuont=3)          # modes takes no 'cuont'; did you mean 'count'?

Nothing is checked where all goes well, so nothing is slower; but arrays with units are, for NumPy would drop the units.
"""

from __future__ import annotations

import collections.abc
import difflib
import functools
import inspect
import numbers
import sys
import types
import typing
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from flexura.errors import FlexuraError

Function = TypeVar("Function", bound=Callable[..., Any])
_WIDER = {float: numbers.Real, int: numbers.Integral, complex: numbers.Complex}
_WORDS = {float: "a number", int: "a whole number", complex: "a number", str: "text", bool: "True or False"}
_NUMBERS = "numbers"
Numbers = typing.Annotated[Any, _NUMBERS]
"""A number, or numbers in lists or arrays of any depth: what NumPy would make an array of real numbers of."""
Measured = typing.Annotated[Any, _NUMBERS, "measured"]
"""The same, read in SI units where it is a quantity of pint."""
_RAISED = (TypeError, ValueError, AttributeError, KeyError, IndexError)


def checked(function: Function, name: str = "", skipped: int = 0, also: tuple[str, ...] = ()) -> Function:
    """The same function; where it fails because of its arguments, the sentence says which, and what it takes.

    `name` is what users call it, `skipped` counts leading arguments that they do not give themselves, `also` are words
    that somebody else has taken already.
    """
    return _told(function, lambda args: name or function.__name__, skipped, also)


def _told(
    function: Function, called: Callable[[tuple[Any, ...]], str], skipped: int, also: tuple[str, ...] = ()
) -> Function:
    @functools.wraps(function)
    def told(*args: Any, **keywords: Any) -> Any:
        if "pint" in sys.modules:
            _refuse_units(function, called, skipped, args, keywords)
        try:
            return function(*args, **keywords)
        except FlexuraError:
            raise
        except _RAISED:
            _blame(function, called(args), skipped, also, args, keywords)
            raise

    return typing.cast(Function, told)


_PUBLIC: dict[Any, Any] = {}
_METHODS: set[type] = set()
_ASKED = {"__call__": "(...)", "__getitem__": "[...]"}


def public(name: str, found: Any) -> Any:
    """What users call by that name: a function that is checked, or a class whose construction and methods are."""
    if isinstance(found, type):
        if found not in _PUBLIC and not issubclass(found, BaseException):
            _PUBLIC[found] = found
            method = "__new__" if "__new__" in vars(found) else "__init__"
            setattr(found, method, checked(getattr(found, method), f"fx.{name}", skipped=1))
            for base in found.__mro__:
                if base.__module__.startswith("flexura."):
                    checked_methods(base)
        return found
    if not isinstance(found, types.FunctionType):
        return found
    if found not in _PUBLIC:
        _PUBLIC[found] = told = checked(found, f"fx.{name}")
        _PUBLIC[told] = told
        told.__module__, told.__qualname__ = "flexura", name  # where it is found again, by pickle too
    return _PUBLIC[found]


_Kind = TypeVar("_Kind", bound=type)


def checked_methods(kind: _Kind) -> _Kind:
    """The same class; its public methods say what they take, named after the class of the object that is asked.

    For what verbs return without a name in the facade; `public` does it for the others.

    >>> @checked_methods
    ... class Shape: ...
    """
    if kind in _METHODS:
        return kind
    _METHODS.add(kind)
    for name, found in list(vars(kind).items()):
        if name.startswith("_") and name not in _ASKED:
            continue
        spoken = functools.partial(_spoken, kind, _ASKED.get(name, f".{name}"))
        if isinstance(found, types.FunctionType):
            setattr(kind, name, _told(found, spoken, 1))
        elif isinstance(found, classmethod):
            setattr(kind, name, classmethod(_told(found.__func__, spoken, 1)))
        elif isinstance(found, staticmethod):
            setattr(kind, name, staticmethod(checked(found.__func__, f"{kind.__name__}.{name}")))
    return kind


def _spoken(kind: type, method: str, args: tuple[Any, ...]) -> str:
    """What a user wrote: Mass.at, though every body has it, or Trajectory[...]."""
    owner = kind if not args else args[0] if isinstance(args[0], type) else type(args[0])
    return f"{owner.__name__}{method}"


def _blame(
    function: Callable[..., Any], called: str, skipped: int, also: tuple[str, ...], args: Any, keywords: dict[str, Any]
) -> None:
    """Raise a sentence if the arguments do not fit; what is left is a mistake of our own."""
    signature = inspect.signature(function)
    known = list(signature.parameters.values())[skipped:]
    _refuse_unknown(known, called, also, keywords)
    try:
        given = signature.bind(*args, **keywords).arguments
    except TypeError as error:
        takes = ", ".join(_shown(one) for one in known)
        raise FlexuraError(
            f"{called} cannot be called like that ({error})", advice=f"it takes {takes or 'nothing'}"
        ) from None
    for one in known:
        if one.name in given and one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD):
            _refuse_type(function, called, one, given[one.name])


def _refuse_units(
    function: Callable[..., Any], called: Callable[[Any], str], skipped: int, args: Any, keywords: dict[str, Any]
) -> None:
    """Refuse arrays of pint where they are not read in SI units: NumPy would take their numbers as they are."""
    if not any(_unit(one) for one in (*args, *keywords.values())):
        return
    known = list(inspect.signature(function).parameters.values())
    for one, value in (*zip(known, args, strict=False), *((one, keywords.get(one.name)) for one in known)):
        if _unit(value) and not _read_in_units(_annotation(function, one)):
            raise FlexuraError(
                f"{called(args)} takes plain numbers as {one.name}, and an array in {_unit(value)} is none",
                advice="give its numbers in SI units, those of .to_base_units().magnitude",
                keyword=one.name,
            )


def _read_in_units(annotation: Any) -> bool:
    """Whether a quantity of pint is read, also where None may be given instead."""
    if typing.get_origin(annotation) in (typing.Union, types.UnionType):
        return any(map(_read_in_units, typing.get_args(annotation)))
    return "measured" in getattr(annotation, "__metadata__", ())


def _unit(value: Any) -> str:
    """That of an array of pint."""
    if not hasattr(type(value), "units"):  # of its kind, because some answers take any attribute for a name
        return ""
    return str(value.units) if getattr(getattr(value, "magnitude", None), "ndim", 0) else ""


def _refuse_unknown(
    known: list[inspect.Parameter], called: str, also: tuple[str, ...], keywords: dict[str, Any]
) -> None:
    if any(one.kind is one.VAR_KEYWORD for one in known):
        return
    words = [one.name for one in known if one.kind not in (one.VAR_POSITIONAL, one.POSITIONAL_ONLY)]
    for keyword in keywords:
        if keyword not in words:
            takes = [*words, *also]
            listed = f" (it takes {', '.join(takes)})" if _near(keyword, takes) else ""
            advice = f"{nearest(keyword, takes)}{listed}"
            raise FlexuraError(f"{called} takes no {keyword!r}", advice=advice, keyword=keyword)


def nearest(word: str, known: Iterable[str]) -> str:
    """What was meant, if that is clear, and what there is."""
    names = list(known)
    near = _near(word, names)
    listed = f"choose among {', '.join(names)}" if names else "leave it out"
    return f"did you mean {near!r}" if near else listed


def _near(word: str, known: Iterable[str]) -> str:
    lower = {name.lower(): name for name in known}
    near = difflib.get_close_matches(word.lower(), lower, n=1)
    return lower[near[0]] if near else ""


def _shown(one: inspect.Parameter) -> str:
    mark = "*" if one.kind is one.VAR_POSITIONAL else "**" if one.kind is one.VAR_KEYWORD else ""
    return f"{mark}{one.name}" + ("" if one.default is one.empty or mark else "=...")


def _refuse_type(function: Callable[..., Any], called: str, one: inspect.Parameter, value: Any) -> None:
    annotation = _annotation(function, one)
    if value is one.default or _fits(value, annotation):
        return
    shown = repr(value)
    shown = shown if len(shown) <= 60 else f"{shown[:57]}..."
    raise FlexuraError(
        f"{called} takes {_words(annotation)} as {one.name}, and {shown} is none", advice="give one", keyword=one.name
    )


def _annotation(function: Callable[..., Any], one: inspect.Parameter) -> Any:
    """What an argument is declared to be; Any, where that is known to type checkers only."""
    if not isinstance(one.annotation, str):
        return Any if one.annotation is one.empty else one.annotation
    room = getattr(inspect.unwrap(function), "__globals__", {})
    try:
        declared = type("Declared", (), {"__annotations__": {one.name: one.annotation}})
        return typing.get_type_hints(declared, globalns=room, include_extras=True)[one.name]
    except Exception:
        return Any


def _plain(annotation: Any) -> Any:
    """What an alias of a type stands for: NumPy's NDArray is one in releases for Python 3.12 and later."""
    alias: Any = typing.get_origin(annotation) or annotation
    known: Any = getattr(typing, "TypeAliasType", ())
    return _plain(alias.__value__) if isinstance(alias, known) else annotation


def _fits(value: Any, annotation: Any) -> bool:
    annotation = _plain(annotation)
    if annotation is Any or isinstance(annotation, TypeVar):
        return True
    if annotation is None:
        return value is None
    origin = typing.get_origin(annotation)
    if origin is typing.Annotated:
        return _real(value) if _NUMBERS in annotation.__metadata__ else _fits(value, annotation.__origin__)
    if origin in (typing.Union, types.UnionType):
        return any(_fits(value, one) for one in typing.get_args(annotation))
    if origin is typing.Literal:
        return value in typing.get_args(annotation)
    kind = origin or annotation
    if isinstance(kind, type) and not isinstance(value, _WIDER.get(kind, kind)):
        return False
    return _fit_inside(value, kind, typing.get_args(annotation))


def _fit_inside(value: Any, kind: Any, inside: tuple[Any, ...]) -> bool:
    """Whether what a list or a mapping holds fits; text is read letter by letter, and fits where texts do."""
    if kind is collections.abc.Mapping and len(inside) == 2:
        return all(_fits(name, inside[0]) and _fits(one, inside[1]) for name, one in value.items())
    if kind in (collections.abc.Sequence, list) and len(inside) == 1:
        return all(_fits(one, inside[0]) for one in value)
    return True


def _real(value: Any) -> bool:
    """Whether NumPy reads it as real numbers; loaded only where a call has failed."""
    import numpy as np

    try:
        np.asarray(value.toarray() if hasattr(value, "toarray") else value, dtype=np.float64)
    except (TypeError, ValueError):
        return False
    return True


def _words(annotation: Any) -> str:
    return " or ".join(dict.fromkeys(_each(annotation)))


def _each(annotation: Any) -> Iterator[str]:
    annotation = _plain(annotation)
    if typing.get_origin(annotation) in (typing.Union, types.UnionType):
        for one in typing.get_args(annotation):
            yield from _each(one)
        return
    kind = typing.get_origin(annotation) or annotation
    if kind is typing.Annotated:
        yield "numbers" if _NUMBERS in annotation.__metadata__ else " or ".join(_each(annotation.__origin__))
    elif kind in (None, types.NoneType):
        yield "None"
    elif kind is collections.abc.Mapping:
        yield "a mapping"
    elif kind in (collections.abc.Iterable, collections.abc.Sequence, tuple, list):
        yield "a list of texts" if typing.get_args(annotation) == (str,) else "a list"
    elif kind is collections.abc.Callable:
        yield "a function"
    elif kind is typing.Literal:
        yield "one of " + ", ".join(map(repr, typing.get_args(annotation)))
    else:
        yield _WORDS.get(kind, f"a {getattr(kind, '__name__', kind)}")
