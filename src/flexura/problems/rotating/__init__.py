"""Whirling shafts, spinning bodies, blades.

Files, in the order of the chapter:


"""
