"""Frames of beams that bend and stretch: an L clamped at both feet, and a portal with and without axial flexibility.

Look at the corner of the L: the stretching of one beam is the bending of the other (u of the top is -y of the column),
and each row of the corner balances an axial force against a shear force. Frames that hang on ground stay linear. The
portal is written in flexura/gallery/models.py; without EA its beam sways in one piece, with its whole mass rho l.
"""

import flexura as fx
from flexura import gallery

column = fx.EulerBernoulliBeam("column", EI="EI", rho="rho", length="h", EA="EA")
top = fx.EulerBernoulliBeam("top", EI="EI", rho="rho", length="l", EA="EA")
systems = {
    "An L-frame": fx.Model(
        fx.Fixed(fx.ground, column.start, angle="pi/2"),
        fx.Fixed(column.end, top.start, angle="-pi/2"),
        fx.Fixed(top.end, fx.ground),
        names={column.end: ("x_c", "y_c", "alpha")},
    ),
    "A portal": gallery.portal_frame(),
    "A portal whose members do not stretch": gallery.portal_frame(EA=None),
}
for title, model in systems.items():
    equations = fx.derive(model)
    print(f"{title}\n{equations}\n{str(fx.verify(equations)).splitlines()[0]}\n")
