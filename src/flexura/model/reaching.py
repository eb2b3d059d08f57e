"""What of a frame still reaches ground when one part is taken out: one walk for all parts (Hopcroft and Tarjan 1973).

>>> Reaching(assembly).without(segment, beside)              # does `beside` reach ground without the segment?
"""

from __future__ import annotations

import bisect
from collections.abc import Iterator

from flexura.model.structure import Assembly, Part, Segment
from flexura.parts.bodies import Ground


class Reaching:
    """A walk from ground, or from the part by which a frame hangs: when each part is met, and how far back it leads."""

    def __init__(self, assembly: Assembly) -> None:
        """Every weld leads both ways: see `serves`."""
        roots: list[Part] = [one for one in assembly.parts if isinstance(one, Ground)]
        roots += [assembly.anchor.part] if assembly.anchor is not None else []
        self._root = {id(one) for one in roots}
        self._near: dict[int, list[int]] = {0: []}
        for weld in assembly.welds:
            a, b = (self._known(spot.part) for spot in (weld.p, weld.q))
            self._near.setdefault(a, []).append(b)
            self._near.setdefault(b, []).append(a)
        self._met: dict[int, int] = {0: 0}
        self._back: dict[int, int] = {0: 0}
        self._children: dict[int, list[int]] = {}
        self._walk()

    @staticmethod
    def serves(assembly: Assembly) -> bool:
        """Whether no member slips along a roller, which leads one way only."""
        return not any(
            weld.free_directions and any(isinstance(one.part, Segment) for one in (weld.p, weld.q))
            for weld in assembly.welds
        )

    def _known(self, part: Part) -> int:
        return 0 if id(part) in self._root else id(part)

    def _walk(self) -> None:
        way: list[tuple[int, int, Iterator[int]]] = [(0, 0, iter(self._near[0]))]
        while way:
            part, before, left = way[-1]
            following = next((one for one in left if one != before), None)
            if following is None:
                way.pop()
                self._back[before] = min(self._back[before], self._back[part])
            elif following in self._met:
                self._back[part] = min(self._back[part], self._met[following])
            else:
                self._met[following] = self._back[following] = len(self._met)
                self._children.setdefault(part, []).append(following)
                way.append((following, part, iter(self._near[following])))

    def without(self, part: Part, beside: Part) -> bool:
        """Whether ground is reached from a neighbour of a part, not through that part."""
        mine, other = self._known(part), self._known(beside)
        if other not in self._met:
            return False
        if mine not in self._met or self._met[other] < self._met[mine]:
            return True
        children = self._children.get(mine, [])
        child = children[bisect.bisect_right([self._met[one] for one in children], self._met[other]) - 1]
        return self._back[child] < self._met[mine]
