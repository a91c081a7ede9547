"""The carpet scraper, and what builds the robotic leg, which has the same topology."""

from __future__ import annotations

from collections.abc import Sequence

from ..mechanism import Builder, Mechanism

START = {
    "joint_1": 0.0,
    "joint_2": 4.486960208870705,
    "joint_3": -2.6907351105618216,
    "joint_4": -0.7101804737355382,
    "joint_5": -1.168767313442586,
    "joint_6": -1.168767313442586,
    "joint_7": -1.9728253401472071,
}
RATES = {
    "joint_1": 4.7124,
    "joint_2": -3.47711067961165,
    "joint_3": 0.0,
    "joint_4": -2.6919541449468305,
    "joint_5": 0.0,
    "joint_6": 0.0,
    "joint_7": 0.0,
}


def carpet_scraper() -> Mechanism:
    r"""Carpet scraper: a Hoeken linkage whose straight line a pantograph enlarges; seven links, three loops.

    ::

        joint_1                 o joint_4
          o==o joint_8           \
           #1 \   o joint_2       \ #4            #1 crank
               \ / #2              o joint_5      #2 rocker
                o joint_3         / \             #3 coupler
              #3 \            #5 /   \ #4         #4 arm of the pantograph
                  \             /     \           #5, #7 its short links
                   \           /       o joint_6  #6 its long link, the scraper
                    \         /       /
           joint_9,  \       /       / #6
           joint_10   o-------------o joint_7
                            #7     /
                                  V scraper

    Loops 1-2-3-8, 2-3-9-5-4 and 5-6-7-10 open at joints 8, 9 and 10 into the subsystems {1}, {2, 3} and
    {4, 5, 6, 7}. Lengths (#1 to #7) .038, .1152, .2304, .3346, .239, .8365, .239 m, masses 1.5, 3, 5, 4.2, 3,
    10.5, 3 kg, slender. What stands only in the paper's figure is inferred: the pantograph .3346/.0956 = .8365/.239
    = 3.5 fixes joint_5 at .0956 m along #4 and joint_7 at .239 m along #6, and makes joint_9 and joint_10 one
    point; the ground link .0895 m is given for the first loop in [Saha2013]; joint_3 is in the middle of #3. Nothing
    fixes joint_4: it is placed at (.0895, .0655), above the middle of the straight line and so far off that the
    pantograph is open at a right angle there. The crank starts at 0 with 4.7124 rad/s.
    Source: Koul, Shah, Saha, Manivannan [Koul2014, Tables 1 and 2]; Chaudhary, Saha [Chaudhary2007].
    """
    return straight_line_pantograph(
        "carpet_scraper",
        "Koul et al. 2014, 4.1, Tables 1 and 2 [Koul2014]; Chaudhary, Saha 2007 [Chaudhary2007]",
        lengths=(0.038, 0.1152, 0.2304, 0.3346, 0.239, 0.8365, 0.239),
        masses=(1.5, 3.0, 5.0, 4.2, 3.0, 10.5, 3.0),
        ground=0.0895,
        pivot=(0.0895, 0.0655),
        along_4=0.0956,
        along_6=0.239,
    )


def straight_line_pantograph(
    name: str,
    source: str,
    lengths: Sequence[float],
    masses: Sequence[float],
    ground: float,
    pivot: tuple[float, float],
    along_4: float,
    along_6: float,
    thickness: float = 0.0,
) -> Mechanism:
    """Links 1 to 3 draw a straight line with the end of link 3, links 4 to 7 enlarge it.

    `pivot` is where joint_4 stands, `along_4` and `along_6` tell where joint_5 is on link 4 and joint_7 on link 6.
    """
    b = Builder(name, gravity=(0, -9.81, 0), source=source)
    for k, (length, mass) in enumerate(zip(lengths, masses, strict=True), start=1):
        # link 3 reaches as far to either side of joint_3, where its frame stands
        centre = 0.0 if k == 3 else length / 2
        across = mass * length**2 / 12
        b.body(f"link_{k}", mass, com=(centre, 0, 0), inertia=(mass * thickness**2 / 12, across, across))
    a1, a2, a3, a4, a5, _, a7 = lengths
    b.revolute("joint_1", "ground", "link_1", actuated=True)
    b.revolute("joint_2", "ground", "link_2", xyz=(ground, 0, 0))
    b.revolute("joint_3", "link_2", "link_3", xyz=(a2, 0, 0))
    b.revolute("joint_4", "ground", "link_4", xyz=(*pivot, 0))
    b.revolute("joint_5", "link_4", "link_5", xyz=(along_4, 0, 0))
    b.revolute("joint_6", "link_4", "link_6", xyz=(a4, 0, 0))
    b.revolute("joint_7", "link_6", "link_7", xyz=(along_6, 0, 0))
    b.revolute("joint_8", "link_1", "link_3", xyz=(a1, 0, 0), child_xyz=(a3 / 2, 0, 0))
    b.revolute("joint_9", "link_3", "link_5", xyz=(-a3 / 2, 0, 0), child_xyz=(a5, 0, 0))
    b.revolute("joint_10", "link_5", "link_7", xyz=(a5, 0, 0), child_xyz=(a7, 0, 0))
    return b.build()
