"""NumPy, SymPy, MATLAB and CasADi: what is written computes what the system computes."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import flexura as fx

sys.path.insert(0, str(Path(__file__).parent))
from machines import MACHINES, VALUES


def state_of(name: str) -> tuple[Any, float, list[Any], Any, Any]:
    """The system as numbers, a time, (q, v, u), accelerations and multipliers."""
    from flexura.solve.discretise import motion_system

    system, draw = motion_system(fx.derive(MACHINES[name]()), VALUES[name], 5), np.random.default_rng(3)
    q, v, a = (0.3 * draw.normal(size=system.n) for _ in range(3))
    return system, 0.7, [q, v, draw.normal(size=system.load_size)], a, draw.normal(size=system.m)


def close(found: Any, exact: Any) -> None:
    exact = np.asarray(exact)
    assert np.all(
        np.abs(np.asarray(found).reshape(exact.shape) - exact) <= 1e-12 * max(np.abs(exact).max(initial=0), 1)
    )


def module(path: Path) -> Any:
    found = importlib.util.spec_from_file_location(path.stem, path)
    assert found is not None
    assert found.loader is not None
    made = importlib.util.module_from_spec(found)
    found.loader.exec_module(made)
    return made


RIGID = ["arm", "flexible_arm", "slider_crank", "shaken"]


@pytest.mark.parametrize("name", RIGID)
def test_numpy_source(name: str, tmp_path: Path) -> None:
    system, t, (q, v, u), a, lam = state_of(name)
    made = module(fx.export(MACHINES[name](), tmp_path / "machine.py", values=VALUES[name], order=5))
    M, f = system.evaluate(t, q, v, u)
    close(made.mass(t, q, v, u), M)
    close(made.forcing(t, q, v, u), f)
    for found, exact in zip(made.jacobian(t, q, v, a, lam, u), system.jacobians(t, q, v, a, u, lam), strict=True):
        close(found, exact)
    A = np.asarray(system.velocity(t, q)[0]).reshape(system.m, system.n)
    close(made.residual(t, q, v, a, lam, u), M @ a - f - A.T @ lam)
    assert "flexura" not in re.sub(r'""".*?"""', "", (tmp_path / "machine.py").read_text(), flags=re.DOTALL)


def test_a_run_of_the_numpy_source_is_the_run(tmp_path: Path) -> None:
    """With a first-order state: the motion of the exported functions is that of fx.simulate."""
    from scipy.integrate import solve_ivp

    model, t = MACHINES["controlled"](), np.linspace(0, 1.5, 7)
    made = module(fx.export(model, tmp_path / "held.py", initial={"th": 0.4}))
    run = fx.simulate(model, t, {"th": 0.4}, {"T": 0.3})
    found = solve_ivp(
        lambda s, x: made.rates(s, x, [0.3]), (0, 1.5), [*made.start_q, *made.start_v], t_eval=t, rtol=1e-11, atol=1e-12
    )
    assert np.allclose(found.y[made.names.index("th")], run["th"], rtol=0, atol=1e-8)
    z = found.y[len(made.names) + made.names.index("$z")]
    assert np.allclose(z, run["z"], rtol=0, atol=1e-8)


def test_a_motion_that_is_an_input_comes_in_by_its_acceleration(tmp_path: Path) -> None:
    """A cart that is moved, a pendulum on it: against a run in which the same motion is written out."""
    from scipy.integrate import solve_ivp

    def model(motion: str) -> Any:
        cart, bob = fx.RigidBody("cart", m=1.0, I=0), fx.RigidBody("bob", m=0.7, I=0.02)
        slide = fx.Slide(fx.ground, cart, along="x", name="x", motion=motion)
        return fx.Model(slide, fx.Revolute(cart, bob.at(0, 0.5), name="th"), fx.Gravity(), fx.Torque(bob, "T"))

    made = module(fx.export(model("zr(t)"), tmp_path / "cart.py"))
    assert made.inputs == ["T", "zr_tt"]
    run = fx.simulate(model("sin(3*t)/10"), [0, 0.5, 1.0], inputs={"T": 0.2}, tolerance=1e-11)
    x, th = made.names.index("x"), made.names.index("th")
    start = np.zeros(4)
    start[2 + x] = 0.3
    found = solve_ivp(
        lambda t, y: made.rates(t, y, [0.2, -0.9 * np.sin(3 * t)]),
        (0, 1),
        start,
        t_eval=[0, 0.5, 1],
        rtol=1e-11,
        atol=1e-12,
    )
    assert np.allclose(found.y[th], run["th"], rtol=0, atol=1e-8)
    assert np.allclose(found.y[x], run["x"], rtol=0, atol=1e-8)
    with pytest.raises(fx.FlexuraError, match="one to one"):
        fx.export(model("2*zr(t)"), tmp_path / "twice.py")


@pytest.mark.parametrize("name", ["arm", "flexible_arm"])
def test_sympy_source_makes_the_same_equations(name: str, tmp_path: Path) -> None:
    equations = fx.derive(MACHINES[name]())
    made = module(fx.export(equations, tmp_path / "machine.py", form="sympy"))
    assert made.ordinary == equations.ordinary
    assert made.partial == equations.partial
    assert made.boundary == equations.boundary


def _run_matlab(text: str, function: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """A reader of the straight-line part of MATLAB, for the test alone."""
    head, _, rest = text.partition(f"] = {function}(")
    outputs = head.rpartition("[")[2].split(", ")
    body = rest.partition(")\n")[2].partition("\nend")[0]
    same = "sin cos tan sqrt exp log abs sign sinh cosh tanh"
    words = {name: getattr(np, name) for name in same.split()}
    words |= {"atan2": np.arctan2, "atan": np.arctan, "asin": np.arcsin, "acos": np.arccos}
    scope: dict[str, Any] = {**words, "choose": lambda c, x, y: x if c else y, "NaN": np.nan, "true": True}
    scope |= {"t": arguments["t"]} | {
        f"read_{k}": (lambda i, one=one: one[i - 1]) for k, one in arguments.items() if k != "t"
    }
    for line in body.splitlines():
        target, _, value = line.strip().rstrip(";").partition(" = ")
        value = re.sub(r"\b(q|v|a|lam|u|p)\(", r"read_\1(", value).replace("^", "**")
        if value.startswith("zeros("):
            scope[target] = np.zeros(tuple(int(one) for one in value[6:-1].split(",")))
        elif "(" in target:
            name, _, place = target.rstrip(")").partition("(")
            at = [int(one) - 1 for one in place.split(",")]
            scope[name][tuple(at) if len(at) == 2 else (at[0], 0)] = eval(value, scope)  # noqa: S307 (our own file)
        else:
            scope[target] = eval(value, scope)  # noqa: S307
    return {name: scope[name] for name in outputs}


@pytest.mark.parametrize("name", RIGID)
def test_matlab_source(name: str, tmp_path: Path) -> None:
    system, t, (q, v, u), a, lam = state_of(name)
    text = fx.export(MACHINES[name](), tmp_path / "machine.m", values=VALUES[name], order=5).read_text()
    assert text.startswith("function s = machine()")
    p = [float(one) for one in re.search(r"s\.parameters = \[(.*)\];", text)[1].split("; ") if one]  # type: ignore[index]
    given = {"t": t, "q": q, "v": v, "u": u, "p": p, "a": a, "lam": lam}
    found = _run_matlab(text, "system_of", given)
    M, f = system.evaluate(t, q, v, u)
    close(found["M"], M)
    close(found["f"], f)
    found = _run_matlab(text, "jacobian_of", given)
    close(found["R_q"], system.jacobians(t, q, v, a, u, lam)[0])


@pytest.mark.parametrize("name", RIGID)
def test_casadi_functions(name: str) -> None:
    pytest.importorskip("casadi", reason="CasADi is not installed")
    system, t, (q, v, u), a, lam = state_of(name)
    made = fx.to_casadi(MACHINES[name](), values=VALUES[name], order=5)
    p = list(made["parameters"].values())
    M, f = system.evaluate(t, q, v, u)
    close(made["mass"](t, q, v, u, p).full(), M)
    close(made.forcing(t, q, v, u, p).full(), f)
    A = np.asarray(system.velocity(t, q)[0]).reshape(system.m, system.n)
    close(made["residual"](t, q, v, a, lam, u, p).full(), M @ a - f - A.T @ lam)
    R_q, R_v = made["jacobian"](t, q, v, a, lam, u, p)
    for found, exact in zip((R_q, R_v), system.jacobians(t, q, v, a, u, lam), strict=True):
        close(found.full(), exact)


def test_casadi_differentiates_what_we_differentiate() -> None:
    casadi = pytest.importorskip("casadi", reason="CasADi is not installed")
    made, (_, t, (q, v, u), a, _) = fx.to_casadi(MACHINES["arm"](), values=VALUES["arm"]), state_of("arm")
    p, at = list(made["parameters"].values()), casadi.SX.sym("q", 2)
    slope = casadi.Function("slope", [at], [casadi.jacobian(made["residual"](t, at, v, a, [], u, p), at)])
    close(slope(q).full(), made["jacobian"](t, q, v, a, [], u, p)[0].full())


def test_laws_with_kinks_and_pieces(tmp_path: Path) -> None:
    """Piecewise, abs, sign, powers and every function of the grammar."""
    q = fx.Coordinate("q")
    force = (
        "Piecewise((q**3, q < -1), (-abs(q)**1.5, q <= 0.5), (atan2(q, 2) + sign(q)*exp(-q), True))"
        " + tanh(q_t) - log(2 + q**2)"
        " + sqrt(3 + q) + sinh(q)*cosh(q)/(4 + q**4) + asin(q/9) + acos(q/9) + atan(q) + tan(q/5)"
    )
    equations = fx.derive(fx.Lagrangian(kinetic=q.t**2 / 2, work={q: force}))
    from flexura.solve.discretise import motion_system

    system, made = motion_system(equations), module(fx.export(equations, tmp_path / "law.py"))
    text = fx.export(equations, tmp_path / "law.m").read_text()
    casadi = fx.to_casadi(equations)["forcing"] if importlib.util.find_spec("casadi") else None
    for at in (-1.7, -0.4, 0.3, 0.9):
        exact = system.evaluate(0.0, np.array([at]), np.array([0.3]), np.zeros(0))[1]
        close(made.forcing(0.0, [at], [0.3]), exact)
        given = {"t": 0.0, "q": [at], "v": [0.3], "u": [], "p": [], "a": [], "lam": []}
        close(_run_matlab(text, "system_of", given)["f"], exact)
        if casadi is not None:
            close(casadi(0.0, [at], [0.3], [], []).full(), exact)
