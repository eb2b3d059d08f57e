"""What benches share: a short way to run them, and ratios that are kept from one `make bench` to the next.

    from record import SHORT, compared
    print(compared("8-link pendulum, LagrangesMethod", theirs / mine))      # 640x (was 254x, +152%)

With `--short` a bench does little of everything, to show that it runs, as the tests do: its times mean nothing, and no
ratio is kept. Otherwise the last ratios stand in ratios.json, which is part of the project: what has fallen is seen.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

SHORT = "--short" in sys.argv
_BENCH = Path(sys.argv[0]).stem
_FELL = 0.7


def compared(what: str, ratio: float) -> str:
    """The ratio as text, with that of the last run and the change; it is kept for the next."""
    if SHORT:
        return f"{ratio:.3g}x"
    path = Path(__file__).with_name("ratios.json")
    kept = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    mine = kept.setdefault(_BENCH, {})
    last, mine[what] = mine.get(what), float(f"{ratio:.3g}")
    new = path.with_suffix(".new")
    new.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    new.replace(path)
    if last is None:
        return f"{ratio:.3g}x (new)"
    change = ratio / last
    return f"{ratio:.3g}x (was {last:.3g}x, {100 * (change - 1):+.0f}%{', FELL' if change < _FELL else ''})"
