"""Responses to harmonic, sudden, periodic and random loads.

Files, in the order of the chapter:


"""
