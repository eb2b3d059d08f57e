"""Vectors, rotations and moving frames: absolute velocities, written in the frame that carries them.

`vectors.py` is the algebra, `frames.py` the tree of frames, `motion.py` what the routes that need velocities read.

Files:

    axes      Directions as users write them: "x", "-y", or a vector
    geometry  Where everything is: each body and each line of particles seen from ground, and what joins them
    motion    What moves, how fast, and what acts on it: all that Kane's and Newton's routes read
    vectors   Vectors and rotations with symbolic components: small tuples, nothing more
"""
