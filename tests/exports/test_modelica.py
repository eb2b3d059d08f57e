"""Modelica text: read by a small reader of the language, flattened and integrated, it moves as the system does."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import flexura as fx

sys.path.insert(0, str(Path(__file__).parent))
from machines import MACHINES, VALUES

WORD = r"'(?:[^'\\]|\\.)*'|[A-Za-z_]\w*"
TOKEN = re.compile(rf"\s*(?:({WORD})|([\d.]+(?:e[+-]?\d+)?)|(<=|>=|<>|==|[-+*/^()\[\],<>=]))")


class Reader:
    """Expressions of Modelica as Python functions of a scope: its own grammar, independent of what wrote the text."""

    def __init__(self, text: str) -> None:
        self.tokens, at = [], 0
        while text[at:].strip():
            found = TOKEN.match(text, at)
            assert found, text[at : at + 30]
            self.tokens.append(found.group().strip())
            at = found.end()
        self.i = 0

    def peek(self) -> str:
        return self.tokens[self.i] if self.i < len(self.tokens) else ""

    def take(self, *wanted: str) -> str:
        token = self.peek()
        assert not wanted or token in wanted, (token, wanted)
        self.i += 1
        return token

    def expression(self, scope: dict[str, Any]) -> Any:
        if self.peek() == "if":
            self.take("if")
            condition = self.relation(scope)
            self.take("then")
            first = self.expression(scope)
            self.take("else")
            second = self.expression(scope)
            return first if condition else second
        value = self.term(scope)
        while self.peek() in ("+", "-"):
            value = value + self.term(scope) if self.take() == "+" else value - self.term(scope)
        return value

    def relation(self, scope: dict[str, Any]) -> Any:
        left = self.expression(scope)
        if self.peek() in ("<", "<=", ">", ">=", "==", "<>"):
            sign, right = self.take(), self.expression(scope)
            return {"<": left < right, "<=": left <= right, ">": left > right, ">=": left >= right}.get(sign)
        return left

    def term(self, scope: dict[str, Any]) -> Any:
        value = self.factor(scope)
        while self.peek() in ("*", "/"):
            value = value * self.factor(scope) if self.take() == "*" else value / self.factor(scope)
        return value

    def factor(self, scope: dict[str, Any]) -> Any:
        if self.peek() in ("-", "+"):
            return -self.factor(scope) if self.take() == "-" else self.factor(scope)
        value = self.primary(scope)
        if self.peek() == "^":
            self.take()
            value = value ** self.factor(scope)
        return value

    def primary(self, scope: dict[str, Any]) -> Any:
        token = self.take()
        if token == "(":
            value = self.relation(scope)
            self.take(")")
            return value
        if token[0].isdigit() or token[0] == ".":
            return float(token)
        if self.peek() == "(":
            self.take("(")
            if token == "der":
                inside = self.take()
                self.take("[")
                index = int(self.take())
                self.take("]")
                self.take(")")
                return scope["der"](inside, index)
            given = [self.relation(scope)]
            while self.peek() == ",":
                self.take()
                given.append(self.relation(scope))
            self.take(")")
            functions = {"asin": np.arcsin, "acos": np.arccos, "atan": np.arctan, "atan2": np.arctan2}
            return functions.get(token, getattr(np, token, None))(*given)
        if self.peek() == "[":
            self.take("[")
            index = int(self.take())
            self.take("]")
            return scope[token][index - 1]
        return scope[token]


class FlatModel:
    """A model of scalars and vectors q, v, lambda; accelerations are solved for, as a compiler would."""

    def __init__(self, text: str) -> None:
        head, _, body = text.partition("\nequation\n")
        self.parameters = {
            m[1]: float(m[2]) for m in re.finditer(rf"parameter Real ({WORD})(?:\([^)]*\))? = ([^;]+);", head)
        }
        self.start = {
            m[1]: [float(x) for x in m[2].split(",")]
            for m in re.finditer(r"Real ([qv])\[\d+\]\(start=\{([^}]*)\}", head)
        }
        self.n = len(self.start["q"])
        self.m = int(found[1]) if (found := re.search(r"Real lambda\[(\d+)\]", head)) else 0
        rows = [line.strip().rstrip(";").split(" = ", 1) for line in body.splitlines() if " = " in line]
        self.aux = [row for row in rows if re.fullmatch(r"aux_\d+", row[0])]
        self.kinematic = [row for row in rows if re.fullmatch(r"der\(q\[\d+\]\)", row[0])]
        outputs = re.findall(rf"output Real ({WORD});", head)
        self.outputs = {left: right for left, right in rows if left in outputs}
        self.dynamic = [
            row for row in rows if row not in self.aux and row not in self.kinematic and row[0] not in outputs
        ]
        assert len(self.kinematic) == self.n
        assert len(self.dynamic) == self.n + self.m

    def scope(self, t: float, x: Any, inputs: dict[str, float]) -> dict[str, Any]:
        found = {**self.parameters, **inputs, "time": t, "q": x[: self.n], "v": x[self.n :]}
        found |= {"lambda": np.zeros(self.m), "der": lambda name, i: 0.0}
        for name, text in self.aux:
            found[name] = Reader(text).expression(found)
        return found

    def rates(self, t: float, x: Any, inputs: dict[str, float]) -> Any:
        scope, size = self.scope(t, x, inputs), self.n + self.m

        def residual(z: Any) -> Any:
            now = {**scope, "lambda": z[self.n :], "der": lambda name, i: z[i - 1]}
            return np.array(
                [Reader(left).expression(now) - Reader(right).expression(now) for left, right in self.dynamic]
            )

        constant = residual(np.zeros(size))
        matrix = np.array([residual(one) - constant for one in np.eye(size)]).T
        return np.concatenate([x[self.n :], np.linalg.solve(matrix, -constant)[: self.n]])


CASES: dict[str, tuple[dict[str, Any], dict[str, float]]] = {
    "arm": ({"th1": 0.3}, {"tau": 0.5}),
    "slider_crank": ({}, {"T": 1.0}),
    "controlled": ({"th": 0.4}, {"T": 0.3}),
    "shaken": ({}, {"T": 0.1}),
}


@pytest.mark.parametrize("name", CASES)
def test_it_is_read_flattened_and_integrated(name: str, tmp_path: Path) -> None:
    initial, inputs = CASES[name]
    path = fx.export(MACHINES[name](), tmp_path / "Machine.mo", values=VALUES[name], initial=initial)
    text = path.read_text()
    assert text.startswith("model Machine ")
    assert text.endswith("end Machine;\n")
    flat, times = FlatModel(text), np.linspace(0, 0.4, 3)
    start = np.concatenate([flat.start["q"], flat.start["v"]])
    found = solve_ivp(
        lambda t, x: flat.rates(t, x, inputs), (0, 0.4), start, t_eval=times, rtol=1e-8, atol=1e-9, method="DOP853"
    )
    run = fx.simulate(MACHINES[name](), times, initial, inputs, VALUES[name], tolerance=1e-10)
    last = flat.scope(0.4, found.y[:, -1], inputs)
    for label, expression in flat.outputs.items():
        value = Reader(expression).expression(last)
        assert value == pytest.approx(run[label.strip("'")][-1], abs=1e-6)


def test_names_that_are_no_words_are_quoted(tmp_path: Path) -> None:
    text = fx.export(MACHINES["flexible_arm"](), tmp_path / "arm.mo", order=3).read_text()
    assert "output Real 'w_beam_x@b';" in text
    q = fx.Coordinate("der")
    pushed = fx.Lagrangian(kinetic=q.t**2 / 2, work={q: fx.Input("time_")})
    assert "output Real 'der';" in fx.export(pushed, tmp_path / "x.mo").read_text()
