"""Programs on disk: the same numbers to the last bit, and nothing but time is lost when the disk does not help."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
import time
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import symengine
from hypothesis import HealthCheck, Phase, given, note, settings
from hypothesis import strategies as st

import flexura as fx
from direct_action import numbers_for
from flexura.discretisation import cache, system
from flexura.discretisation.fingerprint import fingerprint
from flexura.discretisation.gather import Gathered
from flexura.discretisation.layout import Numbers, Unknowns
from flexura.discretisation.program import CompiledProgram, Program, Traced
from flexura.energy.lagrangian import Lagrangian
from flexura.solve.discretise import motion_system
from flexura.symbolic.engine import Symbol
from random_models import models

pytestmark = pytest.mark.skipif(not symengine.have_llvm, reason="the engine has no LLVM here")
X, Y = Symbol("x"), Symbol("y")
CASES = int(os.environ.get("FLEXURA_CACHE_CASES", "25"))
NAMES = ("evaluate", "jacobians", "held", "energies", "powers")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache, not even made."""
    where = tmp_path / "programs"
    monkeypatch.setenv("FLEXURA_CACHE", str(where))
    return where


def compiled(f: Any = None) -> CompiledProgram:
    return Program([X, Y], {"f": [X * symengine.sin(Y) if f is None else f]}).compiled("llvm")


def arm(values: Any = None, order: int = 4, basis: Any = None, tie: str = "0.3", **more: Any) -> system.TracedFunctions:
    """The functions of a turning arm that drives a cart, so that constraints are there too."""
    hub, cart = fx.RigidBody("hub", m=1, I=0.3), fx.Mass("cart", m=0.2)
    beam = fx.EulerBernoulliBeam("arm", EI=("EI", 20.0), rho=0.5, length=1.0, field="w", **more)
    tied = fx.Slide(fx.ground, cart, name="s"), fx.Constraint(f"s_t - {tie}*cos(theta)*theta_t")
    parts = (fx.Revolute(fx.ground, hub, name="theta"), fx.Fixed(hub, beam.start), fx.Torque(hub, "tau"), *tied)
    return functions_of(fx.derive(fx.Model(*parts, fx.Gravity(9.81))), values, order, basis)


def functions_of(equations: Any, values: Any, order: int, basis: Any = None) -> system.TracedFunctions:
    kept: list[system.TracedFunctions] = []

    class Keeping(system.TracedFunctions):
        def __init__(self, *given: Any) -> None:
            super().__init__(*given)
            kept.append(self)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(system, "TracedFunctions", Keeping)
        motion_system(equations, values, order, 1, basis)
    return kept[0]


def state(functions: system.TracedFunctions, name: str) -> list[np.ndarray]:
    random = np.random.default_rng(3)
    words = {"evaluate": "q v u", "held": "q v u", "energies": "q v"}.get(name, "q v a u lam")
    return [0.3 * random.normal(size=len(functions.symbols[one])) for one in words.split()]


def call(functions: system.TracedFunctions, name: str) -> list[np.ndarray]:
    return [one.copy() for one in getattr(functions, name)(0.2, *state(functions, name))]


# -- what is kept is what was compiled ----------------------------------------------------------------------------


def test_a_hit_equals_a_miss_to_the_last_bit_and_traces_nothing(folder, monkeypatch):
    first = arm()
    plain = {name: call(first, name) for name in NAMES}
    for name in NAMES:
        getattr(first, name).compile()
    missed = {name: call(first, name) for name in NAMES}
    assert len(list(folder.iterdir())) == len(NAMES)

    second = arm()
    monkeypatch.setattr(Traced, "traced", lambda self: pytest.fail("it was on disk"))
    for name in NAMES:
        getattr(second, name).compile()
        hit = call(second, name)
        assert [one.shape for one in hit] == [one.shape for one in missed[name]] == [one.shape for one in plain[name]]
        assert all(np.array_equal(a, b) for a, b in zip(hit, missed[name], strict=True))
        assert all(np.allclose(a, b, rtol=1e-12, atol=1e-12) for a, b in zip(hit, plain[name], strict=True))
        stack = getattr(second, name)(np.full(3, 0.2), *(np.tile(one, (3, 1)) for one in state(second, name)))
        assert all(np.array_equal(one[1], a) for one, a in zip(stack, missed[name], strict=True))


