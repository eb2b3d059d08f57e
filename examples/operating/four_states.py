"""The four steady states of a free block: pushed, dragged, spun, and turned against friction.

Look at what each state reports besides the deformation: the motion that goes with it, what bearings carry, and the
speed at which a spinning block would lose its stiffness.
"""

import numpy as np
import scipy.sparse as sparse
from free_plate import plate

import flexura as fx


def main():
    block = plate(8, 5, 3, size=(1.0, 0.6, 0.3), E=1e7, rho=1000.0)
    x, y = block.nodes[:, 0], block.nodes[:, 1]
    push = np.zeros((len(x), 3))
    push[x == 0, 0] = 50.0
    print(fx.operating_state(block, push.ravel()), end="\n\n")

    drag = sparse.csr_array(sparse.diags_array(np.repeat(0.5 + y, 3)))  # more friction on one side
    even = block.with_(D=0.2 * block.M)
    print(fx.operating_state(even, push.ravel(), kind="velocity"), end="\n\n")

    print(fx.operating_state(block, None, kind="rotation", axis="z", speed=20.0), end="\n\n")

    turn = np.zeros((len(x), 3))
    turn[x == 0, 1], turn[x == 1.0, 1] = -1.0, 1.0
    print(fx.operating_state(block.with_(D=drag), turn.ravel(), kind="torque", axis="z"))


if __name__ == "__main__":
    main()
