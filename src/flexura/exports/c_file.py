"""A system as one self-contained C file: mass, forcing, residual, Jacobians, constraints, outputs, rates.

>>> fx.export(model, "arm.c", values={"g": 9.81}, outputs=["theta"])

The names of all functions start with the name of the file. Nothing else is needed but a C99 compiler and its math
library; nothing is kept between calls.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from flexura.exports.c_code import c_function
from flexura.exports.systems import ExportedSystem, exported
from flexura.symbolic.engine import TIME, Basic

_STATE = "double t, const double *q, const double *v, const double *u, const double *p"
_WHOLE = (
    "double t, const double *q, const double *v, const double *a, const double *lam, const double *u, const double *p"
)
_KEYWORDS = frozenset(
    (
        *("auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else", "enum", "extern"),
        *("float", "for", "goto", "if", "inline", "int", "long", "register", "restrict", "return", "short", "signed"),
        *("sizeof", "static", "struct", "switch", "typedef", "union", "unsigned", "void", "volatile", "while", "main"),
    )
)


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
    """The file; `name` starts the names of its functions."""
    system = exported(thing, ".c", values, order, elements, outputs, initial)
    stem = c_name(name or path.name.split(".")[0])
    path.write_text(c_source(system, stem), encoding="utf-8")


def c_name(text: str) -> str:
    """A word that C takes as a name."""
    word = re.sub(r"\W", "_", text, flags=re.ASCII)
    return f"m_{word}" if not word[:1].isalpha() or word in _KEYWORDS else word


def c_source(system: ExportedSystem, name: str) -> str:
    """The text of the file."""
    w, names = system.written, _names(system)
    g, A, b, c = w.constraints
    R_q, R_v = w.jacobians
    outputs = np.array([*system.outputs.values()], dtype=object)
    parts = [
        _head(system, name),
        c_function(f"{name}_system", f"{_STATE}, double *M, double *f", names, {"M": w.mass, "f": w.forces}),
        c_function(
            f"{name}_constraints",
            f"{_STATE}, double *g, double *A, double *b, double *c",
            names,
            {"g": g, "A": A, "b": b, "c": c},
        ),
        c_function(f"{name}_jacobian", f"{_WHOLE}, double *R_q, double *R_v", names, {"R_q": R_q, "R_v": R_v}),
        c_function(f"{name}_outputs", f"{_WHOLE}, double *y", names, {"y": outputs}),
        c_function(f"{name}_energies", f"{_STATE}, double *E", names, {"E": w.energies()}),
        _common(system, name),
    ]
    return "\n".join(parts)


def c_indicators(system: ExportedSystem, name: str, trees: Sequence[Basic]) -> str:
    """A function with the values whose signs choose branches."""
    block = np.array([*trees, None], dtype=object)[:-1]
    return c_function(f"{name}_indicators", f"{_STATE}, double *z", _names(system), {"z": block})


def _names(system: ExportedSystem) -> dict[Basic, str]:
    w = system.written
    vectors = {"q": w.q, "v": w.v, "a": w.a, "lam": w.lam, "u": w.u, "p": w.p}
    found: dict[Basic, str] = {TIME: "t"}
    for letter, symbols in vectors.items():
        found |= {symbol: f"{letter}[{i}]" for i, symbol in enumerate(symbols)}
    return found


def _comment(text: str) -> str:
    return text.replace("*/", "* /").replace("\n", " ")


def _head(system: ExportedSystem, name: str) -> str:
    w = system.written
    rows = [("q", w.names), ("u", w.inputs), ("p", tuple(w.parameters)), ("y", tuple(system.outputs))]
    told = [
        f"   {letter}[{i}]: {one} {_unit(system, one)}".rstrip() for letter, some in rows for i, one in enumerate(some)
    ]
    numbers = ", ".join(repr(float(one)) for one in w.parameters.values()) or "0.0"
    q, v = (", ".join(repr(float(one)) for one in some) or "0.0" for some in system.start)
    sizes = {"NQ": w.n, "NU": len(w.inputs), "NP": len(w.parameters), "NM": len(w.multipliers)}
    sizes |= {"NG": sum(w.holonomic), "NY": len(system.outputs)}
    lines = [
        "/* Equations of motion M(t, q) a = f(t, q, v, u) + A(t, q)' lam, written by flexura; SI units.",
        *map(_comment, told),
        f"   lam: {', '.join(w.multipliers) or 'none'}; matrices are row by row; g = 0, A v + b = 0, A a + c = 0.",
        "   R = M a - f - A' lam; R_q and R_v are its slopes. */",
        "#include <math.h>",
        "#include <stdlib.h>",
        "#include <string.h>",
        "",
        "enum {",
        *(f"    {name}_{key} = {value}," for key, value in sizes.items()),
        "};",
        f"const double {name}_parameters[] = {{{numbers}}};",
        f"const double {name}_start_q[] = {{{q}}};",
        f"const double {name}_start_v[] = {{{v}}};",
        "",
    ]
    return "\n".join(lines)


def _unit(system: ExportedSystem, name: str) -> str:
    unit = system.units.get(name, "")
    return f"({unit})" if unit else ""


_COMMON = """/* b becomes x of A x = b, by elimination with row pivoting; A is destroyed. Returns 1 if A is singular. */
static int @_solve(int n, double *A, double *b)
{
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(A[i * n + k]) > fabs(A[best * n + k])) best = i;
        if (A[best * n + k] == 0.0 || A[best * n + k] != A[best * n + k]) return 1;
        if (best != k) {
            for (int j = k; j < n; j++) {
                const double swapped = A[k * n + j];
                A[k * n + j] = A[best * n + j];
                A[best * n + j] = swapped;
            }
            const double swapped = b[k];
            b[k] = b[best];
            b[best] = swapped;
        }
        for (int i = k + 1; i < n; i++) {
            const double factor = A[i * n + k] / A[k * n + k];
            if (factor == 0.0) continue;
            for (int j = k + 1; j < n; j++) A[i * n + j] -= factor * A[k * n + j];
            b[i] -= factor * b[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++) b[k] -= A[k * n + j] * b[j];
        b[k] /= A[k * n + k];
    }
    return 0;
}

