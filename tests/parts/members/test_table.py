"""Table 1 of the memo (theory, section 2), derived from the densities and compared to a symbolic zero."""

import pytest
import sympy as sp

from flexura.derivation.member_table import MemberRow, MemberTable, member_row, members
from flexura.parts.members import (
    REGISTERED,
    EulerBernoulliBeam,
    ExactBeam,
    RayleighBeam,
    Rod,
    Shaft,
    String,
    TimoshenkoBeam,
)
from flexura.symbolic.engine import ZERO, Symbol
from flexura.symbolic.expression import Input
from flexura.symbolic.parser import parse
from flexura.symbolic.zero import verdict


def row_of(member) -> MemberRow:
    return member_row(member)


def tree(text):
    return parse(text, spine=True, internal=True).engine


def functions(*names):
    """Properties that vary along x in any way."""
    return [Input(name, of="x") for name in names]


EI, kGA, EA, GJ, P, rho, J = functions("EI", "kGA", "EA", "GJ", "P", "rho", "J")
STRAINS = ("(1 + u_b_x)*cos(phi_b) + v_b_x*sin(phi_b) - 1", "v_b_x*cos(phi_b) - (1 + u_b_x)*sin(phi_b)")
STRETCH, SHEAR = (one.replace("_b", "") for one in STRAINS)
VARYING = {
    "Bernoulli-Euler": (EulerBernoulliBeam("b", EI, rho, "l", field="y"), {"transverse": "Sy", "rotation": "EI*y_xx"}),
    "Rayleigh": (
        RayleighBeam("b", EI, rho, "l", rotary_inertia=J, field="y"),
        {"transverse": "Sy + J*y_xtt", "rotation": "EI*y_xx"},
    ),
    "Timoshenko": (
        TimoshenkoBeam("b", EI, kGA, rho, J, "l", field=("eta", "phi")),
        {"transverse": "kGA*(eta_x - phi)", "rotation": "EI*phi_x"},
    ),
    "rod": (Rod("b", EA, rho, "l", field="xi"), {"axial": "EA*xi_x"}),
    "torsion": (Shaft("b", GJ, J, "l", field="phi"), {"twist": "GJ*phi_x"}),
    "string": (String("b", P, rho, "l", field="eta"), {"transverse": "P*eta_x"}),
    "exact": (
        ExactBeam("b", EI, rho, "l", EA=EA, kGA=kGA, rotary_inertia=J),
        {
            "axial": "EA*G*cos(phi_b) - kGA*H*sin(phi_b)",
            "transverse": "EA*G*sin(phi_b) + kGA*H*cos(phi_b)",
            "rotation": "EI*phi_b_x",
        },
    ),
    "exact, stiff": (
        ExactBeam("b", EI, rho, "l"),
        {
            "axial": "N_b*cos(phi_b) - Q_b*sin(phi_b)",
            "transverse": "N_b*sin(phi_b) + Q_b*cos(phi_b)",
            "rotation": "EI*phi_b_x",
        },
    ),
}
"""The load at the start for every element; Sy is -(EI y_xx)_x, and the load at the end is the opposite."""


@pytest.mark.parametrize("name", VARYING)
def test_table_one_with_properties_that_vary(name) -> None:
    member, at_start = VARYING[name]
    row = row_of(member)
    jets = row.energies.jets
    shear = -jets.D_x(tree("EI*y_xx"))
    assert set(row.loads) == set(at_start)
    for motion, text in at_start.items():
        strains = {Symbol("G"): tree(STRAINS[0]), Symbol("H"): tree(STRAINS[1])}
        expected = tree(text).subs({Symbol("Sy"): shear, **strains})
        for load, end, place, sign in zip(row.loads[motion], "ab", (ZERO, Symbol("l")), (1, -1), strict=True):
            assert verdict(load - sign * jets.at(expected, end, place, row.energies.spines[0].name))


def test_shear_of_a_tapered_beam_by_hand() -> None:
    """EI = EI0 (1 - x/(2l)): -(EI y_xx)_x = EI0 y_xx/(2l) - EI y_xxx, and EI(l) = EI0/2."""
    row = row_of(EulerBernoulliBeam("b", EI="EI0*(1 - x/(2*l))", rho="rho", length="l", field="y"))
    start, end = row.forces["transverse"]
    assert verdict(start - tree("EI0*y_xx@a/(2*l) - EI0*y_xxx@a"))
    assert verdict(end - tree("EI0*y_xxx@b/2 - EI0*y_xx@b/(2*l)"))
    start, end = row.moments["rotation"]
    assert verdict(start - tree("EI0*y_xx@a"))
    assert verdict(end + tree("EI0*y_xx@b/2"))


