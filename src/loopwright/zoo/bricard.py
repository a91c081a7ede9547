"""Bricard's linkage."""

from __future__ import annotations

from ..mechanism import Builder, Mechanism

START = {f"hinge_{k}": 0.0 for k in (0, 1, 2, 4, 5)}

_POINTS = ((0, 0, 0), (1, 0, 0), (1, -1, 0), (1, -1, 1), (0, -1, 1), (0, 0, 1))
_AXES = ((0, 1, 0), (0, 0, 1), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 0, 0))
_SIDE = 0.1  # of the bars' square section


def bricard() -> Mechanism:
    r"""Bricard's linkage: six hinges in a ring that moves although counting says it cannot.

    ::

              P5 o--------------- (ground)
            y   /|                   .
            |  / |                  .
            | P0 o==============o P1
            |/__ |              |
           z   x |              |
              P4 o=========o P3 |      P0 to P5 lie on edges of the unit cube;
                          \     |      hinge_0 ... hinge_5 turn about
                           \____o P2   y, z, x, y, z, x

    Five uniform bars of 1 m and 1 kg, square in section with a side of .1 m; the ground is the sixth. One of the
    five closure rows repeats the others in every position, so that one motion remains. It starts at rest, as drawn,
    every coordinate zero.
    Source: Bricard [Bricard1897]; IFToMM library of benchmark problems, A04 [Gonzalez2006].
    """
    b = Builder("bricard", gravity=(0, -9.81, 0), source="IFToMM benchmark library, A04 [Gonzalez2006]; [Bricard1897]")
    along, across = _SIDE**2 / 6.0, (1.0 + _SIDE**2) / 12.0
    parent, at = "ground", _POINTS[0]
    for k, axis in enumerate(_AXES[:-1], start=1):
        b.revolute(f"hinge_{k - 1}", parent, f"bar_{k}", axis=axis, xyz=at)
        # body axes are those of the ground as drawn
        (x, y, z), (X, Y, Z) = _POINTS[k - 1], _POINTS[k]
        parent, at = f"bar_{k}", (X - x, Y - y, Z - z)
        b.body(parent, 1.0, com=[d / 2 for d in at], inertia=[along if d else across for d in at])
    b.revolute("hinge_5", parent, "ground", axis=_AXES[-1], xyz=at, child_xyz=_POINTS[-1])
    return b.build()
