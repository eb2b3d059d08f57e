"""Strings, rods, shafts and beams, free.

Files, in the order of the chapter:


"""