def test_the_table_lists_every_element_in_symbols() -> None:
    table = members()
    assert isinstance(table, MemberTable)
    assert [row.member for row in table.rows] == list(REGISTERED)
    energies = {
        "Bernoulli-Euler beam": ("rho*y_t**2/2", "EI*y_xx**2/2"),
        "Rayleigh beam": ("rho*y_t**2/2 + I_rho*y_xt**2/2", "EI*y_xx**2/2"),
        "Timoshenko beam": ("rho*eta_t**2/2 + I_rho*phi_t**2/2", "EI*phi_x**2/2 + kGA*(eta_x - phi)**2/2"),
        "uniaxial rod": ("rho*xi_t**2/2", "EA*xi_x**2/2"),
        "torsion shaft": ("I_rho*phi_t**2/2", "GJ*phi_x**2/2"),
        "string in tension": ("rho*eta_t**2/2", "P*eta_x**2/2"),
        "exact beam": (
            "rho*(u_t**2 + v_t**2)/2 + I_rho*phi_t**2/2",
            f"EI*phi_x**2/2 + N*({STRETCH}) + Q*({SHEAR})",
        ),
    }
    assert {row.member.name for row in table.rows} == set(energies)
    for row in table.rows:
        kinetic, potential = energies[row.member.name]
        assert verdict(row.kinetic - tree(kinetic))
        assert verdict(row.potential - tree(potential))


def test_axial_force_foundation_and_damping_in_the_loads() -> None:
    """A tension P pulls the end towards the chord; a Winkler foundation reaches no end; Kelvin-Voigt adds rates."""
    beam = EulerBernoulliBeam(
        "b", "EI", "rho", "l", axial_force="P", foundation="k", damping="c", internal_damping="eta", field="y"
    )
    row = row_of(beam)
    start, end = row.forces["transverse"]
    assert verdict(start - tree("P*y_x@a - EI*y_xxx@a - eta*EI*y_xxxt@a"))
    assert verdict(end + tree("P*y_x@b - EI*y_xxx@b - eta*EI*y_xxxt@b"))
    assert verdict(row.moments["rotation"][1] + tree("EI*y_xx@b + eta*EI*y_xxt@b"))


def test_timoshenko_internal_damping_in_the_loads() -> None:
    row = row_of(TimoshenkoBeam("b", "EI", "kGA", "rho", "J", "l", internal_damping="eta", field=("w", "phi")))
    assert verdict(row.forces["transverse"][0] - tree("kGA*(w_x@a - phi@a) + eta*kGA*(w_xt@a - phi_t@a)"))
    assert verdict(row.moments["rotation"][0] - tree("EI*phi_x@a + eta*EI*phi_xt@a"))


def test_sympy_form_of_a_row() -> None:
    row = members().rows[0]
    x, t, l, stiffness = sp.symbols("x t l EI")
    y = sp.Function("y")(x, t)
    assert row.fields == ("y",)
    assert row.sympy["potential"] == stiffness * y.diff(x, 2) ** 2 / 2
    assert row.sympy["moments"]["rotation"][1] == -stiffness * sp.Subs(y.diff(x, 2), x, l)
    assert set(row.sympy["forces"]) == {"transverse"}


def test_drawing() -> None:
    pipe = EulerBernoulliBeam("frame beam", "EI", "rho", "l", EA="EA", damping="c", field=("v", "u"))
    text = str(members(extra=[pipe]))
    lines = text.splitlines()
    assert len({len(line) for line in lines if "̇" not in line}) == 1
    for name in (*(member.name for member in REGISTERED), "frame beam"):
        assert name in text
    assert "F(0) = −EI ∂³y/∂x³" in text
    assert "M(l) = −EI ∂²y/∂x²" in text
    assert "F(l) = EI ∂³y/∂x³ − I_ρ ∂³y/∂x∂t²" in text
    assert "F(l) = −kGA (∂η/∂x − φ)" in text
    assert "F axial(0) = EA ∂u/∂x" in text
    assert "R  = (1/2) c (∂v/∂t)²" in text
    assert members()._repr_html_().startswith("<pre>┌")
