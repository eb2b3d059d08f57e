"""Vibration notes I.3.1, I.4.1, I.4.2 and I.4.4, and the pendulum in redundant coordinates: Lagrange's equations.

Look at relative coordinates: a force on the last mass reaches every coordinate that moves it (I.3.1: Q1 = f1 + f2 +
f3). In I.4.4 the first mass moves as prescribed; its row turns into Q_y, the force that makes it move so.
"""

import flexura as fx


def chain(start, *masses):
    """Masses in a row along x, joined by springs, each coordinate measured from the mass before."""
    parts, before = [], start
    for i, mass in enumerate(masses, 1):
        parts += [fx.Slide(before, mass, along="x", name=f"x{i}"), fx.Spring(before, mass, k=f"k{i}", along="x")]
        before = mass
    return parts


base, one, two, three = (fx.Mass(name, m=f"m{i}") for i, name in enumerate(("base", "one", "two", "three")))
bob, rail = fx.RigidBody("bob", m="m", I=0), fx.Mass("rail", m=0)
forces = [fx.Force(mass, f"f{i}", along="x") for i, mass in enumerate((one, two, three), 1)]

systems = {
    "I.3.1 three masses, relative coordinates": fx.Model(chain(fx.ground, one, two, three), forces),
    "I.4.1 a pendulum": fx.Model(fx.Revolute(fx.ground, bob.at(0, "L"), name="theta"), fx.Gravity("g")),
    "I.4.1 the same in x and y, tied by a constraint": fx.Model(
        fx.Slide(fx.ground, rail, along="x", name="x"), fx.Slide(rail, bob, along="-y", name="y"), fx.Gravity("g"),
        fx.Constraint("x**2 + y**2 - L**2")),
    "I.4.2 two masses and two forces": fx.Model(chain(fx.ground, one, two), forces[:2]),
    "I.4.4 two masses on a moving one": fx.Model(
        fx.Slide(fx.ground, base, along="x", name="y", motion="y0*sin(Omega*t)"), chain(base, one, two)),
}  # fmt: skip
for title, model in systems.items():
    equations = fx.derive(model)
    print(f"{title}\n{equations}\n{str(fx.verify(equations)).splitlines()[0]}\n")
