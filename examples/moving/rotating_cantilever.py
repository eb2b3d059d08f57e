"""A cantilever on a turning hub: 12-dof elements beside the exact solver on the symbolic model.

Look at flap and lag: both are stiffened by the centrifugal force, lag is softened by the rotation as well, and without
the axial force (geometric=False) lag would be lost at the speed of its own frequency.
"""

import flexura as fx

section = fx.Section(E=1e8, G=1e8, rho=1.0, A=1.0, Iy=1e-8, Iz=1e-8)  # EI = rho A = L = 1
blade = fx.BeamFrame([[0, 0, 0], [1, 0, 0]], [[0, 1]], section, supports={0: "all"}, shear=False).refined(24)


def exact(about, speed):
    """The first frequency of the symbolic model, which bends in the plane across `about`."""
    beam, hub = fx.EulerBernoulliBeam("beam", EI=1.0, rho=1.0, length=1.0), fx.RigidBody("hub", m=0, I=1.0)
    turning = fx.Revolute(fx.ground, hub, about=about, motion="Omega*t")
    return fx.modes(fx.derive(fx.Model(turning, fx.Fixed(hub, beam.start))), 1, values={"Omega": speed}).frequencies[0]


print("speed   lag: elements, exact      flap: elements, exact")
for speed in (0.0, 4.0, 8.0, 12.0):
    lag, flap = fx.whirl(blade, [speed], axis="z", count=2).eigenvalues[0].imag
    print(f"{speed:5.1f}  {lag:10.5f} {exact('z', speed):10.5f}   {flap:10.5f} {exact('y', speed):10.5f}")
print(f"stiffness is lost at {fx.critical_speed(blade, 'z', geometric=False):.4f} without the axial force")
