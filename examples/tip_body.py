"""A cantilever that carries a body at its end, the mass centre a distance d beyond the beam's end.

Look at the two rows of the end: the terms m d couple deflection and slope, and I + m d^2 is the inertia about the end.
A particle in the body's place has no rotation, so the row of the slope turns into a natural condition: no moment.
"""

import flexura as fx

beam = fx.EulerBernoulliBeam("beam", EI="EI", rho="rho", length="l", field="w")
body, particle = fx.RigidBody("body", m="m", I="I"), fx.Mass("particle", m="m")
clamp = fx.Fixed(fx.ground, beam.start)

model = fx.Model(clamp, fx.Fixed(beam.end, body.at("-d")), names={beam.end: ("y", "alpha")})
light = fx.Model(clamp, fx.Fixed(beam.end, particle), names={beam.end: "y"})
for title, system in (("A body at the tip", model), ("A particle at the tip", light)):
    equations = fx.derive(system)
    print(f"{title}\n{equations}\n{str(fx.verify(equations)).splitlines()[0]}\n")
