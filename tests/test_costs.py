"""What small texts and long chains cost, in calls of functions, not in seconds: in proportion to what comes out."""

import itertools
import sys

import pytest

import flexura as fx
from flexura.model.files.reading import model_of_text
from flexura.symbolic.parser import parse


def calls(work):
    """How many functions of Python are called, generators resumed included."""
    count = itertools.count()

    def counted(frame, event, _):
        if event == "call":
            next(count)

    sys.setprofile(counted)
    try:
        work()
    finally:
        sys.setprofile(None)
    return next(count)


def masses(n):
    parts = "".join(f'[parts.m{i}]\nkind = "Mass"\nm = {i + 1}\n' for i in range(n))
    joints = "".join(f'[[connections]]\nkind = "Slide"\nbetween = ["ground", "m{i}"]\n' for i in range(n))
    return parts + joints


def slides(n):
    bodies = [fx.Mass(f"m{i}", m=f"m{i}") for i in range(n)]
    return fx.Model(*(fx.Slide(a, b) for a, b in itertools.pairwise([fx.ground, *bodies])))


def nested(n):
    q = fx.Coordinate("q")
    return fx.Lagrangian(kinetic=q.t**2 / 2, potential="sin(" * n + "q" + ")" * n)


def test_many_masses_cost_in_proportion_to_their_number():
    """Twice as many from a file, to all their rows, are twice the work (three times, if half of it were quadratic)."""

    def work(n):
        text = masses(n)
        return calls(lambda: list(fx.derive(model_of_text(text)).derived))

    work(300)  # what is done once
    assert work(600) < 2.3 * work(300)


def test_a_long_chain_of_slides_costs_what_its_rows_are_long():
    """Row k of n holds n squared over two terms: four times the work for twice the chain, not eight."""

    def work(n):
        model = slides(n)
        return calls(lambda: list(fx.derive(model).derived))

    work(40)
    assert work(80) < 4.6 * work(40)


def test_functions_in_functions_cost_no_more_than_their_square():
    """It was 2**n: each function looked at all those inside it again."""

    def work(n):
        equations = fx.derive(nested(n))
        return calls(lambda: (str(equations), equations.latex()))

    work(20)
    assert work(40) < 4.6 * work(20)
    text = str(fx.derive(nested(99)))
    assert text.count("cos(") == 99


LONG = ["(a+b+c+d)**1000", "(a+b)**900*(c+d)**900", "sin((a+b+c+d)**500)", "1/(a+b+c+d)**1000", "((a+b)**99+c)**99"]
SHORT = ["(a+b)**1000", "a**1000", "(1-x/(2*l))**3", "(a+b+c+d)**20", "sqrt(a+b)**7", "(a+b)**n"]


@pytest.mark.parametrize("text", LONG)
def test_a_power_that_is_too_long_when_multiplied_out_is_refused(text):
    with pytest.raises(fx.FlexuraError, match=r"multiplied out it has more than 5000 terms; write a name for the part"):
        parse(text)
    body = fx.Mass("m", m="m")
    with pytest.raises(fx.FlexuraError, match=r"multiplied out it has more than 5000 terms"):
        fx.Model(fx.Slide(fx.ground, body, name="q"), fx.Spring(fx.ground, body, k=text))
    named = fx.Model(fx.Slide(fx.ground, body, name="q"), fx.Spring(fx.ground, body, k="k"))  # the advice
    assert fx.modes(fx.derive(named), 1, values={"m": 1.0, "k": 4.0}).frequencies == [2.0]


@pytest.mark.parametrize("text", SHORT)
def test_powers_that_are_written_every_day_are_read(text):
    assert parse(text).engine.free_symbols


# -- long chains: what is not worth its time is refused before it is spent ------------------------------------------


def revolutes(n):
    bodies = [fx.RigidBody(f"b{i}", m=f"m{i}", I=f"I{i}") for i in range(n)]
    inner = [fx.Revolute(a.at(f"l{i}", 0), b, name=f"th{i + 1}") for i, (a, b) in enumerate(itertools.pairwise(bodies))]
    return fx.Model(fx.Revolute(fx.ground, bodies[0], name="th0"), *inner, fx.Gravity("g"))


@pytest.mark.parametrize("model", [revolutes(60), slides(150)], ids=["60 revolutes", "150 slides"])
def test_equations_that_nobody_could_read_are_not_written(model):
    equations = fx.derive(model)
    ways = {"str": lambda: str(equations), "latex": equations.latex, "ordinary": lambda: equations.ordinary}
    for name, way in ways.items():
        with pytest.raises(fx.FlexuraError, match=r"terms, and at most 100000 are written; fx.simulate"):
            assert way(), name
    assert len(repr(equations)) < 200
    assert equations._repr_latex_() is None


def test_the_advice_on_long_equations_holds():
    n = 24
    values = (
        {f"m{i}": 1.0 for i in range(1, n)} | {f"I{i}": 0.1 for i in range(n)} | {f"l{i}": 0.5 for i in range(n - 1)}
    )
    equations = fx.derive(revolutes(n))
    with pytest.raises(fx.FlexuraError, match=r"fx.simulate, fx.modes, fx.equilibrium and fx.linearise take them"):
        str(equations)
    run = fx.simulate(equations, [0.0, 0.01], initial={"th0": -1.5}, values=values | {"g": 9.81})
    assert run.complete
    assert run.energy.error < 1e-7


def test_verify_refuses_what_would_take_for_ever_and_takes_the_shorter_chain():
    with pytest.raises(fx.FlexuraError, match=r"too long to be verified.*verify a shorter chain of the same parts"):
        fx.verify(fx.derive(revolutes(60)))
    certificate = fx.verify(fx.derive(revolutes(6)))
    assert certificate
    assert {one.method for one in certificate.compared} >= {"variational", "kane", "newton_euler", "parts"}


def test_verify_costs_what_its_equations_are_long():
    """It was fifteen times as much for one more body: normal forms were made before anyone asked how long they get."""

    def work(n):
        equations = fx.derive(revolutes(n))
        return calls(lambda: fx.verify(equations))

    work(3)
    assert work(7) < 4 * work(6)
