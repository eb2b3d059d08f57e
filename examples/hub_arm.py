"""A hub turned by a torque, a flexible arm, and a payload whose mass centre lies d beyond the arm's end.

Look at the field equation: -rho theta_t^2 w softens the arm, and the pull of everything outboard stiffens it, because a
bent arm is shorter. Without that foreshortening only the softening is left: the classical error of rotating beams.
"""

import flexura as fx

hub, payload = fx.RigidBody("hub", m="M", I="J"), fx.RigidBody("payload", m="m", I="I")
arm = fx.EulerBernoulliBeam("arm", EI="EI", rho="rho", length="l", field="w")
parts = (
    fx.Revolute(fx.ground, hub, name="theta"),
    fx.Fixed(hub.at("r"), arm.start),
    fx.Fixed(arm.end, payload.at("-d")),
    fx.Torque(hub, "tau"),
)
names = {arm.end: ("y", "alpha")}
model = fx.Model(*parts, names=names)
equations = fx.derive(model)
print(equations)
print(str(fx.verify(equations)).splitlines()[0])

stiff = equations.partial["w"]
soft = fx.derive(fx.Model(*parts, names=names, foreshortening=False)).partial["w"]
print("\nWhat foreshortening adds to the field equation:")
print(((stiff.lhs - stiff.rhs) - (soft.lhs - soft.rhs)).factor())
