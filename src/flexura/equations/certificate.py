"""A certificate: which routes were compared, how zero was decided, what was skipped and why."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass


@dataclass(frozen=True)
class Comparison:
    """One route against the equations in hand."""

    method: str
    agrees: bool
    rows: tuple[str, ...]
    how: str
    differences: dict[str, str]


@dataclass(frozen=True)
class Certificate:
    """What `fx.verify` found. True if every route that applies gave the same equations, and at least one did."""

    method: str
    compared: tuple[Comparison, ...]
    skipped: dict[str, str]

    def __bool__(self) -> bool:
        return bool(self.compared) and all(one.agrees for one in self.compared)

    def __str__(self) -> str:
        lines = [f"Equations derived by the {self.method} route: {'verified' if self else 'NOT verified'}."]
        for one in self.compared:
            if one.agrees:
                lines.append(f"  {one.method}: agrees to a symbolic zero in {len(one.rows)} equations ({one.how}).")
            else:
                lines.append(
                    f"  {one.method}: DIFFERS in {'; '.join(f'{k}: {v}' for k, v in one.differences.items())}."
                )
        lines += [f"  {method}: skipped. {reason}" for method, reason in self.skipped.items()]
        return "\n".join(lines)

    def to_json(self) -> str:
        """The certificate as JSON."""
        return json.dumps({"verified": bool(self), **asdict(self)}, indent=1, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> Certificate:
        """Read back what `to_json` wrote."""
        data = json.loads(text)
        compared = tuple(Comparison(**{**one, "rows": tuple(one["rows"])}) for one in data["compared"])
        return cls(data["method"], compared, data["skipped"])
