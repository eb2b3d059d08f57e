"""Steps in time: what a run leaves behind (`trajectory.py`) and the ways to step, one a file.

Everything here takes matrices or right-hand sides and gives arrays; what they mean is known above.
"""
