"""Whatever a user passes to a public name, a sentence comes out: words that are not taken, values of the wrong kind."""

import inspect
import pickle
import warnings

import numpy as np
import pytest

import flexura as fx
from flexura.arguments import checked, nearest

CALLABLE = [name for name in fx.__all__ if callable(getattr(fx, name)) and name != "FlexuraError"]
VALUES = [object(), "some text", "392 N", None, 3.5, -1, [], {"a": 1}]


def required(name):
    kinds = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    found = inspect.signature(getattr(fx, name)).parameters.values()
    return [one.name for one in found if one.default is one.empty and one.kind in kinds]


def outcome(name, keywords):
    """None, if it answers or says a sentence; else what was raised."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            getattr(fx, name)(**keywords)
        except fx.FlexuraError as error:
            assert str(error).endswith(".")  # noqa: PT017
        except Exception as error:
            return repr(error)
    return None


@pytest.mark.parametrize("name", CALLABLE)
def test_values_of_any_kind_give_a_sentence(name):
    for value in VALUES:
        assert outcome(name, dict.fromkeys(required(name), value)) is None, value
    assert outcome(name, {}) is None


@pytest.mark.parametrize("name", CALLABLE)
def test_words_that_are_not_taken_are_named(name):
    """With what is needed given as None: that the word is unknown is said first."""
    parameters = inspect.signature(getattr(fx, name)).parameters.values()
    words = [one.name for one in parameters if one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY)]
    if any(one.kind is one.VAR_KEYWORD for one in parameters):
        pytest.skip("it passes its words on; those are tested below")
    with pytest.raises(
        fx.FlexuraError, match=r"takes no 'unheard_of'; (choose among|leave it out|did you mean)"
    ) as told:
        getattr(fx, name)(**dict.fromkeys(required(name)), unheard_of=1)
    assert all(word in str(told.value) for word in words if not inspect.isclass(getattr(fx, name)) or word != "self")
    if words:
        with pytest.raises(fx.FlexuraError, match=r"takes no '.*x'; did you mean '.*' \(it takes"):
            getattr(fx, name)(**{f"{max(words, key=len)}x": 1})


@pytest.fixture(scope="module")
def equations():
    bob = fx.RigidBody("bob", m=1.0, I=0.1)
    return fx.derive(fx.Model(fx.Revolute(fx.ground, bob.at(0, 1), name="theta"), fx.Gravity()))


@pytest.fixture(scope="module")
def run(equations):
    return fx.simulate(equations, np.linspace(0, 1, 5), initial={"theta": 0.1})


SYSTEM = fx.SecondOrderSystem(np.eye(2), None, np.eye(2))
FRAME = fx.BeamFrame(
    [[0, 0, 0], [1, 0, 0]], [[0, 1]], fx.Section(E=1, G=1, rho=1, A=1, Iy=1, Iz=1), supports={0: "all"}
)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (
            lambda e, r, p: fx.simulate(e, [0, 1], tolernace=1),
            r"fx.simulate takes no 'tolernace'; did you mean 'tolerance' \(it",
        ),
        (
            lambda e, r, p: fx.simulate(SYSTEM, [0, 1], raduis=1),
            r"fx.simulate of matrices takes no 'raduis'; did you mean 'radius'",
        ),
        (
            lambda e, r, p: fx.simulate(FRAME, [0, 1], bdoy=1),
            r"fx.simulate of a frame takes no 'bdoy'; did you mean 'body'",
        ),
        (
            lambda e, r, p: fx.plot(r, colour=1),
            r"fx.plot of a Trajectory takes no 'colour'; choose among names, at, magnification, trace, path",
        ),
        (lambda e, r, p: fx.plot(fx.modes(e), whihc=1), r"fx.plot of a Modes takes no 'whihc'; did you mean 'which'"),
        (lambda e, r, p: fx.plot(np.ones(3), omgea=1), r"fx.plot of a ndarray takes no 'omgea'; did you mean 'omega'"),
        (lambda e, r, p: fx.plot(FRAME, veiw=1), r"fx.plot of a BeamFrame takes no 'veiw'; did you mean 'view'"),
        (lambda e, r, p: fx.plot(r, 5), r"fx.plot takes text or a Path or None as path, and 5 is none"),
        (
            lambda e, r, p: fx.animate(r, p / "a.gif", frame=3),
            r"fx.animate of a run takes no 'frame'; did you mean 'frames'",
        ),
        (lambda e, r, p: fx.animate(r, p / "a.gif", "many"), r"takes a whole number as frames, and 'many' is none"),
        (lambda e, r, p: fx.animate(r, p / "a.gif", -1), r"frames is -1; give how many pictures there shall be"),
        (lambda e, r, p: fx.animate(fx.modes(e), p / "a.gif", mode=3), r"fx.animate of modes takes no 'mode'"),
        (
            lambda e, r, p: fx.EulerBernoulliBeam("b", E=3, rho=1, length=1),
            r"fx.EulerBernoulliBeam takes no 'E'; did you mean 'EI'",
        ),
        (lambda e, r, p: fx.Mass("m", mass=3), r"fx.Mass takes no 'mass'; choose among name, m"),
        (lambda e, r, p: fx.modes(e, values=3), r"fx.modes takes a mapping or None as values, and 3 is none"),
        (lambda e, r, p: SYSTEM.with_(KK=3), r"fx.SecondOrderSystem takes no 'KK'; did you mean 'K'"),
        (lambda e, r, p: fx.read_system(p / "a.npz", Q="a"), r"There is no file|A system has no matrix 'Q'"),
        (lambda e, r, p: fx.sin(1, 2), r"sin is given 2 values; give exactly 1"),
        (lambda e, r, p: fx.atan2(1), r"atan2 is given 1 values; give exactly 2"),
    ],
)
def test_words_that_are_passed_on(equations, run, tmp_path, call, sentence):
    with pytest.raises(fx.FlexuraError, match=sentence):
        call(equations, run, tmp_path)


def test_mistakes_of_our_own_are_not_hidden():
    def broken(x: float = 1.0):
        return [][int(x)]

    with pytest.raises(IndexError):
        checked(broken)(0.0)
    with pytest.raises(fx.FlexuraError, match="broken takes a number as x, and 'a' is none; give one"):
        checked(broken)("a")


def test_public_functions_are_found_again():
    """By pickle, and every time the same."""
    for name in ("modes", "derive", "reduce", "read_system", "sin"):
        assert getattr(fx, name) is getattr(fx, name)
        assert pickle.loads(pickle.dumps(getattr(fx, name))) is getattr(fx, name)


def test_the_nearest_word():
    assert nearest("ei", ["EI", "rho"]) == "did you mean 'EI'"
    assert nearest("zzz", ["EI", "rho"]) == "choose among EI, rho"
    assert nearest("zzz", []) == "leave it out"
