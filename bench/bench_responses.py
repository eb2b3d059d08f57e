"""Responses and ways out: exported C beside ours, an FMU's step beside plain C, random responses beside simulation, and
gradients by all parameters beside one answer, in one run.

    OPENBLAS_NUM_THREADS=1 python bench/bench_responses.py

Processor time, best of several rounds, from Python on both sides. The plain C is Dormand's and Prince's method to 1e-10
around the exported file, written here. Code is what stands on disk: a shared library, and our kept program.
"""

from __future__ import annotations

import ctypes
import importlib.util
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from record import SHORT, compared

FOLDER = Path(tempfile.mkdtemp())
os.environ["FLEXURA_CACHE"] = str(FOLDER / "kept")

import flexura as fx  # noqa: E402  # after the folder of its programs is chosen

COMPILER = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
PLAIN = """
#include <math.h>
#include <string.h>
#include "machine.c"
#define N %d
static void rates(double t, const double *x, const double *u, const double *p, double *dx)
{
    double lambda[1];
    memcpy(dx, x + N, N * sizeof(double));
    machine_accelerations(t, x, x + N, u, p, 0.0, dx + N, lambda);
}
int plain_move(double t, double end, double *x, const double *u, const double *p, double *h)
{
    static const double A[7][6] = {{0}, {1./5}, {3./40, 9./40}, {44./45, -56./15, 32./9},
        {19372./6561, -25360./2187, 64448./6561, -212./729}, {9017./3168, -355./33, 46732./5247, 49./176, -5103./18656},
        {35./384, 0, 500./1113, 125./192, -2187./6784, 11./84}};
    static const double C[7] = {0, 1./5, 3./10, 4./5, 8./9, 1, 1};
    static const double E[7] = {71./57600, 0, -71./16695, 71./1920, -17253./339200, 22./525, -1./40};
    double k[7][2 * N], y[2 * N];
    int count = 0;
    rates(t, x, u, p, k[0]);
    while (t < end) {
        double step = t + *h > end ? end - t : *h, error = 0;
        for (int s = 1; s < 7; s++) {
            for (int i = 0; i < 2 * N; i++) {
                double sum = 0;
                for (int j = 0; j < s; j++) sum += A[s][j] * k[j][i];
                y[i] = x[i] + step * sum;
            }
            rates(t + C[s] * step, y, u, p, k[s]);
        }
        for (int i = 0; i < 2 * N; i++) {
            double sum = 0;
            for (int s = 0; s < 7; s++) sum += E[s] * k[s][i];
            double size = 1e-10 * (1e-2 + fmax(fabs(x[i]), fabs(y[i])));
            error = fmax(error, fabs(step * sum) / size);
        }
        if (error <= 1) { t += step; memcpy(x, y, sizeof y); memcpy(k[0], k[6], sizeof y); count++; }
        double factor = 0.9 * pow(fmax(error, 1e-10), -0.2);
        if (step == *h || error > 1) *h = step * fmin(5, fmax(0.2, factor));
    }
    return count;
}
"""


def seconds(call: Callable[[], object], times: int = 1, rounds: int = 5) -> float:
    """For one call, the best of several rounds."""
    best = np.inf
    times, rounds = (1, 1) if SHORT else (times, rounds)
    for _ in range(rounds):
        start = time.process_time()
        for _ in range(times):
            call()
        best = min(best, (time.process_time() - start) / times)
    return best


def pendulum(links: int) -> fx.Model:
    """A chain of hinged bars, its first one driven."""
    bars = [fx.RigidBody(f"b{i}", m=1.0 + 0.1 * i, I=0.1) for i in range(links)]
    joints = [fx.Revolute(fx.ground, bars[0].at(0, 0.5), name="th0")]
    joints += [fx.Revolute(bars[i].at(0, -0.5), bars[i + 1].at(0, 0.5), name=f"th{i + 1}") for i in range(links - 1)]
    return fx.Model(*joints, fx.Gravity(), fx.Torque(bars[0], "T"))


