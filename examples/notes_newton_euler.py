"""Vibration notes I.1.1, I.1.2, I.1.3 and I.2.1: rigid systems whose answers the notes derive by hand.

Look at I.1.1, where the multiplier is the friction that keeps the cylinder rolling, and at I.1.2, where three choices
of coordinates give three sets of equations and `fx.equivalent` says that they are one.
"""

import flexura as fx

rail, cylinder = fx.RigidBody("rail", m=0, I=0), fx.RigidBody("cylinder", m="M", I="M*r**2/2")
one, two = fx.Mass("one", m="m"), fx.Mass("two", m="m")
pairs = ((fx.ground, one), (one, two), (two, fx.ground))
links = [part for p, q in pairs for part in (fx.Spring(p, q, k="k", along="x"), fx.Damper(p, q, c="c", along="x"))]
push = fx.Force(two, "f", along="x")
cart, bar = fx.Mass("A", m="m"), fx.RigidBody("bar", m="M", I="M*L**2/12")
hung = bar.at(0, "L/2")  # the bar hangs down, its mass centre L/2 below

systems = {
    "I.1.1 a cylinder rolls down an incline (x points down it)": fx.Model(
        fx.Slide(fx.ground, rail, along="x", name="x"), fx.Revolute(rail, cylinder, name="phi"),
        fx.Constraint("x_t + r*phi_t"), fx.Spring(fx.ground, cylinder, k="k", along="x"),
        fx.Gravity("g*sin(theta)", along="x")),
    "I.1.2 a) both from fixed points": fx.Model(
        fx.Slide(fx.ground, one, along="x", name="x1"), fx.Slide(fx.ground, two, along="x", name="x2"), links, push),
    "I.1.2 b) the second to the left": fx.Model(
        fx.Slide(fx.ground, one, along="x", name="y1"), fx.Slide(fx.ground, two, along="-x", name="y2"), links, push),
    "I.1.2 c) the second from the first": fx.Model(
        fx.Slide(fx.ground, one, along="x", name="z1"), fx.Slide(one, two, along="x", name="z2"), links, push),
    "I.1.3 a cart with a pinned bar": fx.Model(
        fx.Slide(fx.ground, cart, along="x", name="x"), fx.Revolute(cart, hung, name="theta"), fx.Gravity("g"),
        fx.Spring(fx.ground, cart, k="k", along="x"), fx.Damper(fx.ground, cart, c="c", along="x")),
    "I.2.1 a bar pinned to ground": fx.Model(fx.Revolute(fx.ground, hung, name="theta"), fx.Gravity("g")),
}  # fmt: skip
for title, model in systems.items():
    equations = fx.derive(model)
    print(f"{title}\n{equations}\n{str(fx.verify(equations)).splitlines()[0]}\n")
a, b, c = (fx.derive(model) for title, model in systems.items() if title.startswith("I.1.2"))
print("I.1.2 a) and b):", fx.equivalent(a, b, where={"x1": "y1", "x2": "-y2"}))
print("I.1.2 a) and c):", fx.equivalent(a, c, where={"x1": "z1", "x2": "z1 + z2"}))
