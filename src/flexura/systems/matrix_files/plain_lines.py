"""Whether every line of a text is nothing but the numbers that SciPy reads of it, decided at the speed of memory.

>>> separators(b"1 2 -3.5e+07\n", 0, places=True)      # 3; None for b"1 2.5 7\n", b"1 2 2.0e\n" or b"1  2 3\n"

This looks at the usual layout: numbers apart by one space, no other; of any other text it only says that it is not so,
and `plain_numbers.py` looks closer. It leans on what SciPy refuses itself. A line that SciPy reads begins with digits,
a space, digits (in a list of places), and something that begins as a number. If places hold digits alone, numbers have
one point and one exponent at most, in this order, and signs begin both, then SciPy has read each word to its end; so
each line has at least as many separators as words, and if there are as many in all as words are announced, nothing is
left over, and no separator was anything but a space or the end of a line.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from flexura.systems.matrix_files.plain_numbers import Bits, ones

PIECE = 1 << 18  # characters sorted at once: they and what is found of them stay in the processor's cache
PIECES = 3  # sorted before they are looked at: bits take less room
_ONE, _LAST, _FULL = np.uint64(1), np.uint64(63), np.uint64(2**64 - 1)

# A character is taken from this one, modulo 256. As signed bytes, digits come first, then / . - , +, then all others.
_FROM = np.uint8(ord("9") + 128)
_ALIKE = (b"/", b",", b"\0")  # stand between them; and SciPy dies of zeros
_PAST_DIGITS, _PAST_PLUS = (np.int8(int(_FROM) - ord(one) - 255) for one in "0+")
_SIGN_OR_END = np.uint8(4)  # a bit that + - and ends of lines have, but no point and no space


def separators(data: bytes, start: int, places: bool) -> int | None:
    """How many characters stand between words from here on; None if a line is not as they usually are.

    `places` says that the first two words of a line are whole numbers. The last line ends as all do.
    """
    e = b"E" if data.find(b"E", start, start + 1000) >= 0 else b"e"
    count, at, room = 0, start, _Room.of(len(data) - start)
    while at < len(data):
        end = data.rfind(b"\n", at, at + PIECE * PIECES) + 1
        if not end:
            return None  # a very long line
        rows = room.sorted(data, at, end, e)
        found = None if rows is None else _between(rows, places)
        if found is None:
            return None
        count, at = count + found, end
    return count


class _Room(NamedTuple):
    """Room for characters and for what is found of each of them, made once: new memory is slow."""

    letters: NDArray[np.uint8]
    mask: NDArray[np.bool_]
    bits: NDArray[np.uint64]  # rows, the first four for sets of characters

    @classmethod
    def of(cls, most: int) -> _Room:
        """Room for a text of so many, or for a part of it."""
        piece, part = (min(one, most + -most % 64) for one in (PIECE, PIECE * PIECES))
        return cls(np.empty(piece, np.uint8), np.empty(piece, bool), np.empty((9, part // 64), np.uint64))

    def sorted(self, data: bytes, at: int, end: int, e: bytes) -> NDArray[np.uint64] | None:
        """Rows: digits; digits, points and signs; signs or ends of lines, among others; e; and free ones.

        Digits follow up to a multiple of 64: they are the beginning of another line. None with what looks alike.
        """
        for i in range(at, end, PIECE):
            size = min(PIECE, end - i)
            if any(data.find(one, i, i + size) >= 0 for one in _ALIKE):
                return None
            room = size + -size % 64
            letters, mask = self.letters[:room], self.mask[:room]
            np.subtract(_FROM, np.frombuffer(data, np.uint8, size, i), out=letters[:size])
            letters[size:] = _FROM - np.uint8(ord("0"))
            signed, row = letters.view(np.int8), self.bits[:, (i - at) // 64 : (i - at + room) // 64]
            row[0] = _packed(np.less(signed, _PAST_DIGITS, out=mask))
            row[1] = _packed(np.less(signed, _PAST_PLUS, out=mask))
            row[2] = _packed(np.bitwise_and(letters, _SIGN_OR_END, out=mask.view(np.uint8)))
            row[3] = _packed(np.equal(letters, _FROM - np.uint8(ord(e)), out=mask))
        return self.bits[:, : -((at - end) // 64)]


def _packed(mask: NDArray[Any]) -> Bits:
    return np.packbits(mask, bitorder="little").view("<u8")


def _between(rows: NDArray[np.uint64], places: bool) -> int | None:
    """How many separators there are, or None; the rows are used up."""
    digit, plain, sign_or_end, e, point, word, between, wrong, spare = rows
    np.bitwise_xor(plain, digit, out=point)
    sign = np.bitwise_and(point, sign_or_end, out=between)
    point ^= sign
    _after(plain, wrong, spare)
    wrong &= sign  # neither at the beginning of a word, nor after an e
    np.bitwise_or(plain, e, out=word)
    np.invert(word, out=between)
    digit |= point
    alone = _after(digit, plain, spare)
    np.invert(alone, out=alone)
    alone &= between
    wrong |= alone  # beside another, or after a sign or an e
    begun, ends = point, between
    if places:
        ends = np.bitwise_and(between, sign_or_end, out=sign_or_end)
        begun = _after(ends, digit, spare)
        begun[0] |= _ONE
        begun |= point
        ends ^= between  # from here on, those that end no line
    from_point = _carried(word, begun, plain, spare)
    wrong |= np.bitwise_and(from_point, point, out=spare)  # a second point
    begun = e
    if places:
        gap = np.bitwise_and(from_point, ends, out=ends)  # the first of each line: the second place is looked through
        word |= gap
        begun = np.bitwise_or(gap, e, out=digit)
    if word.max() == _FULL:  # carries do not pass so long a word
        return None
    from_e = _carried(word, begun, plain, spare)
    from_e ^= point
    e |= point
    from_e &= e  # a second e, or one in a place; a point after an e, or in a place
    wrong |= from_e
    return None if wrong.max() else ones(between)


def _after(bits: Bits, out: Bits, spare: Bits) -> Bits:
    """The places that follow these."""
    np.left_shift(bits, _ONE, out=out)
    np.right_shift(bits[:-1], _LAST, out=spare[:-1])
    out[1:] |= spare[:-1]
    return out


def _carried(word: Bits, marks: Bits, out: Bits, spare: Bits) -> Bits:
    """Their sum, as `plain_numbers.carried` has it."""
    np.add(word, marks, out=out)
    over = np.invert(out[:-1], out=spare[:-1])
    over &= word[:-1]
    over >>= _LAST
    out[1:] += over
    return out
