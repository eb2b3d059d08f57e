"""A ball rolls in the bottom of a bowl.

A solid ball of radius r rolls without slip near the bottom of a round trough of radius R. How fast does it oscillate?

Source: closed form omega^2 = 5 g / (7 (R - r)); S. Timoshenko, D. H. Young, W. Weaver, Vibration Problems in
Engineering, 4th edition, section 1.4 has the same for a cylinder, with 2/3 in place of 5/7.
"""

import numpy as np

import flexura as fx

R, r, m = 1.2, 0.15, 0.7
arm, ball = fx.RigidBody("arm", m=0, I=0), fx.RigidBody("ball", m=m, I=0.4 * m * r**2)
swing = fx.Revolute(fx.ground, arm, name="phi")
spin = fx.Revolute(arm.at(0, -(R - r)), ball, name="psi")
# Without slip the ball turns by -(R - r)/r phi in all, so -R/r phi against the line of centres.
model = fx.Model(swing, spin, fx.Gear(spin, swing, ratio=-R / r), fx.Gravity())
answer = {"omega (rad/s)": fx.modes(model, 1).frequencies[0]}
known = {"omega (rad/s)": np.sqrt(5 * 9.81 / (7 * (R - r)))}
