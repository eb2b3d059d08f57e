"""C functions from trees: straight-line code, long lists cut into pieces that compilers take quickly.

>>> text = c_function("arm_forcing", "double t, const double *q, double *f", {Symbol("q"): "q[0]"}, {"f": trees})
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import symengine

from flexura.exports.straight_line import C as LANGUAGE
from flexura.exports.straight_line import StraightLine, Written
from flexura.symbolic.engine import Basic

_PIECE = 400  # statements in a function: compilers take more than twice as long for twice as many
_LETTERS = 60  # of a statement; a longer one counts as several
_LEAST = 0.1  # what a result counts for that is a number


def c_function(name: str, arguments: str, names: Mapping[Basic, str], blocks: Mapping[str, Any]) -> str:
    """A function that fills arrays, row by row; every entry is written, zeros too."""
    targets, trees = _targets(blocks)
    written = StraightLine(LANGUAGE, names).write(trees)
    ends = [f"{target} = {text};" for target, text in zip(targets, written.texts, strict=True)]
    if max([0, *_pieces([text for _, text in written.statements]), *_pieces(ends, _LEAST)]) == 0:
        lines = [*(LANGUAGE.assign.format(name=one, text=text) for one, text in written.statements), *ends]
        return _function(f"void {name}({arguments})", lines)
    return _in_pieces(name, arguments, written, targets)


def _function(head: str, lines: Sequence[str]) -> str:
    return "\n".join([head, "{", *(f"    {line}" for line in lines), "}", ""])


def _targets(blocks: Mapping[str, Any]) -> tuple[list[str], list[Basic]]:
    targets, trees = [], []
    for array, block in blocks.items():
        for i, f in enumerate(np.asarray(block, dtype=object).ravel()):
            targets.append(f"{array}[{i}]")
            trees.append(symengine.sympify(f))
    return targets, trees


def _in_pieces(name: str, arguments: str, written: Written, targets: list[str]) -> str:
    """What later pieces or results need is kept in one array; the rest is local to its piece."""
    statements = written.statements
    pieces = _pieces([text for _, text in statements])
    where = {one: piece for (one, _), piece in zip(statements, pieces, strict=True)}
    last: dict[str, int] = {}
    for (_, text), piece in zip(statements, pieces, strict=True):
        for word in _words(text, where):
            last[word] = piece
    for text in written.texts:
        for word in _words(text, where):
            last[word] = len(statements)
    kept = {one: k for k, one in enumerate(one for one, piece in where.items() if last.get(one, 0) > piece)}
    passed = ", ".join(_name(one) for one in arguments.split(","))
    functions = []
    count = pieces[-1] + 1 if pieces else 0
    for k in range(count):
        lines = []
        for one, text in statements[bisect_left(pieces, k) : bisect_left(pieces, k + 1)]:
            lines.append(f"const double {one} = {_kept(text, kept, where, k)};")
            if one in kept:
                lines.append(f"w[{kept[one]}] = {one};")
        functions.append(_function(f"static void {name}_{k}({arguments}, double *w)", lines))
    ends = [
        f"{target} = {_kept(text, kept, where, count)};" for target, text in zip(targets, written.texts, strict=True)
    ]
    last_ones = _pieces(ends, _LEAST)
    for k in range(last_ones[-1] + 1 if ends else 0):
        some = ends[bisect_left(last_ones, k) : bisect_left(last_ones, k + 1)]
        functions.append(_function(f"static void {name}_end_{k}({arguments}, const double *w)", some))
    calls = [f"double *w = (double *)malloc({max(1, len(kept))} * sizeof(double));"]
    calls += [f"{name}_{k}({passed}, w);" for k in range(count)]
    calls += [f"{name}_end_{k}({passed}, w);" for k in range(last_ones[-1] + 1 if ends else 0)]
    functions.append(_function(f"void {name}({arguments})", [*calls, "free(w);"]))
    return "\n".join(functions)


def _pieces(texts: Sequence[str], least: float = 1.0) -> list[int]:
    """Which piece each text belongs to, so that none takes a compiler long."""
    found, piece, held = list[int](), 0, 0.0
    for text in texts:
        weight = max(least, len(text) / _LETTERS)
        if held and held + weight > _PIECE:
            piece, held = piece + 1, 0.0
        held += weight
        found.append(piece)
    return found


def _words(text: str, known: Mapping[str, int]) -> list[str]:
    """The names of statements in a text."""
    found, i = [], 0
    while (i := text.find("x", i)) >= 0:
        end = i + 1
        while end < len(text) and text[end].isdigit():
            end += 1
        before = text[i - 1] if i else " "
        if end > i + 1 and not (before.isalnum() or before == "_") and text[i:end] in known:
            found.append(text[i:end])
        i = end
    return found


def _kept(text: str, kept: Mapping[str, int], where: Mapping[str, int], piece: int) -> str:
    """What was computed in an earlier piece is read from the array."""
    for word in sorted(set(_words(text, where)), key=len, reverse=True):
        if where[word] != piece:
            text = _replaced(text, word, f"w[{kept[word]}]")
    return text


def _replaced(text: str, word: str, other: str) -> str:
    parts, i = [], 0
    while (at := text.find(word, i)) >= 0:
        end = at + len(word)
        alone = not (at and (text[at - 1].isalnum() or text[at - 1] == "_")) and not text[end : end + 1].isdigit()
        parts.append(text[i:at] + (other if alone else word))
        i = end
    return "".join(parts) + text[i:]


def _name(argument: str) -> str:
    return argument.replace("*", " ").split()[-1]
