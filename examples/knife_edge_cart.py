"""The cart of the notes with a slot and a knife edge: a constraint on rates that cannot be integrated.

Cart C moves along x at the speed v_C; particle A moves in its slot, across; a massless rod carries B, which slides
along the rod only. Look at the multiplier: it is the side force of the edge, it enters every row whose rate the
constraint holds, and so the force Q_X that keeps the cart at its speed has its share of it.
"""

import flexura as fx

cart, a, b = fx.Mass("C", m="M"), fx.Mass("A", m="m"), fx.Mass("B", m="m")
rod = fx.RigidBody("rod", m=0, I=0)
model = fx.Model(
    fx.Slide(fx.ground, cart, along="x", name="X", motion="v_C*t"),
    fx.Slide(cart, a, along="y", name="Y"),
    fx.Revolute(a, rod, name="theta"),
    fx.Fixed(rod.at("-L"), b),
    fx.Constraint("Y_t*cos(theta) - X_t*sin(theta) - L*theta_t"),
)
equations = fx.derive(model)
print(equations)
print(str(fx.verify(equations)).splitlines()[0])