@settings(
    max_examples=max(1, CASES // 8),
    derandomize="FLEXURA_CACHE_CASES" not in os.environ,
    database=None,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.generate],
)
@given(models(size=(2, 3)))
def test_models_nobody_had_in_mind_come_back_unchanged(drawn):
    note(drawn.script)
    equations = fx.derive(drawn.model)
    values = numbers_for(equations)
    first, second = (functions_of(equations, values, 3) for _ in range(2))
    assert fingerprint(first.ritz.gathered) == fingerprint(second.ritz.gathered)
    if first.evaluate._left == np.inf:
        return  # it is not traced
    for name in ("evaluate", "powers"):
        plain = call(first, name)
        getattr(first, name).compile()
        getattr(second, name).compile()
        missed, hit = call(first, name), call(second, name)
        for a, b, c in zip(hit, missed, plain, strict=True):
            assert np.array_equal(a, b)
            assert np.allclose(b, c, rtol=1e-9, atol=1e-9 * max(1.0, np.abs(c).max(initial=0.0)))


def test_compiling_before_the_first_call_keeps_it_too(folder, monkeypatch):
    first = arm()
    first.evaluate.compile()
    before = call(first, "evaluate")
    assert len(list(folder.iterdir())) == 1
    second = arm()
    monkeypatch.setattr(Traced, "traced", lambda self: pytest.fail("it was on disk"))
    second.evaluate.compile()
    assert all(np.array_equal(a, b) for a, b in zip(call(second, "evaluate"), before, strict=True))


FUNCTIONS = [symengine.sin, symengine.cos, symengine.tan, symengine.atan, symengine.sinh, symengine.tanh, symengine.exp,
             symengine.Abs, symengine.sign, lambda a: symengine.log(1 + a**2), lambda a: symengine.sqrt(1 + a**2),
             lambda a: symengine.asin(symengine.sin(a)), lambda a: symengine.acos(symengine.cos(a)),
             lambda a: symengine.Piecewise((a, a < 1), (a**2, True)),
             lambda a: symengine.atan2(a, 2 + X**2)]  # fmt: skip
leaves = st.one_of(st.sampled_from([X, Y]), st.floats(-3, 3).map(symengine.RealDouble))
trees = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.tuples(st.sampled_from(FUNCTIONS), inner).map(lambda pair: pair[0](pair[1])),
        st.tuples(inner, inner).map(lambda pair: pair[0] + pair[1]),
        st.tuples(inner, inner).map(lambda pair: pair[0] * pair[1]),
        st.tuples(inner, st.integers(2, 4)).map(lambda pair: pair[0] ** pair[1]),
    ),
    max_leaves=12,
)


@settings(max_examples=CASES, derandomize="FLEXURA_CACHE_CASES" not in os.environ, database=None)
@given(st.lists(trees, min_size=1, max_size=5), st.floats(-2, 2), st.floats(-2, 2))
def test_whatever_the_grammar_can_write_comes_back_unchanged(written, x, y):
    made = Program([X, Y], {"f": written}).compiled("llvm")
    at = np.array([x, y])
    cache.save("0" * 64, made)
    found = cache.load("0" * 64)
    assert np.array_equal(found(at)[0], made(at)[0], equal_nan=True)


# -- the key --------------------------------------------------------------------------------------------------------


def test_the_same_system_has_the_same_key_and_any_change_another():
    last_bit = float(np.nextafter(20.0, 21.0))
    others = {
        "a value": arm({"EI": 21.0}),
        "its last bit": arm({"EI": last_bit}),
        "a body's, its last bit": arm({"I_hub": float(np.nextafter(0.3, 1))}),
        "an equation": arm(tie="0.4"),
        "the order": arm(order=5),
        "the functions": arm(basis={"w": ["x**2*(1 - x)**2"]}),
        "other functions": arm(basis={"w": ["x**2*(1 - x)**2*(1 + x/1000)"]}),
        "a property": arm(damping=0.1),
        "a number in a tree": arm(foundation=0.3 + 1e-16),
    }
    keys = [fingerprint(one.ritz.gathered) for one in (arm(), *others.values())]
    assert len(set(keys)) == len(keys)
    assert fingerprint(arm().ritz.gathered) == keys[0]


def test_numbers_in_trees_count_to_the_last_bit():
    q = fx.Coordinate("q")
    given = fx.Lagrangian(kinetic=q.t**2 / 2, potential=fx.sin(q))

    def made(stiffness: float) -> str:
        parts = {one.name: getattr(given, one.name, None) for one in fields(given)}
        energies = Lagrangian.of_parts(**{**parts, "potential": given.potential * symengine.RealDouble(stiffness)})
        return fingerprint(Gathered(Unknowns(energies, Numbers.of(energies, {}), 3, 1)))

    assert made(1 / 3) == made(1 / 3)
    assert made(1 / 3) != made(float(np.nextafter(1 / 3, 1)))


