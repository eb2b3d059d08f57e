"""Constraints, contact, friction and control.

Files, in the order of the chapter:


"""
