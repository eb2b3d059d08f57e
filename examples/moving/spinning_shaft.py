"""A shaft with two discs on two bearings: forward and backward whirl against speed, and a picture of the chart.

Look at how the discs split each pair of frequencies as the speed grows, and where forward whirl meets the speed itself:
that is the critical speed, and it comes from one eigenvalue problem.
"""

from pathlib import Path

import numpy as np

import flexura as fx

radius, length = 0.02, 0.8
area, second = np.pi * radius**2, np.pi * radius**4 / 4
section = fx.Section(E="210 GPa", G="81 GPa", rho=7800.0, A=area, Iy=second, Iz=second)
x = np.linspace(0, length, 9)


def disc(m, r):
    return m, (m * r**2 / 2, m * r**2 / 4, m * r**2 / 4)


shaft = fx.BeamFrame(
    np.column_stack([x, 0 * x, 0 * x]), [[k, k + 1] for k in range(8)], section, supports={0: "u alpha"},
    bodies={2: disc(12.0, 0.12), 7: disc(20.0, 0.16)}, springs={0: {"v": 2e7, "w": 2e7}, 8: {"v": 5e6, "w": 5e6}},
)  # fmt: skip
chart = fx.whirl(shaft, np.linspace(20, 1000, 15), count=10)
print("speed (rad/s)   forward            backward")
for k in range(0, 15, 2):
    print(f"{chart.speeds[k]:10.0f}   {chart.forward(k)[:2].round(1)}   {chart.backward(k)[:2].round(1)}")
print(f"critical speed: {fx.critical_speed(shaft):.1f} rad/s")
out = Path("out")
out.mkdir(exist_ok=True)
fx.plot(chart, out / "whirl.png")
