"""A slider-crank with a flexible connecting rod (written in flexura/gallery/models.py): a loop.

Crank, rod and slider each have their joint's coordinate; the joint listed last, the pin at the slider, closes the loop.
Look at the constraints: the two places meet exactly, at any angle, with the rod's deflection y in them; the multipliers
lambda_pin_x and lambda_pin_y are the force of the pin on the slider, along ground's axes.
"""

import flexura as fx
from flexura import gallery

model = gallery.slider_crank()
equations = fx.derive(model)
print(equations)
print(str(fx.verify(equations)).splitlines()[0])

print("\nThe pin closes the loop:")
for condition in equations.constraints:
    print(f"  {condition.lhs.simplify()} = {condition.rhs}")
