"""What users assemble besides members: bodies, connections, springs and dampers, loads.

Each part is frozen data that checks itself; what it means for the motion is decided in `model/`. A new part is one
class here and one rule there.
"""