def test_the_key_holds_the_function_the_code_the_engine_and_the_processor(monkeypatch):
    keys = {cache.key("evaluate", "a"), cache.key("jacobians", "a"), cache.key("evaluate", "b")}
    told = cache._surroundings()
    assert symengine.__version__ in told
    assert sys.version in told
    for name, other in (("_processor", lambda: "another"), ("_CODE", ("discretise",))):
        monkeypatch.setattr(cache, name, other)
        cache._surroundings.cache_clear()
        keys.add(cache.key("evaluate", "a"))
        monkeypatch.undo()
    cache._surroundings.cache_clear()
    assert len(keys) == 5
    assert cache.key("evaluate", "a") in keys
    assert cache._file(Path(cache.__file__)) in told
    if sys.platform == "linux":
        assert len(cache._processor()) > 100


def test_nothing_is_kept_where_the_code_that_made_it_cannot_be_read(folder, monkeypatch):
    monkeypatch.setattr(cache, "_CODE", ())
    cache._surroundings.cache_clear()
    functions = arm()
    before = call(functions, "evaluate")
    functions.evaluate.compile()
    assert np.allclose(call(functions, "evaluate")[1], before[1], rtol=1e-12)
    assert not folder.exists()
    monkeypatch.undo()
    cache._surroundings.cache_clear()
    assert cache.key("evaluate") != ""


def test_a_file_that_is_written_again_is_another(tmp_path):
    path = tmp_path / "code.py"
    path.write_text("a = 1")
    first = cache._file(path)
    assert cache._file(path) == first
    os.utime(path, ns=(0, 1))
    assert cache._file(path) != first
    path.write_text("a = 11")
    os.utime(path, ns=(0, path.stat().st_mtime_ns))
    assert cache._file(path) != first


# -- what may go wrong on a disk ------------------------------------------------------------------------------------


@pytest.mark.parametrize("damage", ["cut", "turned", "foreign", "empty", "renamed"])
def test_a_damaged_or_foreign_file_is_ignored_and_written_again(folder, damage):
    one, other = "a" * 64, "b" * 64
    cache.save(one, compiled())
    path = folder / f"{one}.program"
    text = bytearray(path.read_bytes())
    text[-40] ^= 1
    new = {
        "cut": path.read_bytes()[:-100],
        "turned": bytes(text),
        "foreign": b"PK\x03\x04 something else",
        "empty": b"",
    }
    if damage == "renamed":
        cache.save(other, compiled(X + Y))
        path.write_bytes((folder / f"{other}.program").read_bytes())
    else:
        path.write_bytes(new[damage])
    assert cache.load(one) is None
    cache.save(one, compiled())
    found = cache.load(one)
    assert found(np.array([2.0, 0.5]))[0][0] == 2 * np.sin(0.5)


def test_a_folder_that_cannot_be_written_to_is_no_cache(folder, monkeypatch):
    def refuse(*given: Any, **more: Any) -> None:
        raise PermissionError("read-only")

    folder.mkdir(mode=0o500)
    monkeypatch.setattr(Path, "open", refuse)  # whoever runs as root may write anywhere
    functions = arm()
    before = call(functions, "evaluate")
    functions.evaluate.compile()
    assert np.allclose(call(functions, "evaluate")[0], before[0], rtol=1e-12)
    assert list(folder.iterdir()) == []