def pointer(values: Any) -> Any:
    """An array as C takes it."""
    return values.ctypes.data_as(ctypes.POINTER(ctypes.c_double))


def library(source: Path) -> ctypes.CDLL:
    """A compiled C file."""
    made = source.with_suffix(".so")
    subprocess.run([str(COMPILER), "-O2", "-std=c99", "-shared", "-fPIC", "-o", made, source, "-lm"], check=True)
    return ctypes.CDLL(str(made))


def kept() -> int:
    """Bytes of the programs that are kept so far."""
    return sum(one.stat().st_size for one in (FOLDER / "kept").rglob("*") if one.is_file())


def exported_code(links: int) -> None:
    """Mass matrix and forces of a pendulum: our program, and the exported C."""
    equations = fx.derive(pendulum(links))
    (FOLDER / str(links)).mkdir()
    before, source = kept(), fx.export(equations, FOLDER / str(links) / "machine.c")
    compiled, system = library(source), fx.discretise(equations)
    n = system.n
    q, v, u = np.linspace(0.1, 0.4, n), np.linspace(-0.2, 0.3, n), np.array([0.5])
    count = 1000
    for _ in range(count):  # what is called often is compiled
        M, f = system.evaluate(0.0, q, v, u)
    M, f = M.copy(), f.copy()
    known = equations.values
    p = np.array((ctypes.c_double * len(known)).in_dll(compiled, "machine_parameters"))
    other, g = np.zeros((n, n)), np.zeros(n)
    given = [ctypes.c_double(0.0), *map(pointer, (q, v, u, p, other, g))]
    theirs = seconds(lambda: compiled.machine_system(*given), count)
    ours = seconds(lambda: system.evaluate(0.0, q, v, u), count)
    assert np.allclose(M, other, rtol=1e-11)
    assert np.allclose(f, g, rtol=1e-10, atol=1e-10)
    print(f"{links}-link pendulum, M and f: ours {ours * 1e6:.1f} us, exported C {theirs * 1e6:.1f} us,", end=" ")
    print(f"C is faster {compared(f'{links} links, ours over C', ours / theirs)}")
    size = source.with_suffix(".so").stat().st_size
    print(f"  code on disk: ours {(kept() - before) / 1e3:.0f} kB, C {size / 1e3:.0f} kB")


def fmu_step(links: int) -> None:
    """A communication step of 10 ms: fmpy on the FMU, and plain C called the same way."""
    from fmpy import extract, read_model_description
    from fmpy.fmi2 import FMU2Slave

    equations = fx.derive(pendulum(links))
    fx.export(equations, FOLDER / "machine.c")
    plain = FOLDER / "plain.c"
    plain.write_text(PLAIN % links)
    compiled = library(plain)
    steps, h = (5, 0.01) if SHORT else (200, 0.01)
    p = np.array((ctypes.c_double * len(equations.values)).in_dll(compiled, "machine_parameters"))
    x, u, size = np.zeros(2 * links), np.array([2.0]), np.array([1e-3])
    given = [*map(pointer, (x, u, p, size))]

    def by_c() -> None:
        x[:] = 0.0
        for i in range(steps):
            compiled.plain_move(ctypes.c_double(i * h), ctypes.c_double((i + 1) * h), *given)

    path = fx.export(equations, FOLDER / "machine.fmu")
    folder, described = extract(str(path)), read_model_description(str(path))
    references = {one.name: one.valueReference for one in described.modelVariables}
    unit = FMU2Slave(
        guid=described.guid, unzipDirectory=folder, modelIdentifier=described.coSimulation.modelIdentifier,
        instanceName="one",
    )  # fmt: skip
    unit.instantiate()

    def by_fmu() -> None:
        unit.reset()
        unit.setupExperiment(startTime=0.0)
        unit.enterInitializationMode()
        unit.setReal([references["T"]], [2.0])
        unit.exitInitializationMode()
        for i in range(steps):
            unit.doStep(i * h, h)

    first, second = seconds(by_c, rounds=3) / steps, seconds(by_fmu, rounds=3) / steps
    end = unit.getReal([references["th0"]])[0]
    assert abs(end - x[0]) < 1e-7, (end, x[0])
    unit.terminate()
    unit.freeInstance()
    shutil.rmtree(folder)
    print(f"a step of 10 ms of {links} links: FMU {second * 1e6:.0f} us, plain C {first * 1e6:.0f} us,", end=" ")
    print(f"C over FMU {compared(f'{links} links, plain C over FMU', first / second)}")


