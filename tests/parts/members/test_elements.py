"""Each element's field equations against the textbook's, and how it reads what it is given."""

import pytest
import sympy as sp

from flexura.derivation.equations.rows import tidy
from flexura.derivation.equivalence import equivalent
from flexura.derivation.routes import derive
from flexura.derivation.surrogate import surrogate_rows
from flexura.energy.lagrangian import Lagrangian
from flexura.errors import FlexuraError
from flexura.parts.members import EulerBernoulliBeam, RayleighBeam, Rod, Shaft, String, TimoshenkoBeam
from flexura.symbolic.engine import SPINE
from flexura.symbolic.expression import Parameter, x
from flexura.symbolic.parser import parse
from flexura.symbolic.zero import verdict

EXTRAS = {"foundation": "k", "damping": "c", "internal_damping": "eta"}
BEAM = {**EXTRAS, "axial_force": "P"}


def energies(member, boundary=None) -> Lagrangian:
    return Lagrangian(density=member.density, dissipation_density=member.dissipation_density, boundary=boundary)


def field_equations(member):
    system = energies(member)
    rows = [tidy(row, system) for row in surrogate_rows(system) if row.kind == "partial"]
    return {row.name: row.residual.local for row in rows}


def tree(text):
    return parse(text, spine=True, internal=True).engine


TEXTBOOK = [
    (
        EulerBernoulliBeam("b", "EI", "rho", "l", field="w", **BEAM),
        {"w": "rho*w_tt + c*w_t + EI*w_xxxx + eta*EI*w_xxxxt - P*w_xx + k*w"},
    ),
    (
        EulerBernoulliBeam("b", "EI", "rho", "l", EA="EA", field=("w", "u"), **BEAM),
        {
            "w": "rho*w_tt + c*w_t + EI*w_xxxx + eta*EI*w_xxxxt - P*w_xx + k*w",
            "u": "rho*u_tt - EA*u_xx - eta*EA*u_xxt",
        },
    ),
    (
        RayleighBeam("b", "EI", "rho", "l", "J", field="w", **BEAM),
        {"w": "rho*w_tt - J*w_xxtt + c*w_t + EI*w_xxxx + eta*EI*w_xxxxt - P*w_xx + k*w"},
    ),
    (
        TimoshenkoBeam("b", "EI", "kGA", "rho", "J", "l", EA="EA", field=("w", "phi", "u"), **BEAM),
        {
            "w": "rho*w_tt + c*w_t - kGA*(w_xx - phi_x) - eta*kGA*(w_xxt - phi_xt) - P*w_xx + k*w",
            "phi": "J*phi_tt - EI*phi_xx - eta*EI*phi_xxt - kGA*(w_x - phi) - eta*kGA*(w_xt - phi_t)",
            "u": "rho*u_tt - EA*u_xx - eta*EA*u_xxt",
        },
    ),
    (Rod("b", "EA", "rho", "l", field="u", **EXTRAS), {"u": "rho*u_tt + c*u_t - EA*u_xx - eta*EA*u_xxt + k*u"}),
    (Shaft("b", "GJ", "J", "l", field="a", **EXTRAS), {"a": "J*a_tt + c*a_t - GJ*a_xx - eta*GJ*a_xxt + k*a"}),
    (String("b", "T", "rho", "l", field="w", **EXTRAS), {"w": "rho*w_tt + c*w_t - T*w_xx - eta*T*w_xxt + k*w"}),
]  # fmt: skip
IDS = [f"{type(member).__name__}-{len(member.fields)}" for member, _ in TEXTBOOK]


@pytest.mark.parametrize(("member", "expected"), TEXTBOOK, ids=IDS)
def test_field_equations(member, expected) -> None:
    found = field_equations(member)
    assert set(found) == set(expected)
    for name, text in expected.items():
        assert verdict(found[name] - tree(text))


@pytest.mark.parametrize(("member", "expected"), TEXTBOOK, ids=IDS)
def test_the_variational_route_agrees(member, expected) -> None:
    system = energies(member)
    assert equivalent(derive(system), derive(system, method="variational"))


