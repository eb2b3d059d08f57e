"""Helpers of `fx.modes`, `fx.campbell` and `fx.whirl`: roots of matrices, and branches of them."""
