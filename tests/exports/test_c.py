"""C files: compiled with the compiler of this machine, they compute what the system computes."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import symengine

import flexura as fx

sys.path.insert(0, str(Path(__file__).parent))
from machines import MACHINES, VALUES

COMPILER = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
needs_compiler = pytest.mark.skipif(
    COMPILER is None or sys.platform == "win32", reason="no C compiler (cc, gcc, clang) is found here"
)


class Compiled:
    """The functions of a C file."""

    def __init__(self, source: Path) -> None:
        library = source.with_suffix(".so")
        command = [
            str(COMPILER),
            "-O1",
            "-std=c99",
            "-Wall",
            "-Werror",
            "-shared",
            "-fPIC",
            "-o",
            str(library),
            str(source),
        ]
        subprocess.run([*command, "-lm"], check=True, capture_output=True, text=True)
        self.stem, self.library = source.stem, ctypes.CDLL(str(library))

    def array(self, name: str, count: int) -> Any:
        return np.array((ctypes.c_double * count).in_dll(self.library, f"{self.stem}_{name}"))

    def call(self, name: str, t: float, vectors: list[Any], sizes: list[int], number: float | None = None) -> list[Any]:
        function = getattr(self.library, f"{self.stem}_{name}")
        held = [np.ascontiguousarray(np.append(one, 0.0)) for one in vectors]
        found = [np.full(size + 1, 77.0) for size in sizes]
        arguments: list[Any] = [
            ctypes.c_double(t),
            *(one.ctypes.data_as(ctypes.POINTER(ctypes.c_double)) for one in held),
        ]
        arguments += [] if number is None else [ctypes.c_double(number)]
        self.code = function(*arguments, *(one.ctypes.data_as(ctypes.POINTER(ctypes.c_double)) for one in found))
        assert all(one[-1] == 77.0 for one in found)
        return [one[:-1] for one in found]


def reference(name: str) -> Any:
    """The same system as numbers; without first-order states."""
    from flexura.solve.discretise import motion_system

    return motion_system(fx.derive(MACHINES[name]()), VALUES[name], 5)


@needs_compiler
@pytest.mark.parametrize("name", [one for one in MACHINES if one != "controlled"])
def test_compiled_functions_are_those_of_the_system(name: str, tmp_path: Path) -> None:
    system, model = reference(name), MACHINES[name]()
    fx.export(model, tmp_path / "machine.c", values=VALUES[name], order=5)
    made, draw = Compiled(tmp_path / "machine.c"), np.random.default_rng(4)
    n, m = system.n, system.m
    known = fx.derive(model).values | VALUES[name]
    count = 0 if fx.derive(model).fields else len(known)
    p = made.array("parameters", count) if count else np.zeros(0)
    for _ in range(3):
        t, scale = float(draw.uniform(0, 2)), 0.3
        q, v, a = (scale * draw.normal(size=n) for _ in range(3))
        u, lam = draw.normal(size=system.load_size), draw.normal(size=m)
        state = [q, v, u, p]
        M, f = made.call("system", t, state, [n * n, n])
        exact_M, exact_f = system.evaluate(t, q, v, u)
        close(M.reshape(n, n), exact_M)
        close(f, exact_f)
        close(made.call("mass", t, state, [n * n])[0].reshape(n, n), exact_M)
        close(made.call("forcing", t, state, [n])[0], exact_f)
        g, A, b, c = made.call("constraints", t, state, [sum(system.holonomic), m * n, m, m])
        close(g, system.position(t, q))
        close(A.reshape(m, n), system.velocity(t, q)[0])
        close(b, system.velocity(t, q)[1])
        close(c, system.acceleration(t, q, v))
        whole = [q, v, a, lam, u, p]
        (R,) = made.call("residual", t, whole, [n])
        close(R, exact_M @ a - exact_f - np.asarray(system.velocity(t, q)[0]).reshape(m, n).T @ lam)
        R_q, R_v = made.call("jacobian", t, whole, [n * n, n * n])
        exact_q, exact_v = system.jacobians(t, q, v, a, u, lam)
        close(R_q.reshape(n, n), exact_q)
        close(R_v.reshape(n, n), exact_v)
        close(made.call("energies", t, state, [2])[0], np.ravel(system.energies(t, q, v)))


def close(found: Any, exact: Any) -> None:
    assert found.shape == np.shape(exact)
    assert np.all(np.abs(found - exact) <= 1e-12 * max(np.abs(exact).max(initial=0.0), 1.0))


@needs_compiler
@pytest.mark.parametrize("name", ["arm", "slider_crank", "shaken"])
def test_accelerations_are_those_of_the_equations(name: str, tmp_path: Path) -> None:
    model = MACHINES[name]()
    equations = fx.derive(model)
    fx.export(model, tmp_path / "machine.c", values=VALUES[name])
    made, known = Compiled(tmp_path / "machine.c"), equations.values | VALUES[name]
    names, multipliers = equations.coordinates, equations.lagrangian.multipliers
    p = made.array("parameters", len(known))
    q, v = np.zeros(len(names)), np.zeros(len(names))
    u = np.array([1.3])
    a, lam = made.call("accelerations", 0.4, [q, v, u, p], [len(names), len(multipliers)], 0.0)
    exact = fx.accelerations(equations, {}, 0.4, {str(next(iter(equations.lagrangian.inputs))): 1.3}, VALUES[name])
    close(a, np.array([exact[one] for one in names]))
    close(lam, np.array([exact[one] for one in multipliers]))


@needs_compiler
def test_parameters_can_be_changed_afterwards(tmp_path: Path) -> None:
    model = MACHINES["arm"]()
    fx.export(model, tmp_path / "arm.c", values={"kt": 4.0})
    made, text = Compiled(tmp_path / "arm.c"), (tmp_path / "arm.c").read_text()
    p = made.array("parameters", len(fx.derive(model).values | {"kt": 4.0}))
    (place,) = np.flatnonzero(p == 4.0)
    assert f"p[{place}]: kt" in text
    q, v, u = np.array([0.3, 0.0]), np.zeros(2), np.zeros(1)
    before = made.call("forcing", 0.0, [q, v, u, p], [2])[0]
    p[place] = 9.0
    after = made.call("forcing", 0.0, [q, v, u, p], [2])[0]
    assert (before - after)[0] == pytest.approx((9.0 - 4.0) * 0.3, rel=1e-12)


@needs_compiler
def test_matrices_and_long_code(tmp_path: Path) -> None:
    """Dense matrices of 40 rows are thousands of statements: the code is cut into pieces."""
    draw, n = np.random.default_rng(5), 40
    L, S = draw.normal(size=(n, n)), draw.normal(size=(n, n))
    system = fx.SecondOrderSystem(L @ L.T, None, S @ S.T, F=draw.normal(size=(n, 2)))
    fx.export(system, tmp_path / "plate.c")
    made = Compiled(tmp_path / "plate.c")
    q, v, u = draw.normal(size=n), draw.normal(size=n), draw.normal(size=2)
    M, f = made.call("system", 0.0, [q, v, u, []], [n * n, n])
    close(M.reshape(n, n), L @ L.T)
    assert np.allclose(f, system.F @ u - S @ S.T @ q, rtol=1e-11)


@needs_compiler
def test_a_chain_is_cut_into_pieces(tmp_path: Path) -> None:
    parts: list[Any] = []
    end: Any = fx.ground
    for i in range(9):
        link = fx.RigidBody(f"b{i}", m=1.0 + i / 10, I=0.01)
        parts.append(fx.Revolute(end, link.at(-0.5), name=f"q{i}"))
        end = link.at(0.5)
    model = fx.Model(*parts, fx.Gravity())
    fx.export(model, tmp_path / "chain.c")
    assert "chain_jacobian_1(" in (tmp_path / "chain.c").read_text()
    made = Compiled(tmp_path / "chain.c")
    from flexura.solve.discretise import motion_system

    system, draw = motion_system(fx.derive(model)), np.random.default_rng(1)
    q, v, a = draw.normal(size=9), draw.normal(size=9), draw.normal(size=9)
    p = made.array("parameters", len(fx.derive(model).values))
    close(made.call("forcing", 0.0, [q, v, [], p], [9])[0], system.evaluate(0.0, q, v, np.zeros(0))[1])
    R_q, R_v = made.call("jacobian", 0.0, [q, v, a, [], [], p], [81, 81])
    exact_q, exact_v = system.jacobians(0.0, q, v, a, np.zeros(0), np.zeros(0))
    close(R_q.reshape(9, 9), exact_q)
    close(R_v.reshape(9, 9), exact_v)


def test_functions_stay_short_and_sums_share_their_parts() -> None:
    """Compilers take more than twice as long for twice as much, and slopes of chains are sums of the same terms."""
    from flexura.exports.c_code import c_function
    from flexura.exports.straight_line import C, StraightLine

    q = [symengine.Symbol(f"q{i}") for i in range(60)]
    names = {one: f"q[{i}]" for i, one in enumerate(q)}
    sums = [symengine.Add(*q[: k + 3]) for k in range(50)]
    written = StraightLine(C, names).write([f**2 for f in sums] + sums)
    every = [text for _, text in written.statements] + written.texts
    assert sum(text.count(" + ") for text in every) <= 2 + 49
    text = c_function(
        "many", "const double *q, double *f", names, {"f": [symengine.sin(f) * g for f in sums for g in q]}
    )
    lengths = [len(one) for one in text.split("\n}\n")]
    assert len(lengths) > 5
    assert max(lengths) < 40_000


def test_nothing_half_written_is_left(tmp_path: Path) -> None:
    with pytest.raises(fx.FlexuraError, match=r"cannot be written as \.c"):
        fx.export(fx.modes(_cantilever(), 2), tmp_path / "modes.c")
    with pytest.raises(fx.FlexuraError, match="kt"):
        fx.export(MACHINES["arm"](), tmp_path / "arm.c")
    with pytest.raises(fx.FlexuraError, match=r"takes no 'valuse'.*values"):
        fx.export(MACHINES["arm"](), tmp_path / "arm.c", valuse={})
    with pytest.raises(fx.FlexuraError, match=r"ends in \.exe.*\.c, \.csv"):
        fx.export(MACHINES["arm"](), tmp_path / "arm.exe")
    assert list(tmp_path.iterdir()) == []


def test_what_is_no_formula_is_refused_by_its_name(tmp_path: Path) -> None:
    block = fx.Mass("block", 2.0)
    slide = fx.Slide(fx.ground, block, along="x", name="x")
    rub = fx.Friction(fx.ground, block, 3.0, along="x", name="rub")
    model = fx.Model(slide, fx.Force(block, "F", along="x"), rub)
    with pytest.raises(fx.FlexuraError, match="contact rub"):
        fx.export(model, tmp_path / "block.c")
    assert list(tmp_path.iterdir()) == []
    fx.export(fx.Model(slide, fx.Force(block, "F", along="x")), tmp_path / "block.c")
    held = fx.Model(slide, fx.Force(block, "F", along="x"), fx.Sampled(0.1, lambda t, outputs: 1.0, "F"))
    with pytest.warns(UserWarning, match="controller of F"):
        fx.export(held, tmp_path / "held.c")


def _cantilever() -> Any:
    beam = fx.EulerBernoulliBeam("beam", EI=60.0, rho=1.1, length=1.2)
    return fx.Model(fx.Fixed(fx.ground, beam.start))
