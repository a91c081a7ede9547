"""The four-bar linkage with a diagonal spring."""

from __future__ import annotations

from ..mechanism import Builder, Mechanism

START = {"left_joint": 2.23433101898, "left_pin": -2.23433101898, "right_joint": 2.23433101898}


def spring_four_bar() -> Mechanism:
    r"""Four-bar with a diagonal spring and damper: a case for linearising about an equilibrium.

    ::

              left_pin          right_pin
                 o-----------------o
                  \          _,-' /
                   \     _,-'    /       spring 25 N/m and damper 1 N s/m,
                    \_,-' spring/        free length sqrt(2) m
                     o         o
                left_joint   right_joint

    All bars 1 m and 1 kg, slender; ground pivots 1 m apart. The start is the equilibrium, where the right bar
    stands at 2.23433101898 rad; the linkage then swings and decays there.
    Source: IFToMM benchmark library, four-bar linkage with diagonal spring [Gonzalez2017].
    """
    b = Builder(
        "spring_four_bar",
        gravity=(0, -9.81, 0),
        source="IFToMM benchmark library, four-bar linkage with diagonal spring [Gonzalez2017]",
    )
    for bar in ("left", "coupler", "right"):
        b.rod(bar, 1.0, to=(1, 0, 0))
    b.revolute("left_joint", "ground", "left")
    b.revolute("right_joint", "ground", "right", xyz=(1, 0, 0))
    b.revolute("left_pin", "left", "coupler", xyz=(1, 0, 0))
    b.revolute("right_pin", "coupler", "right", xyz=(1, 0, 0), child_xyz=(1, 0, 0))
    b.spring("diagonal", "ground", "right", child_xyz=(1, 0, 0), stiffness=25.0, damping=1.0, length=2.0**0.5)
    return b.build()
