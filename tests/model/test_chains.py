"""Long chains of hinged flexible links: energies that grow by the same for every link, and are right."""

import numpy as np
import pytest
import symengine

import flexura as fx
from flexura.symbolic.engine import SPINE, Symbol, partial
from flexura.symbolic.walk import branches

LENGTH, RHO, MASS, G = 0.3, 0.4, 0.1, 9.81


def chain(count, *more, about="z"):
    """Hinged flexible links with small bodies."""
    parts, last = [], fx.ground
    for i in range(count):
        body = fx.RigidBody(f"b{i}", m=MASS, I=0.01)
        link = fx.EulerBernoulliBeam(f"l{i}", EI=100.0, rho=RHO, length=LENGTH)
        parts += [fx.Revolute(last, body, about=about, name=f"q{i}"), fx.Fixed(body, link.start)]
        last = link.end
    return fx.Model(parts, fx.Gravity(G), *(one(last) for one in more))


def size(model):
    energies = model.lagrangian
    work = [f for loads in energies.work_density.values() for f in loads.values()]
    trees = [energies.kinetic, energies.potential, energies.dissipation, *energies.density.values()]
    return len(branches([*trees, *energies.work.values(), *work]))


@pytest.mark.parametrize("about", ["z", "y"])
def test_energies_grow_by_the_same_for_every_link(about):
    sizes = [size(chain(count, about=about)) for count in (8, 16, 32)]
    assert (sizes[2] - sizes[1]) / 16 == pytest.approx((sizes[1] - sizes[0]) / 8, rel=0.1)


def test_what_acts_on_the_tip_grows_no_faster():
    more = [
        lambda tip: fx.Spring(tip, fx.ground.at(1, 1), k=3.0, along="line"),
        lambda tip: fx.Damper(tip, fx.ground, c=1.0),
        lambda tip: fx.Force(tip, "F", along="x"),
    ]
    sizes = [size(chain(count, *more)) for count in (12, 24, 48)]
    assert (sizes[2] - sizes[1]) / 24 == pytest.approx((sizes[1] - sizes[0]) / 12, rel=0.15)


def test_the_pull_on_a_bent_link_is_that_of_everything_outboard():
    """N0, N1 (theory, section 2) of links of a chain, beside positions of all that hangs on them as numbers.

    An inward displacement d2 = -e1 int w_x^2/2 dx of masses m works as m V . (d2_t + spin x d2) + m g . d2.
    """
    count, force = 9, (1.7, -0.6)
    model = chain(count, lambda tip: fx.Force(tip, "P", along="x"), lambda tip: fx.Force(tip, "S", along="y"))
    energies = model.lagrangian.of_small_motions
    random = np.random.default_rng(7)
    q, q_t = random.uniform(-1, 1, (2, count))
    where = {Symbol(f"q{i}"): q[i] for i in range(count)} | {Symbol(f"q{i}_t"): q_t[i] for i in range(count)}
    where |= {Symbol("P"): force[0], Symbol("S"): force[1]}
    where |= {Symbol(name): one.value for name, one in energies.parameters.items() if one.value is not None}
    angle, spin = np.cumsum(q), np.cumsum(q_t)
    axes = np.stack((np.cos(angle), np.sin(angle)), axis=1)
    hinges = np.vstack((np.zeros(2), LENGTH * np.cumsum(axes, axis=0)))
    across = np.stack((-axes[:, 1], axes[:, 0]), axis=1)
    rates = np.vstack((np.zeros(2), LENGTH * np.cumsum(spin[:, None] * across, axis=0)))
    assert np.linalg.norm(hinges[-1]) < count * LENGTH
    gauss, weights = np.polynomial.legendre.leggauss(4)

    def outboard(k, x):
        """(mass, velocity) of all beyond x on link k: pieces of links at Gauss points, bodies at hinges."""
        for j in range(k, count):
            start = x if j == k else 0.0
            s = start + (gauss + 1) / 2 * (LENGTH - start)
            for place, weight in zip(s, weights * (LENGTH - start) / 2, strict=True):
                yield RHO * weight, rates[j] + place * spin[j] * across[j]
            if j > k:
                yield MASS, rates[j]

    for k, x in ((0, 0.1), (3, 0.25), (6, 0.0), (8, 0.2)):
        w_x, w_xt = Symbol(f"w_l{k}_x"), Symbol(f"w_l{k}_xt")
        momentum = sum(m * v for m, v in outboard(k, x))
        mass = sum(m for m, _ in outboard(k, x))
        first = momentum @ axes[k]
        second = spin[k] * momentum @ across[k] + np.array((force[0], force[1] - mass * G)) @ axes[k]
        density = energies.density[f"w_l{k}"]
        found = [partial(partial(density, w_x), other) for other in (w_xt, w_x)]
        still = {one: 0 for f in found for one in f.free_symbols if one not in where and one != SPINE}
        values = [float(f.xreplace({**where, **still, SPINE: symengine.RealDouble(x)})) for f in found]
        assert values == pytest.approx([-first, -second], rel=1e-12)


def test_rows_are_written_when_someone_reads_them():
    equations = fx.derive(chain(40))
    assert len(equations.coordinates) == 40 + 2 * 39
    assert equations.values["EI_l0"] == 100.0
    assert "_made" not in vars(equations.derived)
    short = fx.derive(chain(2))
    assert len(short.steps) == 11
    assert len(short.derived) == len(short.derived[:]) == 4 + 3 * 2 + 2 * 2 + 8  # coordinates; w, a, N; natural; given
    assert short.derived == tuple(short.derived)
    assert fx.verify(short)


def test_a_long_chain_closes_its_ledger():
    run = fx.simulate(fx.derive(chain(12)), np.linspace(0, 0.01, 3), {"q0": 0.4, "q5_t": 2.0}, order=3, tolerance=1e-8)
    assert run.energy.error < 1e-8
    assert abs(run["q5"][-1] - run["q5"][0]) > 0.005
