"""Rayleigh, Ritz, Dunkerley, finite elements, slopes and perturbations.

Files, in the order of the chapter:


"""
