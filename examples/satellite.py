"""A satellite in the plane: a hub that floats, with two flexible panels (written in flexura/gallery/models.py).

Look at the rows of X and Y: nothing acts on the satellite, so they are the rates of change of its momentum, hub and
panels together. The second panel points the other way: its row has the signs of X and Y turned, those of theta kept.
With the panels at rest in the hub's axes, what is left is one rigid body.
"""

import sympy as sp

import flexura as fx
from flexura import gallery

model = gallery.satellite()
equations = fx.derive(model)
print(equations)
print(str(fx.verify(equations)).splitlines()[0])

x, t = sp.symbols("x t")
print("\nWith rigid panels:")
for name, row in equations.ordinary.items():
    rigid = row.subs({sp.Function(field)(x, t): 0 for field in equations.fields}).doit()
    print(f"  {name}: {sp.factor(rigid.lhs)} = 0")
