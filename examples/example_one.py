"""Example One of the memo, by parts: three masses, two springs in between, and a loaded beam.

Look at the q1 row: the beam is measured from a, so its inertia and its load f(x) reach a through integrals, while the
boundary loads go to q2, q4 and q5. The same system written as energies gives the same equations, to a symbolic zero.
"""

from pathlib import Path

import flexura as fx
from flexura import gallery

a, b, c = fx.RigidBody("a", m="m_a", I=0), fx.RigidBody("b", m="m_b", I=0), fx.RigidBody("c", m="m_c", I="I_c")
beam = fx.EulerBernoulliBeam("beam", EI="EI", rho="rho", length="l", field="q3")
model = fx.Model(
    fx.Slide(fx.ground, a, name="q1"), fx.Slide(a, b, name="q2"),
    fx.Fixed(b, beam.start), fx.Fixed(beam.end, c),
    fx.Spring(fx.ground, a, k="K1"), fx.Spring(a, b, k="K2"), fx.Damper(a, b, c="b"), fx.Spring(c, fx.ground, k="K3"),
    fx.DistributedForce(beam, "f(x)"),
    measured_from={beam: a}, names={beam.end: ("q4", "q5")},
)  # fmt: skip

equations = fx.derive(model)
certificate = fx.verify(equations)
print(f"{equations}\n\n{certificate}\n")

energies = fx.derive(gallery.example("example-one"))
print(f"By parts and by energies: {fx.equivalent(energies, equations)}\n")

out = Path("out")
out.mkdir(exist_ok=True)
for path in (out / "example_one.html", out / "example_one.tex"):
    fx.report(equations, str(path))
    print(f"Written: {path}")
