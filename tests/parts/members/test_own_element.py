"""A user's element, from its file to its equations: the fluid-conveying pipe of examples/fluid_pipe.py."""

import importlib.util
from pathlib import Path

import pytest
import sympy as sp

import flexura as fx
from flexura.derivation.member_table import members

ROOT = Path(__file__).parents[3]

x, t, l, EI, m, M, U = sp.symbols("x t l EI m M U")
w = sp.Function("w_pipe")(x, t)


@pytest.fixture(scope="module")
def example():
    specification = importlib.util.spec_from_file_location("fluid_pipe", ROOT / "examples" / "fluid_pipe.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


@pytest.fixture
def pipe(example):
    return example.FluidPipe("pipe", EI="EI", m="m", M="M", U="U", length="l")


def residual(equation):
    return equation.lhs - equation.rhs


def test_the_pinned_pipe(example, pipe) -> None:
    """Paidoussis, Fluid-Structure Interactions 1, eq. 3.1 without gravity, tension and pressure."""
    equations = fx.derive(example.pinned(pipe))
    expected = EI * w.diff(x, 4) + M * U**2 * w.diff(x, 2) + 2 * M * U * w.diff(x, t) + (M + m) * w.diff(t, 2)
    assert sp.expand(residual(equations.partial["w_pipe"]) - expected) == 0
    assert {str(residual(one)) for one in equations.boundary[:2]} == {
        f"EI*Subs(Derivative(w_pipe(x, t), (x, 2)), x, {end})" for end in ("0", "l")
    }
    assert fx.verify(equations)


def test_it_buckles_like_a_strut(example, pipe) -> None:
    equation = residual(fx.derive(example.pinned(pipe)).partial["w_pipe"])
    mode = sp.sin(sp.pi * x / l)
    static = sp.expand(equation.subs(w, mode).doit())
    assert sp.simplify(static.subs(U, sp.pi / l * sp.sqrt(EI / M))) == 0
    assert sp.simplify(static.subs(U, sp.pi / l * sp.sqrt(EI / M) / 2)) != 0


def test_the_cantilevered_pipe_has_a_free_end(example, pipe) -> None:
    """The jet's load cancels what the energy alone would leave in the shear (Benjamin 1961)."""
    equations = fx.derive(example.cantilever(pipe))
    shear, moment = (residual(one) for one in equations.boundary[:2])
    assert sp.expand(shear - EI * sp.Subs(w.diff(x, 3), x, l)) == 0
    assert sp.expand(moment - EI * sp.Subs(w.diff(x, 2), x, l)) == 0
    assert fx.verify(equations)


def test_properties_are_read_as_everywhere(example) -> None:
    pipe = example.FluidPipe("pipe", EI="2 kN*m**2", m=1.5, M="M*(1 + 0*x)", U="36 km/hour", length=("L", 3))
    values = fx.derive(example.pinned(pipe)).values
    assert values == pytest.approx({"EI_pipe": 2000, "m_pipe": 1.5, "U_pipe": 10, "L": 3})
    with pytest.raises(fx.FlexuraError, match="The U of pipe is '3 kg', whose unit has the wrong dimension"):
        example.FluidPipe("pipe", EI=1, m=1, M=1, U="3 kg", length=1)


def test_it_stands_in_the_table(pipe) -> None:
    row = members(extra=[pipe]).rows[-1]
    start, _ = row.sympy["forces"]["transverse"]
    slope, rate = sp.Subs(w.diff(x), x, 0), sp.Function("w_pipe")(0, t).diff(t)
    expected = -EI * sp.Subs(w.diff(x, 3), x, 0) - M * U * rate - M * U**2 * slope
    assert sp.expand(start - expected) == 0


def test_the_example_runs(example, capsys) -> None:
    example.main()
    printed = capsys.readouterr().out
    assert "Cantilever" in printed
    assert "2 M U ∂²w_pipe/∂x∂t" in printed


def test_the_manual_shows_the_example() -> None:
    manual = (ROOT / "docs" / "members.md").read_text(encoding="utf-8")
    script = (ROOT / "examples" / "fluid_pipe.py").read_text(encoding="utf-8")
    shown = next(block for block in manual.split("```python\n")[1:] if block.startswith("class FluidPipe")).split(
        "```"
    )[0]
    assert shown in script
