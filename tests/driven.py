"""The four-bar and the five-bar that Saha and Schiehlen drive along cycloids."""

from __future__ import annotations

import numpy as np

import loopwright as lw
from loopwright.closure import close as closed

T = 20.0
DRIVES = {  # degrees at the start and at the end   [Saha2001, 36, 38]
    "four_bar": {"crank_joint": (30.0, 90.0)},
    "five_bar": {"shoulder_1": (30.0, 90.0), "shoulder_2": (30.0, 70.3)},
}


def cycloid(first, last, t):
    """Angle, rate and acceleration   [Saha2001, 35]"""
    first, last, s, w = np.radians(first), np.radians(last), t / T, 2 * np.pi / T
    rise = last - first
    return (
        first + rise * (s - np.sin(2 * np.pi * s) / (2 * np.pi)),
        rise / T * (1.0 - np.cos(w * t)),
        rise / T * w * np.sin(w * t),
    )


class Driven:
    """One of the paper's motions, on the branch of the zoo's start."""

    def __init__(self, name):
        self.mechanism, start = lw.zoo.MECHANISMS[name](), lw.zoo.start(name)
        self.dyn = lw.Dynamics(self.mechanism, formulation="legs", compiled=False)
        self.drives, self.places = DRIVES[name], [self.mechanism.coordinates.index(j) for j in DRIVES[name]]
        q = np.array([start[c] for c in self.mechanism.coordinates])
        from_there = q[self.places]
        to = np.array([cycloid(*ends, 0.0)[0] for ends in self.drives.values()])
        for share in np.linspace(0.0, 1.0, 41):
            q = self.moved(q, from_there + share * (to - from_there))
        self.positions = [q]
        for t in np.linspace(0.0, T, 101)[1:]:
            q = self.moved(q, [cycloid(*ends, t)[0] for ends in self.drives.values()])
            self.positions.append(q)

    def moved(self, q, to):
        q = q.copy()
        q[self.places] = to
        found = closed(self.dyn.loops.closing, q, fixed=np.array(self.places))
        assert found.left < 1e-12
        return found.q

    def state(self, t):
        """q, v and a at a moment: the motors' by the cycloid, the rest by the legs."""
        near = self.positions[round(t / T * 100)]
        motion = {joint: cycloid(*ends, t) for joint, ends in self.drives.items()}
        q = self.moved(near, [m[0] for m in motion.values()])
        rates, gains = ({joint: m[k] for joint, m in motion.items()} for k in (1, 2))
        return (q, *self.dyn.complete(q, rates, gains))