def test_beam_with_properties_along_x() -> None:
    """(EI w_xx)_xx with EI = EI0 (1 - x/(2l)) is EI w_xxxx - EI0 w_xxx/l; the mass varies without derivatives."""
    beam = EulerBernoulliBeam("b", EI="EI0*(1 - x/(2*l))", rho="rho0*exp(-x)", length="l", field="w")
    expected = tree("rho0*exp(-$x)*w_tt + EI0*(1 - $x/(2*l))*w_xxxx - EI0*w_xxx/l")
    assert verdict(field_equations(beam)["w"] - expected)


def test_rotary_inertia_along_x() -> None:
    beam = RayleighBeam("b", "EI", "rho", "l", rotary_inertia="J0*(1 + x)", field="w")
    expected = tree("rho*w_tt - J0*(1 + $x)*w_xxtt - J0*w_xtt + EI*w_xxxx")
    assert verdict(field_equations(beam)["w"] - expected)


def test_hanging_chain() -> None:
    """The tension of a chain that hangs from x = 0 is the weight below: rho w_tt = rho g ((l - x) w_x)_x."""
    chain = String("c", tension="rho*g*(l - x)", rho="rho", length="l", field="w")
    assert verdict(field_equations(chain)["w"] - tree("rho*w_tt - rho*g*(l - $x)*w_xx + rho*g*w_x"))


def test_expressions_of_ours_and_of_sympy_are_properties() -> None:
    stiffness = Parameter("E0", 3.0)
    ours = EulerBernoulliBeam("b", EI=stiffness * (1 - x / 2), rho=1, length=2, field="w")
    theirs = EulerBernoulliBeam("b", EI=sp.Symbol("E0") * (1 - sp.Symbol("x") / 2), rho=1, length=2, field="w")
    assert ours.potential == theirs.potential
    assert SPINE in ours.potential.engine.free_symbols
    assert derive(energies(ours)).values["E0"] == 3.0


def test_a_literal_zero_removes_the_term() -> None:
    plain = EulerBernoulliBeam("b", "EI", "rho", "l", field="w")
    zeros = dict.fromkeys((*EXTRAS, "axial_force"), 0.0)
    with_zeros = EulerBernoulliBeam("b", "EI", "rho", "l", field="w", **zeros)
    assert with_zeros.potential == plain.potential
    assert with_zeros.dissipation.engine == 0
    assert verdict(with_zeros.potential.engine - tree("EI*w_xx**2/2"))
    massless = EulerBernoulliBeam("b", "EI", 0, "l", field="w")
    assert massless.kinetic.engine == 0
    assert RayleighBeam("b", "EI", "rho", "l", rotary_inertia=0, field="w").kinetic == plain.kinetic
    assert set(derive(energies(plain)).lagrangian.parameters) == {"EI", "rho", "l"}


def test_numbers_become_symbols_that_carry_them() -> None:
    beam = EulerBernoulliBeam("beam", EI="50 kN*m**2", rho=1.2, length=("L", "1300 mm"), axial_force=-20)
    system = energies(beam)
    assert derive(system).values == {"EI_beam": 5e4, "rho_beam": 1.2, "L": 1.3, "axial_force_beam": -20.0}
    assert system.parameters["EI_beam"].parts == ("beam",)
    assert system.parameters["L"].parts == ("beam",)


def test_default_fields_and_chosen_ones() -> None:
    assert [one.name for one in EulerBernoulliBeam("b", 1, 1, 1, EA=1).fields] == ["w_b", "u_b"]
    assert [one.name for one in TimoshenkoBeam("b 1", 1, 1, 1, 1, 1).fields] == ["w_b_1", "phi_b_1"]
    assert [one.name for one in Rod("b", 1, 1, 1).fields] == ["u_b"]
    assert [one.name for one in Shaft("b", 1, 1, 1).fields] == ["phi_b"]
    assert [one.name for one in String("b", 1, 1, 1).fields] == ["w_b"]
    assert [one.name for one in TimoshenkoBeam("b", 1, 1, 1, 1, 1, EA=1, field="q3").fields] == ["q3", "phi_b", "u_b"]
    assert [one.name for one in TimoshenkoBeam("b", 1, 1, 1, 1, 1, EA=1, field=(None, "q")).fields] == [
        "w_b",
        "q",
        "u_b",
    ]


