"""Members that carry their axial displacement as a field of its own, tied to bending by their tension (theory, 7).

So kinetic energy is that of all of the velocity, a full square, and inertia stays positive however far members bend and
however finely they are divided. The second-order form of `shortening.py` loses that where a joint for large motions
hangs on a member, is its bare root, or carries it on a member that bends; elsewhere it is right, and stays.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from flexura.model.carrying import Carrying
from flexura.model.frames import Frame
from flexura.model.structure import Segment, Spot, SpotLink
from flexura.parts.joints import Joint
from flexura.parts.members.tied import can_be_tied
from flexura.symbolic.expression import Declaration


class Tying:
    """Which members of a model do so, and what their fields are called."""

    def __init__(self, spoken: Iterable[Declaration | str]) -> None:
        """`spoken` is what names mean already."""
        self.taken = {getattr(one, "name", one) for one in spoken}

    def tie(self, frame: Frame, links: Iterable[SpotLink]) -> None:
        """Tie the members of one frame; `links` are those that may hang on it, or close loops there."""
        segments = [one for one in frame.assembly.parts if isinstance(one, Segment) and _bends(one)]
        if not segments:
            return
        carrying = Carrying([])
        chosen = segments if frame.rides or _turns_bare(frame) else _carrying_joints(frame, links, carrying)
        for seg in (one for one in segments if any(one is other for other in chosen)):
            inboard = carrying.inboard_end(frame, seg)
            if inboard is not None and not carrying.beyond(frame, seg, "b" if inboard == "a" else "a").held:
                seg.tie(self._fresh(f"a_{seg.name}"), self._fresh(f"N_{seg.name}"), inboard)

    def _fresh(self, name: str) -> str:
        wanted = found = re.sub(r"\W", "_", name)
        number = 2
        while found in self.taken:
            found, number = f"{wanted}_{number}", number + 1
        self.taken.add(found)
        return found


def _bends(seg: Segment) -> bool:
    return "rotation" in seg.member.ends and can_be_tied(seg.member)


def _turns_bare(frame: Frame) -> bool:
    """Whether a joint turns the frame freely about the bare end of a member."""
    link, anchor = frame.joint, frame.assembly.anchor
    if link is None or anchor is None or not isinstance(anchor.part, Segment) or not link.turns:
        return False
    return _moves_freely(link) and bool(link.source.free_axes)


def _moves_freely(link: SpotLink) -> bool:
    return isinstance(link.source, Joint) and link.source.motion is None


def _carrying_joints(frame: Frame, links: Iterable[SpotLink], carrying: Carrying) -> list[Segment]:
    """The members whose bending moves what hangs on a frame by joints, or where joints close loops."""
    found: list[Segment] = []
    for link in links:
        for spot in (link.p, link.q):
            if _moves_freely(link) and any(spot.part is one for one in frame.assembly.parts):
                found += carrying.inboard_of(frame, spot)
    return found


def rides(frame: Frame, spot: Spot) -> bool:
    """Whether what hangs on a frame by a spot is moved by members that are tied."""
    return frame.rides or any(one.tied for one in Carrying([]).inboard_of(frame, spot))
