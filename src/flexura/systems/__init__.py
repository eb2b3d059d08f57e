"""Matrices and right-hand sides: numbers, no physics. Whatever ends in matrices (discretise, moving, operating) speaks
through `second_order.py`; a new file format of matrices is one file here.
"""
