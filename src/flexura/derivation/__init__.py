"""Routes from a Lagrangian to its equations of motion; each route is one file and shares only jets with the others.

A new route is a function `Lagrangian -> tuple[Row, ...]` and a line in `routes.py`.
"""
