"""Polynomials by their coefficients, from the lowest power."""

from __future__ import annotations

from flexura.derivation.prove.program import Number
from flexura.derivation.prove.vectors import ZERO

Polynomial = tuple[Number, ...]


def at(polynomial: Polynomial, x: Number) -> Number:
    """The value at x."""
    total = ZERO
    for one in reversed(polynomial):
        total = total * x + one
    return total


def derived(polynomial: Polynomial) -> Polynomial:
    """The derivative."""
    return tuple(i * one for i, one in enumerate(polynomial))[1:] or (ZERO,)


def summed(a: Polynomial, b: Polynomial) -> Polynomial:
    """The sum."""
    long, short = (a, b) if len(a) >= len(b) else (b, a)
    return tuple(one + (short[i] if i < len(short) else ZERO) for i, one in enumerate(long))


def multiplied(a: Polynomial, b: Polynomial) -> Polynomial:
    """The product."""
    found = [ZERO] * (len(a) + len(b) - 1)
    for i, one in enumerate(a):
        for j, other in enumerate(b):
            found[i + j] += one * other
    return tuple(found)


def integrated(polynomial: Polynomial, start: Number, end: Number) -> Number:
    """The integral between two places."""
    whole = (ZERO, *(one / (i + 1) for i, one in enumerate(polynomial)))
    return at(whole, end) - at(whole, start)