def test_a_folder_that_cannot_be_is_no_cache(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("FLEXURA_CACHE", str(tmp_path / "file" / "programs"))
    functions = arm()
    functions.evaluate.compile()
    M, f = functions.evaluate(0.0, *state(functions, "evaluate"))
    assert np.all(np.isfinite(M))
    assert np.all(np.isfinite(f))
    assert cache.load("a" * 64) is None


def test_a_full_disk_leaves_nothing_behind(folder, monkeypatch):
    def full(*paths: Any) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(os, "replace", full)
    made = compiled()
    assert cache.save("a" * 64, made) is made
    assert list(folder.iterdir()) == []


def test_off_is_off(folder, monkeypatch):
    monkeypatch.setenv("FLEXURA_CACHE", "off")
    assert cache.folder() is None
    functions = arm()
    call(functions, "evaluate")
    functions.evaluate.compile()
    assert cache.save("a" * 64, 1) == 1
    assert cache.load("a" * 64) is None
    assert not folder.exists()
    assert not Path("off").exists()


def test_without_the_variable_it_is_the_users_own_cache(monkeypatch):
    monkeypatch.delenv("FLEXURA_CACHE")
    found = cache.folder()
    assert found is not None
    assert "flexura" in found.parts
    assert found.is_relative_to(Path.home())


@pytest.mark.skipif(sys.platform == "win32", reason="rights are others there")
def test_a_folder_others_can_write_to_is_refused_until_the_advice_is_followed(folder):
    cache.save("a" * 64, 1)
    assert cache.load("a" * 64) == 1
    folder.chmod(0o777)
    with pytest.warns(UserWarning, match=r"not kept in .*others can write there; take that right .*\(chmod go-w\)"):
        assert cache.load("a" * 64) is None
    with pytest.warns(UserWarning, match="others can write"):
        cache.save("b" * 64, 2)
    assert len(list(folder.iterdir())) == 1
    subprocess.run(["chmod", "go-w", str(folder)], check=True)
    assert cache.load("a" * 64) == 1


def test_what_was_unused_for_longest_goes_and_nothing_that_is_not_ours(folder, monkeypatch):
    monkeypatch.setattr(cache, "LARGEST", 10_000)
    folder.mkdir(mode=0o700)
    cache._written.pop(folder, None)
    strange = [folder / name for name in ("notes.txt", "mine.program", "film.part", "c" * 64)]
    for path in strange:
        path.write_bytes(b"x" * 50_000)
    left = folder / f"{'d' * 64}.12-34.part"
    left.write_bytes(b"half")
    os.utime(left, (0, 0))
    names = [f"{i:064x}" for i in range(12)]
    for i, name in enumerate(names):
        cache.save(name, b"y" * 2000)
        if (path := folder / f"{name}.program").exists():
            os.utime(path, (1e9 + i, 1e9 + i))
        if i == 2:
            assert cache.load(names[0]) is not None  # used: it goes last
            os.utime(folder / f"{names[0]}.program", (2e9, 2e9))
    ours = {path.name[:64] for path in folder.glob("0*.program")}
    assert sum(path.stat().st_size for path in folder.glob("0*.program")) <= 10_000
    assert names[0] in ours
    assert names[-1] in ours
    assert names[1] not in ours
    assert not left.exists()
    assert all(path.stat().st_size == 50_000 for path in strange)


# -- processes --------------------------------------------------------------------------------------------------------

SCRIPT = """
    import numpy as np, symengine, sys, hashlib
    from flexura.discretisation import cache
    from flexura.discretisation.program import Program
    from flexura.symbolic.engine import Symbol
    x, y = Symbol("x"), Symbol("y")
    found = hashlib.sha256()
    for i in range(40):
        name = f"{i % 8:064x}"
        program = cache.load(name)
        if program is None or i % 3 == 0:
            trees = [symengine.sin((k + i % 8) * x) * y**k for k in range(30)]
            program = cache.save(name, Program([x, y], {"f": trees}).compiled("llvm"))
        found.update(program(np.array([0.3, 1.1]))[0].tobytes())
    print(found.hexdigest())
"""


def test_processes_at_once_read_and_write_the_same_programs(folder):
    command = [sys.executable, "-c", textwrap.dedent(SCRIPT)]
    runs = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    found = {run.communicate(timeout=120)[0] for run in runs}
    assert all(run.returncode == 0 for run in runs)
    assert len(found) == 1
    assert len(list(folder.iterdir())) == 8
    assert all(cache.load(path.stem) is not None for path in folder.iterdir())


def test_a_run_fills_it_and_the_next_one_takes_from_it(folder, monkeypatch):
    monkeypatch.setattr(system, "_BUILD", 0.0)  # as if compiling took no time
    hub, beam = fx.RigidBody("hub", m=0, I=0.3), fx.EulerBernoulliBeam("arm", EI=20.0, rho=0.5, length=1.0, field="w")
    parts = (fx.Revolute(fx.ground, hub, name="theta"), fx.Fixed(hub, beam.start), fx.Torque(hub, "tau"))
    equations, t = fx.derive(fx.Model(*parts)), np.linspace(0, 1, 201)
    first = fx.simulate(equations, t, inputs={"tau": "sin(9*t)"}, order=4)
    files = {path: path.stat().st_mtime_ns for path in folder.iterdir()}
    assert files
    time.sleep(0.01)
    second = fx.simulate(equations, t, inputs={"tau": "sin(9*t)"}, order=4)
    assert np.array_equal(second.place(beam, 1.0), first.place(beam, 1.0))
    assert any(path.stat().st_mtime_ns > old for path, old in files.items())
