"""What small texts and long chains cost: OPENBLAS_NUM_THREADS=1 python bench/bench_texts.py

Processor time of one run each, to all rows: masses on slides from a file, chains of slides and of pendulums, functions
in functions, and a power at the limit of what the parser takes. tests/test_costs.py counts the calls.
"""

from __future__ import annotations

import time
from itertools import pairwise

from record import SHORT

import flexura as fx
from flexura.model.files.reading import model_of_text


def masses(n):
    parts = "".join(f'[parts.m{i}]\nkind = "Mass"\nm = {i + 1}\n' for i in range(n))
    joints = "".join(f'[[connections]]\nkind = "Slide"\nbetween = ["ground", "m{i}"]\n' for i in range(n))
    return fx.derive(model_of_text(parts + joints))


def slides(n):
    bodies = [fx.Mass(f"m{i}", m=f"m{i}") for i in range(n)]
    return fx.derive(fx.Model(*(fx.Slide(a, b) for a, b in pairwise([fx.ground, *bodies]))))


def pendulums(n):
    links = [fx.RigidBody(f"b{i}", m=f"m{i}", I=f"I{i}") for i in range(n)]
    ends = [fx.ground, *(one.at(1, 0) for one in links)]
    return fx.derive(fx.Model(*(fx.Revolute(a, b.at(-1, 0)) for a, b in zip(ends, links, strict=False)), fx.Gravity()))


def sines(n):
    q = fx.Coordinate("q")
    return fx.derive(fx.Lagrangian(kinetic=q.t**2 / 2, potential="sin(" * n + "q" + ")" * n))


def power(n):
    body = fx.Mass("m", m="m")
    return fx.derive(fx.Model(fx.Slide(fx.ground, body), fx.Spring(fx.ground, body, k=f"(a+b+c+d)**{n}")))


def main():
    """Print a line for each."""
    sizes = ((masses, 2000, 20_000), (slides, 100, 500), (pendulums, 20, 60), (sines, 20, 99), (power, 10, 28))
    for system, *counts in sizes:
        for n in (5,) if SHORT else counts:
            start = time.process_time()
            equations = system(n)
            rows = len(list(equations.derived))
            derived = time.process_time()
            printed = bool(str(equations)) if system in (sines, power) else False
            times = f"derive {derived - start:7.2f} s" + f"   print {time.process_time() - derived:6.2f} s" * (
                printed > 0
            )
            print(f"{system.__name__:10s} {n:6d}   {rows:6d} rows   {times}")


if __name__ == "__main__":
    main()
