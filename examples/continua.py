"""Five small systems of strings, shafts and beams, each with one thing to look at.

They are written in flexura/gallery/models.py, a few lines each. `flexura derive string-mid-mass --steps` shows the
eleven steps of any of them.
"""

import flexura as fx
from flexura import gallery

LOOK = {
    "base-excitation": "Inertia of the given motion loads the field, and Q_y is the force that shakes the base.",
    "stepped-shaft": "Each disc stands between the torques of its shafts; add the rows: nothing turns the whole.",
    "string-mid-mass": "The string is cut where the bead sits; the bead feels the jump of P w_x.",
    "three-span-beam": "Rows without inertia are the moment's continuity at the supports; the forces there drop out.",
    "hinged-beams": "The hinge shares the deflection y, so shear is continuous; there is no moment on either side.",
}
systems = {name: gallery.example(name) for name in LOOK}
for name, model in systems.items():
    equations = fx.derive(model)
    print(f"{gallery.title(name)}\n{LOOK[name]}\n{equations}\n{str(fx.verify(equations)).splitlines()[0]}\n")
