"""A system as a Modelica model: parameters, inputs, states and equations as text, without any library.

>>> fx.export(model, "Arm.mo", values={"g": 9.81}, initial={"theta": 0.3})

M der(v) = f + A' lambda and A der(v) = -c - 2 alpha (A v + b) - alpha^2 g: constraints are differentiated, and what is
missed of them decays.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import symengine

from flexura.exports.fmi.variables import decay
from flexura.exports.straight_line import MODELICA, StraightLine
from flexura.exports.systems import ExportedSystem, exported
from flexura.symbolic.engine import TIME, Basic

_UNITS = {"m": "m", "rad": "rad", "m/s": "m/s", "rad/s": "rad/s", "N": "N", "N*m": "N.m", "N/m": "N/m", "kg": "kg"}
_PLAIN = re.compile(r"[A-Za-z_]\w*\Z", re.ASCII)


def write(
    thing: Any,
    path: Path,
    values: Mapping[str, Any] | None = None,
    order: int | None = None,
    elements: int | None = None,
    outputs: Any = None,
    initial: Mapping[str, Any] | None = None,
    name: str | None = None,
) -> None:
    """One model, called after the file; names that are no words of Modelica's are quoted."""
    system = exported(thing, ".mo", values, order, elements, outputs, initial)
    stem = re.sub(r"\W", "_", name or path.name.split(".")[0], flags=re.ASCII)
    path.write_text(modelica_source(system, stem if stem[:1].isalpha() else f"M_{stem}"), encoding="utf-8")


def modelica_source(system: ExportedSystem, name: str) -> str:
    """The text of the model."""
    w = system.written
    g, A, b, c = w.constraints
    held = iter(g)
    trees = [*w.mass.ravel(), *w.forces, *A.ravel(), *b, *c, *(next(held) if one else 0 for one in w.holonomic)]
    trees += list(system.outputs.values())
    code = StraightLine(MODELICA, _names(system), prefix="aux_").write([symengine.sympify(f) for f in trees])
    n, m = w.n, len(w.multipliers)
    cut = iter(code.texts)
    M = [[next(cut) for _ in range(n)] for _ in range(n)]
    f = [next(cut) for _ in range(n)]
    J = [[next(cut) for _ in range(n)] for _ in range(m)]
    b_texts, c_texts, g_texts = ([next(cut) for _ in range(m)] for _ in range(3))
    y = list(cut)
    lines = [f'model {name} "Equations of motion written by flexura; SI units"', *_declared(system)]
    lines += [f"  Real {one};" for one, _ in code.statements]
    lines += ["equation", *(f"  {one} = {text};" for one, text in code.statements)]
    lines += [f"  der(q[{i + 1}]) = v[{i + 1}];" for i in range(n)]
    for i in range(n):
        inertia = _sum([f"{text}*der(v[{j + 1}])" for j, text in enumerate(M[i]) if text != "0.0"])
        push = [f"({J[k][i]})*lambda[{k + 1}]" for k in range(m) if J[k][i] != "0.0"]
        lines.append(f"  {inertia} = {_sum([f[i], *push])};")
    for k in range(m):
        moved = _sum([f"({text})*der(v[{j + 1}])" for j, text in enumerate(J[k]) if text != "0.0"])
        rate = _sum([*(f"({text})*v[{j + 1}]" for j, text in enumerate(J[k]) if text != "0.0"), b_texts[k]])
        factor = "2.0*" if w.holonomic[k] else ""
        lines.append(
            f"  {moved} = -({c_texts[k]}) - {factor}constraint_decay*({rate}) - constraint_decay^2*({g_texts[k]});"
        )
    lines += [f"  {word} = {text};" for word, text in zip(_outputs(system), y, strict=True)]
    return "\n".join([*lines, f"end {name};", ""])


def _sum(terms: list[str]) -> str:
    return " + ".join(terms) or "0.0"


def _declared(system: ExportedSystem) -> list[str]:
    w = system.written
    lines = []
    for key, value in w.parameters.items():
        lines.append(f"  parameter Real {word_of(key)}{_unit(system, key)} = {float(value)!r};")
    if w.multipliers:
        lines.append(f'  parameter Real constraint_decay(unit="1/s") = {decay(system)!r};')
        lines.append(f'  Real lambda[{len(w.multipliers)}] "{_plain(", ".join(w.multipliers))}";')
    lines += [f"  input Real {word_of(key)}{_unit(system, key)};" for key in w.inputs]
    for letter, start, what in (("q", system.start[0], w.names), ("v", system.start[1], [f"{x}_t" for x in w.names])):
        numbers = ", ".join(repr(float(one)) for one in start)
        told = _plain(", ".join(what))
        lines.append(f'  Real {letter}[{w.n}](start={{{numbers}}}, each fixed=true) "{told}";')
    lines += [f"  output Real {word};" for word in _outputs(system)]
    return lines


def _unit(system: ExportedSystem, name: str) -> str:
    unit = _UNITS.get(system.units.get(name, ""), "")
    return f'(unit="{unit}")' if unit else ""


def _plain(text: str) -> str:
    return text.replace("\\", "/").replace('"', "'")


def _outputs(system: ExportedSystem) -> list[str]:
    taken = {*system.written.parameters, *system.written.inputs, "q", "v", "lambda"}
    return [word_of(f"{one}_out" if one in taken else one) for one in system.outputs]


def word_of(name: str) -> str:
    """A name as Modelica takes it: plain, or in quotes."""
    if _PLAIN.match(name) and name not in _KEYWORDS and not name.startswith("aux_"):
        return name
    return "'" + name.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _names(system: ExportedSystem) -> dict[Basic, str]:
    w = system.written
    found: dict[Basic, str] = {TIME: "time"}
    for letter, symbols in {"q": w.q, "v": w.v, "lambda": w.lam}.items():
        found |= {symbol: f"{letter}[{i + 1}]" for i, symbol in enumerate(symbols)}
    found |= {symbol: f"der(v[{i + 1}])" for i, symbol in enumerate(w.a)}
    found |= {symbol: word_of(key) for symbol, key in zip(w.u, w.inputs, strict=True)}
    return found | {symbol: word_of(key) for symbol, key in zip(w.p, w.parameters, strict=True)}


_KEYWORDS = frozenset(
    (
        *("algorithm", "and", "annotation", "block", "break", "class", "connect", "connector", "constant", "der"),
        *(
            "discrete",
            "each",
            "else",
            "elseif",
            "elsewhen",
            "encapsulated",
            "end",
            "enumeration",
            "equation",
            "expandable",
        ),
        *(
            "extends",
            "external",
            "false",
            "final",
            "flow",
            "for",
            "function",
            "if",
            "import",
            "impure",
            "in",
            "initial",
        ),
        *(
            "inner",
            "input",
            "loop",
            "model",
            "not",
            "operator",
            "or",
            "outer",
            "output",
            "package",
            "parameter",
            "partial",
        ),
        *(
            "protected",
            "public",
            "pure",
            "record",
            "redeclare",
            "replaceable",
            "return",
            "stream",
            "then",
            "true",
            "type",
        ),
        *("when", "while", "within", "time", "q", "v", "lambda", "constraint_decay"),
    )
)
