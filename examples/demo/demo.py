"""`make demo`: Example One derived, proved, drawn, cut free, its modes and response; the two-link arm as a film.

Everything is written into out/; the last lines say what and where. Look at out/example_one.html first.
"""

from pathlib import Path

import numpy as np

import flexura as fx
from flexura import gallery
from flexura.gallery.values import values

OUT = Path("out")
NUMBERS = {"m_a": 3, "m_b": 2, "m_c": 1.5, "I_c": 0.02, "rho": 1.2, "l": 1.3, "EI": 50, "K1": 800, "K2": 600, "K3": 400}


def example_one() -> fx.Model:
    """Three masses, springs between them and a loaded beam, its motion measured from the first."""
    a, b, c = fx.RigidBody("a", m="m_a", I=0), fx.RigidBody("b", m="m_b", I=0), fx.RigidBody("c", m="m_c", I="I_c")
    beam = fx.EulerBernoulliBeam("beam", EI="EI", rho="rho", length="l", field="q3")
    springs = fx.Spring(fx.ground, a, k="K1"), fx.Spring(a, b, k="K2"), fx.Spring(c, fx.ground, k="K3")
    return fx.Model(
        fx.Slide(fx.ground, a, name="q1"), fx.Slide(a, b, name="q2"), fx.Fixed(b, beam.start), fx.Fixed(beam.end, c),
        *springs, fx.Damper(a, b, c="b"), fx.Force(c, "F"), measured_from={beam: a}, names={beam.end: ("q4", "q5")},
    )  # fmt: skip


def main() -> None:
    """Each result in turn, and a summary."""
    OUT.mkdir(exist_ok=True)
    model, numbers, written = example_one(), NUMBERS | {"b": 4.0}, {}
    equations = fx.derive(model)
    print(f"{equations}\n\n{fx.verify(equations)}\n")

    def drawn(name: str, result: object, what: str, **options: object) -> None:
        fx.plot(result, OUT / name, **options)
        written[name] = what

    drawn("schematic.svg", model, "the machine: parts, springs, loads, coordinates", values=numbers)
    drawn("free_bodies.svg", fx.free_bodies(model), "every part cut free, with what acts on it", values=numbers)
    modes = fx.modes(equations, 4, values=numbers)
    print(f"{modes}\n")
    drawn("modes.svg", modes, "its first four modes, counted")
    response = fx.frequency_response(equations, np.linspace(1, 80, 400), "F", "q4", values=numbers)
    drawn("response.svg", response, "the end of the beam under F, over frequency")
    arm = fx.derive(gallery.example("two-link-arm"))
    start, times = {"theta1_t": 1.5, "theta2_t": -1.0}, np.linspace(0, 2, 101)
    run = fx.simulate(arm, times, initial=start, values=values("two-link-arm"), order=3)
    drawn("arm.svg", run, "a flexible two-link arm at five times", at=np.linspace(0.4, 2, 5), trace="lower.end")
    fx.animate(run, OUT / "arm.gif", frames=80)
    written["arm.gif"] = "the same as a film"
    for ending in ("html", "pdf"):
        fx.report(equations, OUT / f"example_one.{ending}", "Example One", modes=modes, response=response)
        written[f"example_one.{ending}"] = "the derivation step by step, its proof and the answers"
    print(f"Energies of the arm's run balance to {run.energy.error:.0e}.\n\nWritten:")
    for name, what in written.items():
        print(f"  {OUT / name!s:26} {(OUT / name).stat().st_size / 1024:7.0f} kB  {what}")


if __name__ == "__main__":
    main()
