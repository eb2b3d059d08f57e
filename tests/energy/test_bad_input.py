"""Each wrong input raises one sentence that names the thing and says what to do; what it advises works."""

import pytest
import sympy as sp

import flexura as fx

BENDING = "rho*w_t**2/2 - EI*w_xx**2/2"
ROD = "rho*w_t**2/2 - EA*w_x**2/2"


def refused(match: str, **energies: object) -> None:
    with pytest.raises(fx.FlexuraError, match=match) as caught:
        fx.Lagrangian(**energies)
    message = str(caught.value)
    assert message.endswith(".")
    assert "\n" not in message


def test_an_unknown_function_of_time() -> None:
    t = sp.Symbol("t")
    q = fx.Coordinate("q")
    refused(r"F\(t\) is an unknown function.*fx\.Input\('F'\)", kinetic=q.t**2, potential=sp.Function("F")(t) * q)
    advised = fx.Lagrangian(kinetic=q.t**2, potential=fx.Input("F") * q)
    assert advised.inputs == {"F": {"t"}}
    declared = fx.Lagrangian(kinetic=q.t**2, potential=sp.Function("F")(t) * q + 0 * fx.Input("F"))
    assert declared.inputs == {"F": {"t"}}


def test_a_field_without_length() -> None:
    with pytest.raises(fx.FlexuraError, match=r"The field w has no length; write fx\.Field\('w', length='L'\)"):
        fx.Field("w")


def test_a_slope_at_an_end_of_a_first_order_density() -> None:
    w = fx.Field("w", length="l")
    refused(r"w slope at its start is given.*first derivatives only", density={w: ROD}, boundary={w.slope(0): 0})
    fx.Lagrangian(density={w: ROD}, boundary={w.at(0): 0})


def test_an_end_given_twice() -> None:
    w, q = fx.Field("w", length="l"), fx.Coordinate("q")
    refused(r"w\.at\(0\) is given twice", density={w: BENDING}, boundary={w.at(0): 0, w.at("0"): q})
    refused(r"w\.slope\(l\) is given twice", density={w: BENDING}, boundary={w.slope("l"): 0, w.slope("l"): 0})


def test_third_spatial_derivatives() -> None:
    w = fx.Field("w", length="l")
    refused(r"density of w holds w_xxx.*another field", density={w: "rho*w_t**2/2 - D*w_xxx**2/2"})


def test_two_coordinates_of_one_name() -> None:
    first, second = fx.Coordinate("q"), fx.Coordinate("q")
    refused(r"Two different things are called q", kinetic=first.t**2 + second.t**2)
    refused(r"Two different things are called q", kinetic=first.t**2, density={fx.Field("q", length="l"): "q_t**2"})
    assert fx.Lagrangian(kinetic=first.t**2 + first.t).coordinates == ("q",)


def test_names_that_mean_a_derivative() -> None:
    q, rate = fx.Coordinate("q"), fx.Coordinate("q_t")
    refused(r"q_t also means a derivative of q", kinetic=q.t**2 + rate.t**2)
    refused(r"q_t also means a derivative of q", kinetic=q.t**2 + fx.Parameter("q_t") * q)
    refused(r"q is both a parameter and a coordinate", kinetic=q.t**2 + fx.Parameter("q"))


def test_a_dissipation_function_that_is_not_one_of_rates() -> None:
    q, w = fx.Coordinate("q"), fx.Field("w", length="l")
    refused(r"The dissipation function is not a function of rates", kinetic=q.t**2, dissipation=q**2)
    refused(r"The dissipation function is not a function of rates", kinetic=q.t**2, dissipation=q.t**2 + q)
    refused(r"The dissipation density of w is not", density={w: BENDING}, dissipation_density={w: w.xx**2})


def test_a_symbol_with_two_values() -> None:
    q = fx.Coordinate("q")
    refused(r"k.*2.*3", kinetic=q.t**2, potential=fx.Parameter("k", 2) * q**2 + fx.Parameter("k", 3) * q)
    once = fx.Lagrangian(kinetic=q.t**2, potential=fx.Parameter("k", 2) * q**2 + fx.Parameter("k") * q)
    assert fx.derive(once).values == {"k": 2.0}


def test_a_unit_of_the_wrong_dimension() -> None:
    with pytest.raises(fx.FlexuraError, match=r"length"):
        fx.Field("w", length="3 kg")
    assert fx.derive(fx.Lagrangian(density={fx.Field("w", length="3 mm"): ROD})).values == {"length_w": 0.003}


def test_fields_where_only_ends_belong() -> None:
    w, v = fx.Field("w", length="l"), fx.Field("v", length="l")
    refused(r"The field w appears in the kinetic energy.*w\.at\(end\)", kinetic=w.t**2, density={w: ROD})
    refused(r"The field v appears in the density of w", density={w: w.t**2 - w.x**2 + v, v: v.t**2 - v.x**2})
    refused(r"place x", kinetic=fx.x * fx.Coordinate("q").t ** 2)


def test_accelerations_in_an_energy() -> None:
    refused(r"The acceleration q_tt appears in the kinetic energy", kinetic=fx.Coordinate("q").tt ** 2)


def test_places_that_are_not_ends() -> None:
    w = fx.Field("w", length="l")
    with pytest.raises(fx.FlexuraError, match=r"runs from 0 to l"):
        w.at("l/2")
    number = fx.Field("v", length=2.0)
    assert number.at(2.0).jet == number.at("length_v").jet


def test_boundary_values_in_circles_and_rates() -> None:
    w, v, q = fx.Field("w", length="l"), fx.Field("v", length="l"), fx.Coordinate("q")
    both = {w: ROD, v: ROD.replace("w", "v")}
    refused(r"through itself", density=both, boundary={w.at(0): v.at(0), v.at(0): w.at(0)})
    refused(r"rate q_t", density={w: ROD}, boundary={w.at(0): q.t})


def test_wrong_keys_and_values() -> None:
    w, q = fx.Field("w", length="l"), fx.Coordinate("q")
    refused(r"not a field", density={q: "q_t**2"})
    refused(r"work_density=\{w: \.\.\.\}", density={w: ROD}, work={w: 1})
    refused(r"Work is given for 3", kinetic=q.t**2, work={3: 1})
    refused(r"not an end of a field", density={w: ROD}, boundary={q: 0})
    refused(r"not a boundary value", density={w: ROD}, work={w.slope(0): 1})
    refused(r"not linear in the rates", kinetic=q.t**2, constraints=[q.t**2 - 1])
    refused(r"holds no coordinate", kinetic=q.t**2, constraints=["a - b"])
    refused(r"The kinetic energy", kinetic=object())
    refused(r"mapping", density=3)


def test_a_name_the_grammar_cannot_read() -> None:
    for name in ("", "2q", "q 1", "sin", "t", "q-1", "pi"):
        with pytest.raises(fx.FlexuraError, match="called"):
            fx.Coordinate(name)
