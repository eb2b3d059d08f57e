"""Methods of what users hold, by facade or from a verb: words not taken and values of a wrong kind give a sentence."""

import inspect
import types
import warnings

import numpy as np
import pytest

import flexura as fx
from flexura.arguments import checked_methods

VALUES = [object(), "some text", "392 N", None, 3.5, -1, float("nan"), [], {"a": 1}, (1, 2), [["a"]], 1j, b"x"]
ASKED = ("__call__", "__getitem__")


@pytest.fixture(scope="module")
def things():
    """One of each kind of object that a user can hold, by its class; a run has four sources."""
    bob = fx.RigidBody("bob", m=1.0, I=0.1)
    pendulum = fx.Model(fx.Revolute(fx.ground, bob.at(0, 1), name="theta"), fx.Gravity())
    equations = fx.derive(pendulum)
    beam = fx.EulerBernoulliBeam("beam", EI=2.0, rho=1.0, length=1.0)
    cantilever = fx.derive(fx.Model(fx.Fixed(fx.ground, beam.start), fx.Force(beam.end, "F")))
    section = fx.Section(E=1e3, G=1e3, rho=1, A=1, Iy=1, Iz=1)
    frame = fx.BeamFrame([[0, 0, 0], [1, 0, 0]], [[0, 1]], section, supports={0: "all"})
    arm = fx.rotating_arm("t")
    mechanism = fx.Mechanism(arm, {"arm": frame}, ())
    system = fx.SecondOrderSystem(np.eye(3), None, np.diag([0.0, 1.0, 2.0]))
    modes, force, times = fx.modes(cantilever, 2), np.array([1.0, 0, 0]), [0, 0.1]
    return {
        "pendulum": pendulum, "equations": equations, "bob": bob, "mass": fx.Mass("m", 1), "ground": fx.ground,
        "beam": beam, "cantilever": cantilever, "lagrangian": cantilever.lagrangian, "section": section, "frame": frame,
        "linkage": arm, "mechanism": mechanism, "system": system, "modes": modes, "shape": modes.shape(0),
        "field shape": modes.shape(0).w_beam, "certificate": fx.verify(equations),
        "ritz shape": fx.modes(cantilever, 2, method="ritz").shape(0).w_beam,
        "sensitivity": fx.sensitivity(cantilever, count=2), "coordinate": fx.Coordinate("q"),
        "campbell": fx.campbell(cantilever, "EI_beam", [1, 2], count=2), "field": fx.Field("w", length=1),
        "run": fx.simulate(equations, times), "run of a beam": fx.simulate(cantilever, times),
        "run of matrices": fx.simulate(system, times), "run of a frame": fx.simulate(frame, times),
        "run of a mechanism": fx.simulate(mechanism, times), "body": fx.MovingFrame(),
        "load": fx.FrameLoad({0: {"v": 1.0}}, {0: {"v": 1.0}}), "nonlinear": fx.discretise(equations),
        "matrices": fx.matrices(fx.linearise(equations)), "flexibility": fx.flexibility(fx.linearise(equations)),
        "parts": fx.moving_system(frame, fx.MovingFrame()).parts, "reduced": fx.reduce(system, force, 1),
    }  # fmt: skip


def methods(thing):
    for name in dir(type(thing)):
        found = inspect.getattr_static(type(thing), name)
        raw = getattr(found, "__func__", found)
        ours = str(getattr(raw, "__module__", "")).startswith("flexura")
        if (not name.startswith("_") or name in ASKED) and ours and isinstance(raw, types.FunctionType):
            yield getattr(thing, name)


def words(method, needed=False):
    kinds = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    known = [one for one in inspect.signature(method).parameters.values() if one.kind in kinds]
    return [one.name for one in known if not needed or one.default is one.empty]