def cantilever() -> tuple[fx.Equations, Any]:
    """A damped beam with names, and its tip."""
    beam = fx.EulerBernoulliBeam(
        "b", EI=("EI", 50.0), rho=("rho", 1.2), length=("l", 1.0), internal_damping=("eta", 2e-3)
    )
    tip = fx.Mass("tip", m=("m", 0.2))
    parts = fx.Fixed(fx.ground, beam.start), fx.Fixed(beam.end, tip), fx.Force(tip, "F")
    return fx.derive(fx.Model(*parts)), tip


def random_and_simulated() -> None:
    """The rms of a tip under white noise: over the band, and by a run long enough to know it to a few percent."""
    equations, tip = cantilever()
    dt, span = 2e-3, 2.0 if SHORT else 1000.0
    t = np.arange(0, span, dt)
    noise = np.random.default_rng(0).normal(size=len(t)) * np.sqrt(np.pi / dt)  # one-sided density 1 per rad/s
    exact = fx.random_response(equations, 1.0, "F", fx.Motion(tip), [0.0, np.pi / dt])
    run = fx.simulate(equations, t, inputs={"F": noise}, order=6)
    seen = float(np.std(run[fx.Motion(tip)][len(t) // 10 :]))
    first = seconds(lambda: fx.random_response(equations, 1.0, "F", fx.Motion(tip), [0.0, np.pi / dt]), rounds=3)
    second = seconds(lambda: fx.simulate(equations, t, inputs={"F": noise}, order=6), rounds=1)
    print(
        f"rms of a tip: {float(exact.rms):.5f} in {first:.3f} s, by a run of {span:g} s {seen:.5f} in {second:.2f} s,",
        end=" ",
    )
    print(compared("random response over simulation", second / first))


def gradients() -> None:
    """By all parameters, beside the answer they are the gradients of."""
    equations, tip = cantilever()
    omega, t = np.linspace(1.0, 60.0, 200), np.linspace(0.0, 1.0, 51)
    asked = {"load": "F", "output": fx.Motion(tip)}
    moved = {"inputs": {"F": "sin(20*t)"}}
    kinds = {
        "frequencies": (lambda: fx.modes(equations, 4), lambda: fx.sensitivity(equations, count=4)),
        "response": (
            lambda: fx.frequency_response(equations, omega, **asked),
            lambda: fx.sensitivity(equations, omega=omega, **asked),
        ),
        "run": (
            lambda: fx.simulate(equations, t, **moved)[fx.Motion(tip)],
            lambda: fx.sensitivity(equations, t=t, output=fx.Motion(tip), **moved),
        ),
    }
    for kind, (answer, gradient) in kinds.items():
        for call in (answer, gradient):
            call()
        first, second = seconds(answer, rounds=3), seconds(gradient, rounds=3)
        told = compared(f"{kind}, answer over gradient by 5 parameters", first / second)
        print(
            f"{kind}: {first * 1e3:.1f} ms, by all 5 parameters {second * 1e3:.1f} ms: {second / first:.1f} answers,",
            told,
        )


if __name__ == "__main__":
    if COMPILER is None:
        print("no C compiler is found here: the exported C is left out")
    else:
        for links in (2,) if SHORT else (2, 8):
            exported_code(links)
        if importlib.util.find_spec("fmpy"):
            fmu_step(2 if SHORT else 4)
        else:
            print("fmpy is not installed: the FMU is left out")
    random_and_simulated()
    gradients()
    shutil.rmtree(FOLDER)
