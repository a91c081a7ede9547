"""The driven four-bar and five-bar of Saha and Schiehlen: torques by legs against energy, along their cycloids."""

from __future__ import annotations

import numpy as np
import pytest

from tests.driven import DRIVES, Driven, T
from tests.mechanisms import close


@pytest.fixture(scope="module", params=DRIVES)
def driven(request):
    return Driven(request.param)


def test_rates_and_accelerations_vanish_at_both_ends(driven):
    for t in (0.0, T):
        q, v, a = driven.state(t)
        assert max(np.abs(v).max(), np.abs(a).max()) < 1e-12
        # so the motors hold the weight alone: virtual work along each of them
        tau, h = driven.dyn.inverse(q, v, a), 1e-6
        for k, motor in enumerate(driven.places):
            ends = []
            for s in (h, -h):
                to = q[driven.places].copy()
                to[k] += s
                ends.append(driven.dyn.energy(driven.moved(q, to), np.zeros(len(q))).potential)
            assert tau[k] == pytest.approx((ends[0] - ends[1]) / (2 * h), abs=1e-7), motor


def test_power_of_the_motors_is_the_rate_of_the_energy(driven):
    h = 1e-3
    for t in np.linspace(1.0, 19.0, 7):
        q, v, a = driven.state(t)
        power = driven.dyn.inverse(q, v, a) @ v[driven.places]
        ahead, behind = (driven.dyn.energy(*driven.state(t + s)[:2]).total for s in (h, -h))
        # h^2 of third derivatives, (2 pi / 20)^3 of energies of some 30 J; rounding by h
        assert power == pytest.approx((ahead - behind) / (2 * h), abs=1e-7)


def test_forces_of_the_inverse_make_the_motion_forward(driven):
    for t in (2.0, 10.0, 17.0):
        q, v, a = driven.state(t)
        tau = driven.dyn.inverse(q, v, a)
        close(driven.dyn.forward(q, v, tau), a, 1e-10, scale=1.0)
        # eq. (25) in the motors' rates: I th'' + C th' = tau
        C = driven.dyn.denoc_loops(q)
        N = C.N_l @ C.N_c @ C.N_d
        still = driven.dyn.inverse(q, *driven.dyn.complete(q, v, dict.fromkeys(driven.drives, 0.0)))
        close(N.T @ C.M @ N @ a[driven.places] + still, tau, 1e-10)


def test_it_falls_from_rest_as_its_inertia_and_weight_say():
    """Free fall of the four-bar from 90 degrees   [Saha2001, Fig. 7]: th'' = -V' / I."""
    own = Driven("four_bar")
    dyn, q, h = own.dyn, own.positions[-1], 1e-6
    assert q[0] == pytest.approx(np.pi / 2)
    high, low = (dyn.energy(own.moved(q, [q[0] + s]), np.zeros(3)).potential for s in (h, -h))
    found = dyn.denoc_loops(q)
    N = found.N_l @ found.N_c @ found.N_d
    expected = -(high - low) / (2 * h) / (N.T @ found.M @ N)[0, 0]
    assert dyn.forward(q, np.zeros(3))[0] == pytest.approx(expected, rel=1e-7)
