"""Whether a text is nothing but numbers, decided at the speed of memory: sets of characters as bits.

>>> words_of_numbers(b"1 2 -3.5e+07\n", 0)             # 3; None for b"1 2.0e\n", b"1.0.5\n" or b"1-5\n"

A number is [sign] digits [. digits] [e [sign] digits]. Characters are sorted into sets, one bit for each place, so that
64 places are asked at once. What may stand beside what is a shift by one bit; that a word holds one point and one
exponent, in this order, is an addition: a bit that is added to those of a word is carried to the word's end.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Bits = NDArray[np.uint64]
Letters = NDArray[np.uint8]
STRETCH = 1 << 18  # characters looked at together, about: what is found of them stays in the processor's cache
_FULL = np.uint64(2**64 - 1)
_ONE, _LAST = np.uint64(1), np.uint64(63)


class _Sets(NamedTuple):
    """Where there is white space, a point, an e, a sign; digits are elsewhere."""

    white: Bits
    point: Bits
    e: Bits
    sign: Bits

    def hold(self, count: int) -> bool:
        """Whether there are so many of them."""
        return ones(self.white | self.point | self.e | self.sign) == count


class _Text(NamedTuple):
    """Characters, and room for what is found of each of them, made once: new memory is slow."""

    letters: Letters
    mask: NDArray[np.bool_]

    @classmethod
    def of(cls, size: int) -> _Text:
        """Room for so many."""
        return cls(np.empty(size, np.uint8), np.empty(size, bool))

    def holding(self, data: bytes, at: int, end: int) -> _Text:
        """With a part of a text, and spaces up to a multiple of 64."""
        size, room = end - at, end - at + (at - end) % 64
        self.letters[:size] = np.frombuffer(data, np.uint8, size, at)
        self.letters[size:room] = ord(" ")
        return _Text(self.letters[:room], self.mask[:room])

    def where(self, letter: str) -> Bits:
        """The places of one of them."""
        return np.packbits(np.equal(self.letters, ord(letter), out=self.mask), bitorder="little").view("<u8")

    def other_than_digits(self) -> int:
        """How many are no digits."""
        from_zero = np.subtract(self.letters, ord("0"), out=self.mask.view(np.uint8))
        return int(np.count_nonzero(np.greater(from_zero, 9, out=self.mask)))


def words_of_numbers(data: bytes, start: int, stretch: int = STRETCH, *, places: bool = False) -> int | None:
    """How many words there are from here on; None if not all of them are numbers, or one is very long.

    With `places`, the second word of a line must be digits: SciPy reads the line 1 2.5 as 0.5 at (1, 2). It refuses
    itself what begins with other than digits. The last line ends as all do.
    """
    count, at, text = 0, start, _Text.of(stretch + 64)
    while at < len(data):
        end = data.rfind(b"\n", at, at + stretch) + 1 or data.index(b"\n", at) + 1
        if end - at > stretch:  # one line
            text = _Text.of(end - at + 64)
        found = _words(text.holding(data, at, end), places)
        if found is None:
            return None
        count, at = count + found, end
    return count


def _words(text: _Text, places: bool) -> int | None:
    """The same of lines that are whole."""
    others, where = text.other_than_digits(), text.where
    sets = _Sets(where(" ") | where("\n"), where("."), where("e"), where("+") | where("-"))
    if not sets.hold(others):  # tabs, ends of lines as Windows writes them, capitals
        sets = sets._replace(white=sets.white | where("\t") | where("\r"), e=sets.e | where("E"))
        if not sets.hold(others):
            return None
    word = ~sets.white
    starts = word & ~_after(word)
    if (word == _FULL).any() or not (_beside(starts, sets) and _in_order(word, sets.point, sets.e)):
        return None
    if places and not _whole_seconds(word, where("\n"), sets):
        return None
    return ones(starts)


def ones(bits: Bits) -> int:
    """How many there are."""
    if hasattr(np, "bitwise_count"):  # since NumPy 2
        return int(np.bitwise_count(bits).sum(dtype=np.int64))
    return int(np.count_nonzero(np.unpackbits(bits.view(np.uint8))))


def _after(bits: Bits) -> Bits:
    """The places that follow these."""
    found = bits << _ONE
    found[1:] |= bits[:-1] >> _LAST
    return found


def _beside(starts: Bits, sets: _Sets) -> bool:
    """Whether signs begin words or exponents, no word begins with e, and neither ends one, nor has a sign an e behind.

    That nothing but digits and a sign follows an e is left to `_in_order`.
    """
    after_sign, after_e = _after(sets.sign), _after(sets.e)
    wrong = sets.sign & ~(starts | after_e)
    wrong |= sets.e & (starts | after_sign)
    wrong |= sets.white & (after_sign | after_e)
    return not wrong.any()


def _in_order(word: Bits, point: Bits, e: Bits) -> bool:
    """Whether every word has one point and one e at most, the point first."""
    from_e = _to_the_end(word, e)
    wrong = point & (from_e | ~_to_the_end(word, point))
    wrong |= e & ~from_e
    return not wrong.any()


def _whole_seconds(word: Bits, end: Bits, sets: _Sets) -> bool:
    """Whether the second word of each line is nothing but digits."""
    space = sets.white ^ end
    at = _after(end)
    at[0] |= _ONE
    at = _carried(space, at) & ~space  # the first word
    at = _carried(word, at) & ~word  # its end
    at = _carried(space, at) & ~space  # the second one, or the end of the line
    second = _carried(word, at) ^ word
    return not ((space == _FULL).any() or (second & (sets.point | sets.e | sets.sign)).any())


def _to_the_end(word: Bits, marks: Bits) -> Bits:
    """From a mark to the end of its word; not at a second mark in it."""
    total = _carried(word, marks)
    total ^= word
    return total


def _carried(word: Bits, marks: Bits) -> Bits:
    """Words and marks in them, added: what follows a mark is cleared up to the end of its word, which is set.

    A carry that leaves 64 places enters the next ones, and no more than these: no word is as long as that.
    """
    total = word + marks
    total[1:] += (word[:-1] & ~total[:-1]) >> _LAST
    return total
