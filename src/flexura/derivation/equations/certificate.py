"""A certificate: which routes were compared, what each proves, how zero was decided, what was skipped and why."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass

from flexura.arguments import checked_methods
from flexura.display import Displayed, Table
from flexura.errors import FlexuraError

ROUTE = "Lagrangian -> equations"
"""What agreement with another route proves."""


@dataclass(frozen=True)
class Comparison:
    """One route against the equations in hand; `proves` says which step it holds for, `how` to what degree."""

    method: str
    agrees: bool
    rows: tuple[str, ...]
    how: str
    differences: dict[str, str]
    proves: str = ROUTE

    @property
    def finding(self) -> str:
        """What it found, in words; a symbolic zero is claimed only where there is one."""
        if not self.agrees:
            return f"DIFFERS in {'; '.join(f'{name}: {rest}' for name, rest in self.differences.items())}"
        if self.proves != ROUTE:
            return f"agrees in {', '.join(self.rows)} ({self.how})"
        zero = " to a symbolic zero" if self.how == "normal form" else ""
        return f"agrees{zero} in {len(self.rows)} equations ({self.how})"


@checked_methods
@dataclass(frozen=True, repr=False)
class Certificate(Displayed):
    """What `fx.verify` found. True if every route that applies gave the same equations, and at least one did."""

    method: str
    compared: tuple[Comparison, ...]
    skipped: dict[str, str]

    def __bool__(self) -> bool:
        return bool(self.compared) and all(one.agrees for one in self.compared)

    def summary(self) -> str:
        """Whether all routes agree, and which they are."""
        routes = ", ".join(one.method for one in self.compared) or "nothing to compare with"
        return f"{'verified' if self else 'NOT verified'} ({self.method} beside {routes})"

    def told(self) -> Iterator[Table | str]:
        """A line for each route that was compared or skipped."""
        lines = [f"Equations derived by the {self.method} route: {'verified' if self else 'NOT verified'}."]
        lines += [f"  {one.method}, {one.proves}: {one.finding}." for one in self.compared]
        lines += [f"  {method}: skipped. {reason}" for method, reason in self.skipped.items()]
        yield "\n".join(lines)

    def to_json(self) -> str:
        """The certificate as JSON."""
        return json.dumps({"verified": bool(self), **asdict(self)}, indent=1, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> Certificate:
        """Read back what `to_json` wrote."""
        try:
            data = json.loads(text)
            compared = tuple(Comparison(**{**one, "rows": tuple(one["rows"])}) for one in data["compared"])
            return cls(data["method"], compared, data["skipped"])
        except (ValueError, LookupError, TypeError):
            raise FlexuraError(
                "This is not a certificate in JSON", advice="write one with certificate.to_json()"
            ) from None
