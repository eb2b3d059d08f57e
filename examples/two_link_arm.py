"""A manipulator with two flexible links, motors and a payload (written in flexura/gallery/models.py).

Look at the motors: tau2 turns the lower link and turns the elbow back, so it enters the row of theta2 alone. The angle
theta2 is measured from the end section of the upper link, so its slope alpha1 stands beside theta2 in every sine and
cosine. With all deflections at zero the rows of the joints are those of the rigid arm in the textbooks.
"""

import sympy as sp

import flexura as fx
from flexura import gallery

model = gallery.two_link_arm()
equations = fx.derive(model)
print(equations)
print(str(fx.verify(equations)).splitlines()[0])

deflections = [*equations.lagrangian.fields, *(name for name in equations.coordinates if not name.startswith("theta"))]
rigid = {name: equations.ordinary[name] for name in ("theta1", "theta2")}
for name, row in rigid.items():
    for deflection in deflections:  # along the links, the axial one too, and at their ends
        row = row.replace(sp.Function(deflection), lambda *_: sp.S.Zero)
    rigid[name] = row.doit()
print("\nWith rigid links:")
for name, row in rigid.items():
    print(f"  {name}: {sp.sstr(sp.expand(row.lhs))} = {row.rhs}")
