"""Processor time of exact answers after the derivation: OPENBLAS_NUM_THREADS=1 python bench/bench_exact.py"""

from __future__ import annotations

import math
import time

import numpy as np

import flexura as fx
from flexura.analyse.frequency_response import frequency_response
from flexura.analyse.modes import modes
from flexura.derive.linearise import linearise

VALUES = {"m_a": 3, "m_b": 2, "m_c": 1.5, "I_c": 0.02, "rho": 1.2, "l": 1.3, "EI": 50, "K1": 800, "K2": 600, "K3": 400}


def example_one():
    a, b, c = fx.RigidBody("a", m="m_a", I=0), fx.RigidBody("b", m="m_b", I=0), fx.RigidBody("c", m="m_c", I="I_c")
    beam = fx.EulerBernoulliBeam("beam", EI="EI", rho="rho", length="l", field="q3")
    parts = [
        fx.Slide(fx.ground, a, name="q1"),
        fx.Slide(a, b, name="q2"),
        fx.Fixed(b, beam.start),
        fx.Fixed(beam.end, c),
    ]
    parts += [fx.Spring(fx.ground, a, k="K1"), fx.Spring(a, b, k="K2"), fx.Damper(a, b, c="b")]
    parts += [fx.Spring(c, fx.ground, k="K3")]
    return fx.derive(fx.Model(*parts, measured_from={beam: a}, names={beam.end: ("q4", "q5")}))


def zigzag(members=10):
    """Members welded end to end at alternating angles, bending and stretching."""
    parts, last = [], fx.ground
    for i in range(members):
        one = fx.EulerBernoulliBeam(f"b{i}", EI=2.0, rho=1.0, length=1.0, EA=500.0)
        parts.append(fx.Fixed(last, one.start, angle=math.pi / 3 * (-1) ** i))
        last = one.end
    return linearise(fx.derive(fx.Model(*parts, fx.Force(last, "F"))))


def timed(label, work, repeat=5):
    best = min(_once(work) for _ in range(repeat))
    print(f"{label:60s} {1e3 * best:9.1f} ms")


def _once(work):
    start = time.process_time()
    work()
    return time.process_time() - start


def main():
    one = example_one()
    timed("8 modes of Example One", lambda: modes(one, 8, values={**VALUES, "b": 0}))
    timed("8 damped modes of Example One", lambda: modes(one, 8, values={**VALUES, "b": 4}))
    omega = np.linspace(0.5, 300, 10_000)
    timed(
        "10,000 points of Example One, damped", lambda: frequency_response(one, omega, "q1", "q4", {**VALUES, "b": 4})
    )
    frame = zigzag()
    timed("10 modes of a ten-member frame", lambda: modes(frame, 10), 2)
    output = frame.coordinates[0]
    timed("10,000 points of a ten-member frame", lambda: frequency_response(frame, omega, "F", output), 2)
    b = fx.EulerBernoulliBeam("b", EI=1.0, rho=1.0, length=1.0)
    cantilever = fx.derive(fx.Model(fx.Fixed(fx.ground, b.start)))
    timed("300 modes of a cantilever", lambda: modes(cantilever, 300), 1)


if __name__ == "__main__":
    main()