def test_how_ends_and_sections_move() -> None:
    beam = EulerBernoulliBeam("b", 1, "rho", 1, EA=1, field=("w", "u"))
    w, u = beam.fields
    assert dict(beam.ends) == {"axial": u, "transverse": w, "rotation": w.x}
    assert beam.displacement == (u, w, beam.rotation[0])
    assert beam.rotation[2] == w.x
    assert beam.kinetic == beam.kinetic_of_motion == beam.rho * (u.t**2) / 2 + beam.rho * (w.t**2) / 2
    timoshenko = TimoshenkoBeam("b", 1, 1, 1, 1, 1, field=("w", "phi"))
    assert list(timoshenko.ends) == ["transverse", "rotation"]
    assert timoshenko.ends["rotation"] == timoshenko.fields[1] == timoshenko.rotation[2]
    assert list(Rod("b", 1, 1, 1).ends) == ["axial"]
    assert list(Shaft("b", 1, 1, 1).ends) == ["twist"]
    assert list(String("b", 1, 1, 1).ends) == ["transverse"]


def test_boundary_conditions_of_a_cantilever() -> None:
    beam = TimoshenkoBeam("b", "EI", "kGA", "rho", "J", "l", field=("w", "phi"))
    held = {beam.boundary_value(motion, "a"): 0 for motion in ("transverse", "rotation")}
    rows = derive(energies(beam, held)).of_kind("natural")
    assert len(rows) == 2
    assert verdict(rows[0].left.local - tree("kGA*(w_x@b - phi@b)"))
    assert verdict(rows[1].left.local - tree("EI*phi_x@b"))


def test_a_length_does_not_vary() -> None:
    """In a length x is an ordinary name, which the Lagrangian refuses beside the spine's x; fx.x is refused at once."""
    with pytest.raises(FlexuraError, match="A parameter is called x"):
        energies(EulerBernoulliBeam("beam", EI=1, rho=1, length="l*x"))
    with pytest.raises(FlexuraError, match="The length of beam varies along a member"):
        EulerBernoulliBeam("beam", EI=1, rho=1, length=2 * x)


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: EulerBernoulliBeam("beam", EI=-1, rho=1, length=1), "The EI of beam is -1, but it must be positive"),
        (lambda: EulerBernoulliBeam("beam", EI=1, rho=-1, length=1), "The rho of beam is -1, but it must be zero"),
        (lambda: EulerBernoulliBeam("beam", EI=1, rho=1, length=0), "The length of beam is 0, but it must be positive"),
        (lambda: EulerBernoulliBeam("beam", EI="3 GPa", rho=1, length=1), "The EI of beam is '3 GPa', whose unit"),
        (lambda: Shaft("shaft", 1, 1, 1, damping="3 N*s/m**2"), "The damping of shaft is '3 N*s/m**2', whose unit has"),
        (lambda: EulerBernoulliBeam("beam", EI=None, rho=1, length=1), "The EI of beam is None; give a number"),
        (lambda: EulerBernoulliBeam("beam", EI=1, rho=1, length=None), "The length of beam is None; give a number"),
        (lambda: EulerBernoulliBeam("beam", 1, 1, 1, EA=0), "The EA of beam is 0, but it must be positive"),
        (lambda: EulerBernoulliBeam("", 1, 1, 1), "A member is called ''; give it a name, like 'beam'"),
        (lambda: Rod(3, 1, 1, 1), "A member is called 3; give it a name"),
        (lambda: EulerBernoulliBeam("beam", 1, 1, 1, field=("w", "u")), "The member beam has no field to be called"),
        (lambda: Rod("rod", 1, 1, 1, field="sin"), "which is a word of the expression grammar"),
    ],
)  # fmt: skip
def test_bad_input_is_refused_in_one_sentence(make, sentence) -> None:
    with pytest.raises(FlexuraError) as refusal:
        make()
    assert sentence in str(refusal.value)
