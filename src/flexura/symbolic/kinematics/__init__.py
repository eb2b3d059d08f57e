"""Vectors, rotations and moving frames: absolute velocities, written in the frame that carries them.

`vectors.py` is the algebra, `frames.py` the tree of frames, `motion.py` what the routes that need velocities read.

Files:

    axes         Directions as users write them: "x", "-y", or a vector
    curves       Curves that lie at rest: how far their tangent has turned about one axis, and where their points lie
    geometry     Where everything is: each body and each line of particles seen from ground, and what joins them
    motion       What moves, how fast, and what acts on it: all that Kane's and Newton's routes read
    quaternions  Rotations by quaternions e = (e0, e1, e2, e3): they turn as far as they like, and interpolate without a
                 chart
    vectors      Vectors and rotations with symbolic components: small tuples, nothing more
"""