def outcome(call, keywords):
    """None, if it answers or says a sentence; else what was raised."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            call(**keywords)
        except fx.FlexuraError as error:
            assert str(error).endswith(".")  # noqa: PT017
        except Exception as error:
            shown = {name: str(one)[:30] for name, one in keywords.items()}
            return f"{getattr(call, '__qualname__', call)!s:.60}: {error!r}, given {shown}"
    return None


def test_values_of_any_kind_give_a_sentence(things):
    calls = [(method, words(method, needed=True)) for thing in things.values() for method in methods(thing)]
    spoilt = [(method, dict.fromkeys(needed, value)) for method, needed in calls for value in VALUES]
    assert not [said for method, keywords in spoilt if (said := outcome(method, keywords))]


def test_words_that_are_not_taken_are_named(things):
    for thing in things.values():
        for method in methods(thing):
            if any(one.kind is one.VAR_KEYWORD for one in inspect.signature(method).parameters.values()):
                continue
            with pytest.raises(fx.FlexuraError, match=r"takes no 'unheard_of'; (choose|leave it out|did you mean)"):
                method(**dict.fromkeys(words(method, needed=True)), unheard_of=1)


def good_calls(things):
    """Calls that succeed, whose arguments are then spoilt one by one, those that may be left out as well."""
    of, times = things.__getitem__, [0, 0.1]
    for name in ("cantilever", "system"):
        load, output = ([1.0, 0, 0], [1.0, 0, 0]) if name == "system" else ("F", of("beam").end)
        yield fx.frequency_response, {"equations": of(name), "omega": [1.0], "load": load, "output": output}
    for name in ("equations", "system", "frame", "mechanism"):
        yield fx.simulate, {"system": of(name), "t": times, "initial": None}
    yield fx.simulate, {"system": of("equations"), "t": times, "stop": ()}
    yield fx.simulate, {"system": of("system"), "t": times, "inputs": None}
    yield fx.simulate, {"system": of("frame"), "t": times, "loads": None}
    yield fx.simulate, {"system": of("mechanism"), "t": times, "loads": None}
    yield fx.campbell, {"equations": of("cantilever"), "parameter": "EI_beam", "over": [1.0, 2.0], "count": 1}
    yield fx.modes, {"equations": of("cantilever"), "count": 1, "near": None}
    yield fx.operating_state, {"system": of("system"), "F": [1.0, 0, 0]}
    yield fx.reduce, {"system": of("system"), "F": [1.0, 0, 0], "order": 1, "outputs": None}
    yield fx.moving_system, {"frame": of("frame"), "loads": None}
    yield fx.BeamFrame, {"nodes": [[0, 0, 0], [1, 0, 0]], "elements": [[0, 1]], "section": of("section"), "links": ()}
    yield fx.SecondOrderSystem, {"M": np.eye(2), "D": None, "K": np.eye(2), "F": None, "nodes": None, "C": None}
    yield fx.Mechanism, {"motions": of("linkage"), "members": {"arm": of("frame")}, "joints": ()}
    yield of("shape"), {"name": "w_beam", "x": 0.5, "derivative": 1}
    yield of("field shape"), {"x": 0.5, "derivative": 1}
    yield of("ritz shape"), {"x": 0.5, "derivative": 1}
    yield of("run of a beam").place, {"member": "beam", "s": 0.5}
    yield of("run of a frame").place, {"member": 1, "s": "v"}
    yield fx.simulate, {"system": of("mechanism"), "t": times, "initial": None, "step": None}
    yield of("mechanism").driven, {"span": (0, 1.0), "torque": 0.0, "theta": 0.0, "rate": 0.0}
    yield of("linkage").pose, {"name": "arm", "theta": 0.1}
    yield of("frame").dof, {"node": 1, "name": "v"}
    yield of("bob").at, {"x": 1, "y": 2, "z": 0}
    yield of("reduced").expand, {"z": [1.0] * of("reduced").basis.shape[1]}
    yield of("reduced").error, {"omega": 1.0}


def test_each_argument_of_a_good_call_may_be_spoilt(things):
    calls = list(good_calls(things))
    assert not [said for call, good in calls if (said := outcome(call, good))]
    spoilt = [(call, {**good, name: value}) for call, good in calls for name in good for value in VALUES]
    bad = [said for call, keywords in spoilt if (said := outcome(call, keywords))]
    assert not bad, "\n".join(bad)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda of: of("bob").at(1, depth=2), r"RigidBody.at takes no 'depth'; choose among x, y, z"),
        (lambda of: of("mass").at(1, yy=2), r"Mass.at takes no 'yy'; did you mean 'y'"),
        (lambda of: of("run of a beam").place("beam", at=1), r"Trajectory.place takes no 'at'"),
        (lambda of: of("modes").shape("first"), r"Modes.shape takes a whole number as k, and 'first' is none"),
        (lambda of: of("field shape")("middle"), r"FieldShape\(\.\.\.\) takes numbers as x, and 'middle' is none"),
        (lambda of: fx.simulate(of("mechanism"), [0, 1], lodas=1), r"of a mechanism takes no 'lodas'; did you mean"),
        (lambda of: of("mechanism").driven((0, 1), angle=1), r"Mechanism.driven takes no 'angle'"),
        (lambda of: fx.simulate(of("mechanism"), [0, 1], inputs={}, loads={}), r"inputs and loads are the same of a"),
        (lambda of: fx.simulate(of("system"), "soon"), r"t is 'soon'; give increasing times"),
        (lambda of: fx.Equations.from_json(txt=""), r"Equations.from_json takes no 'txt'; did you mean 'text'"),
        (lambda of: of("reduced").expand([1.0] * 50), r"z has the shape \(50,\); give the \d reduced coordinates"),
    ],
)
def test_sentences(things, call, sentence):
    with pytest.raises(fx.FlexuraError, match=sentence):
        call(things.__getitem__)


def test_a_class_is_checked_once_and_keeps_its_own_errors():
    @checked_methods
    @checked_methods
    class Thing:
        def third(self, of: list) -> float:
            return of[2]

        @staticmethod
        def twice(x: float) -> float:
            return x + x

    assert not hasattr(Thing.third.__wrapped__, "__wrapped__")
    assert Thing().third([1, 2, 3]) == 3
    assert Thing.twice(2.0) == 4
    with pytest.raises(IndexError):
        Thing().third([1])
    with pytest.raises(fx.FlexuraError, match=r"Thing.twice takes no 'y'; did you mean 'x'|choose among x"):
        Thing.twice(y=2)
