"""Vectors, rotations and moving frames: absolute velocities, written in the frame that carries them.

`vectors.py` is the algebra, `frames.py` the tree of frames, `motion.py` what the routes that need velocities read.
"""
