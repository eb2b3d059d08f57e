"""Quantities, places, jets and total derivatives: the algebra everything else is written in.

Expressions are symengine trees; SymPy appears only in `sympy_form`, the door to the outside. A new kind of atom
(something a user can name in an expression) is a `Declaration` in `expression.py`.
"""
