"""A two-link arm with flexible links and motors, moved by torques, its path of the payload printed.

Look at the bodies at the joints: a motor's inertia is what keeps the motion of a joint apart from the bending at it.
"""

import numpy as np

import flexura as fx

shoulder, elbow = fx.RigidBody("shoulder", m=1, I=0.05), fx.RigidBody("elbow", m=0.5, I=0.01)
rotor, payload = fx.RigidBody("rotor", m=0.2, I=0.02), fx.RigidBody("payload", m=0.3, I=0.005)
upper = fx.EulerBernoulliBeam("upper", EI=60.0, rho=0.6, length=0.8, field="w1")
lower = fx.EulerBernoulliBeam("lower", EI=30.0, rho=0.4, length=0.7, field="w2")
joints = (fx.Revolute(fx.ground, shoulder, name="theta1"), fx.Revolute(elbow, rotor, name="theta2"))
welds = (fx.Fixed(shoulder, upper.start), fx.Fixed(upper.end, elbow), fx.Fixed(rotor, lower.start))
motors = (fx.Torque(shoulder, "tau1"), fx.Torque(rotor, "tau2", reaction=elbow))
equations = fx.derive(fx.Model(*joints, *welds, fx.Fixed(lower.end, payload), *motors))
print(equations)
print(str(fx.verify(equations)).splitlines()[0])

run = fx.simulate(equations, np.linspace(0, 1, 101), inputs={"tau1": "3*sin(pi*t)", "tau2": "-sin(2*pi*t)"})
for t, (x, y, _) in zip(run.t[::20], run.position(lower.end)[::20], strict=True):
    print(f"t = {t:.1f} s: payload at {x:8.5f}, {y:8.5f} m")
print(f"energy balance closed to {run.energy.error:.0e}; {run.notes[-1]}")
