"""Numbers as unevaluated sums of two, head + tail, with some 32 digits; arrays of them (Dekker 1971).

    >>> a = whole(np.array([1.0, 3.0]))
    >>> times(a, over(a, whole(np.array([3.0, 7.0]))))

Only additions and multiplications that every processor rounds alike are used, so that results are the same on each.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from flexura.solve.exact.lines import Array

_SPLITTER = 134217729.0  # 2^27 + 1: a head of 26 digits, whose products are exact


@dataclass(frozen=True)
class Long:
    """head + tail, the tail below the last digit of the head."""

    head: Array
    tail: Array

    def __getitem__(self, which: Any) -> Long:
        """The same part of both."""
        return Long(self.head[which], self.tail[which])

    def put(self, which: Any, values: Long) -> None:
        """Other values in some places."""
        self.head[which], self.tail[which] = values.head, values.tail


def whole(values: Array) -> Long:
    """Plain numbers."""
    values = np.asarray(values, np.float64)
    return Long(values, np.zeros_like(values))


def exact_sum(a: Array, b: Array) -> Long:
    """a + b without rounding (Knuth)."""
    total = a + b
    other = total - a
    return Long(total, (a - (total - other)) + (b - other))


def _settled(head: Array, tail: Array) -> Long:
    total = head + tail
    return Long(total, tail - (total - head))


def _halves(a: Array) -> tuple[Array, Array]:
    wide = _SPLITTER * a
    top = wide - (wide - a)
    return top, a - top


def exact_product(a: Array, b: Array) -> Long:
    """a b without rounding (Veltkamp, Dekker)."""
    product = a * b
    a_top, a_rest = _halves(a)
    b_top, b_rest = _halves(b)
    return Long(product, ((a_top * b_top - product) + a_top * b_rest + a_rest * b_top) + a_rest * b_rest)


def plus(a: Long, b: Long) -> Long:
    """a + b"""
    total = exact_sum(a.head, b.head)
    return _settled(total.head, total.tail + (a.tail + b.tail))


def minus(a: Long, b: Long) -> Long:
    """a - b"""
    return plus(a, Long(-b.head, -b.tail))


def times(a: Long, b: Long) -> Long:
    """a b"""
    product = exact_product(a.head, b.head)
    return _settled(product.head, product.tail + (a.head * b.tail + a.tail * b.head))


def over(a: Long, b: Long) -> Long:
    """a / b"""
    first = a.head / b.head
    left = minus(a, times(whole(first), b))
    return _settled(first, (left.head + left.tail) / b.head)