/* M alone. */
void @_mass(double t, const double *q, const double *v, const double *u, const double *p, double *M)
{
    double *f = (double *)malloc((@_NQ + 1) * sizeof(double));
    @_system(t, q, v, u, p, M, f);
    free(f);
}

/* f alone. */
void @_forcing(double t, const double *q, const double *v, const double *u, const double *p, double *f)
{
    double *M = (double *)malloc((@_NQ * @_NQ + 1) * sizeof(double));
    @_system(t, q, v, u, p, M, f);
    free(M);
}

/* R = M a - f - A' lam. */
void @_residual(double t, const double *q, const double *v, const double *a, const double *lam, const double *u,
    const double *p, double *R)
{
    enum { n = @_NQ, m = @_NM, g = @_NG };
    double *M = (double *)malloc((n * n + n + m * n + 2 * m + g + 1) * sizeof(double));
    double *f = M + n * n, *A = f + n, *b = A + m * n, *c = b + m, *held = c + m;
    @_system(t, q, v, u, p, M, f);
    @_constraints(t, q, v, u, p, held, A, b, c);
    for (int i = 0; i < n; i++) {
        R[i] = -f[i];
        for (int j = 0; j < n; j++) R[i] += M[i * n + j] * a[j];
        for (int k = 0; k < m; k++) R[i] -= A[k * n + i] * lam[k];
    }
    free(M);
}

/* Accelerations and multipliers: M a - A' lam = f, A a = -c - 2 alpha (A v + b) - alpha^2 g. With alpha > 0 what a
   numerical motion misses of the constraints decays like exp(-alpha t); an exact motion misses nothing. Returns 0, or 1
   if there are none. */
int @_accelerations(double t, const double *q, const double *v, const double *u, const double *p, double alpha,
    double *a, double *lam)
{
    enum { n = @_NQ, m = @_NM, held = @_NG, size = @_NQ + @_NM };
    double *M = (double *)malloc((n * n + n + m * n + 2 * m + held + size * size + size + 1) * sizeof(double));
    double *f = M + n * n, *A = f + n, *b = A + m * n, *c = b + m, *g = c + m;
    double *whole = g + held, *right = whole + size * size;
    static const int holonomic[] = {@HOLONOMIC};
    int failed, next = 0;
    @_system(t, q, v, u, p, M, f);
    @_constraints(t, q, v, u, p, g, A, b, c);
    memset(whole, 0, size * size * sizeof(double));
    for (int i = 0; i < n; i++) {
        right[i] = f[i];
        for (int j = 0; j < n; j++) whole[i * size + j] = M[i * n + j];
        for (int k = 0; k < m; k++) {
            whole[i * size + n + k] = -A[k * n + i];
            whole[(n + k) * size + i] = A[k * n + i];
        }
    }
    for (int k = 0; k < m; k++) {
        double rate = b[k];
        for (int i = 0; i < n; i++) rate += A[k * n + i] * v[i];
        right[n + k] = -c[k] - (holonomic[k] ? 2.0 : 1.0) * alpha * rate;
        if (holonomic[k]) right[n + k] -= alpha * alpha * g[next++];
    }
    failed = @_solve(size, whole, right);
    for (int i = 0; i < n; i++) a[i] = right[i];
    for (int k = 0; k < m; k++) lam[k] = right[n + k];
    free(M);
    return failed;
}
"""


def _common(system: ExportedSystem, name: str) -> str:
    flags = ", ".join("1" if one else "0" for one in system.written.holonomic) or "0"
    return _COMMON.replace("@HOLONOMIC", flags).replace("@", name)
