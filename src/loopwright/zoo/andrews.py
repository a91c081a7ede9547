"""Andrews' squeezer."""

from __future__ import annotations

from ..mechanism import Builder, Mechanism

START = {
    "beta": -0.0617138900142764496358948458001,
    "theta": 0.0,
    "gamma": 0.455279819163070380255912382449,
    "delta": 0.487364979543842550225598953530,
    "phi": 0.222668390165885884674473185609,
    "epsilon": 1.23054744454982119249735015568,
    "omega": -0.222668390165885884674473185609,
}

# mass, moment of inertia about the mass centre, mass centre, along x and y of the link
_BODIES = {
    "K1": (0.04325, 2.194e-6, (0.00092, 0)),
    "K2": (0.00365, 4.410e-7, (-0.0115, 0)),
    "K3": (0.02373, 5.255e-6, (0.01043, -0.01874)),
    "K4": (0.00706, 5.667e-7, (0, -(0.02 - 0.01421))),
    "K5": (0.07050, 1.169e-5, (0.02308, 0.00916)),
    "K6": (0.00706, 5.667e-7, (0.02 - 0.01421, 0)),
    "K7": (0.05498, 1.912e-5, (-0.00449, -0.01228)),
}
_A, _B, _C = (-0.06934, -0.00227, 0), (-0.03635, 0.03273, 0), (0.014, 0.072, 0)


def andrews(drive: float = 0.033) -> Mechanism:
    r"""Andrews' squeezer: seven bodies, three loops that meet in one point, a spring and a motor.

    ::

                  C o
                     \  spring
              K3 ____ o D
           B o<___      \
             K6    \_____o E ___ K2 ___ o F
         K7 o-----------/|              | K1
           /    K4 _____/               o O  motor
        A o______o/
             K5

    K1 turns about O, K3 about B, K5 and K7 about A; K4 hangs on K5, K6 on K7; K2, K3, K4 and K6 share the pin E.
    The coordinates are the published angles: beta (K1), theta (K2 on K1), gamma (K3), delta (K5), phi (K4 on
    K5), epsilon (K7), omega (K6 on K7). `drive` is the constant torque on K1, N m; there is no gravity. It runs
    .03 s from rest.
    Source: Andrews' squeezing system of the test set for IVP solvers [Mazzia2008], after [Schiehlen1990].
    """
    b = Builder(
        "andrews",
        gravity=(0, 0, 0),
        source="test set for IVP solvers, Andrews' squeezing system [Mazzia2008]; [Schiehlen1990]",
    )
    for name, (mass, moment, centre) in _BODIES.items():
        b.body(name, mass, com=(*centre, 0), inertia=(moment / 2, moment / 2, moment))
    b.revolute("beta", "ground", "K1", actuated=True)
    b.revolute("theta", "K1", "K2", xyz=(0.007, 0, 0))
    b.revolute("gamma", "ground", "K3", xyz=_B)
    b.revolute("delta", "ground", "K5", xyz=_A)
    b.revolute("phi", "K5", "K4", xyz=(0.04, 0, 0))
    b.revolute("epsilon", "ground", "K7", xyz=_A)
    b.revolute("omega", "K7", "K6", xyz=(0, -0.04, 0))
    for other, E in (("K3", (0, -0.035, 0)), ("K4", (0, -0.02, 0)), ("K6", (0.02, 0, 0))):
        b.revolute(f"E_{other}", "K2", other, xyz=(-0.028, 0, 0), child_xyz=E)
    b.spring("spring", "ground", "K3", xyz=_C, child_xyz=(0.02, -0.018, 0), stiffness=4530.0, length=0.07785)
    b.effort("motor", "beta", drive)
    return b.build()
