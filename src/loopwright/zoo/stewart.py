"""The Gough-Stewart platform."""

from __future__ import annotations

from ..mechanism import Builder, Mechanism

START = {
    "hooke_1.1": -0.7362733933244423,
    "hooke_1.2": 0.750155390639073,
    "slide_1": 1.4831218636916754,
    "ball_1.qx": -0.14841048487770428,
    "ball_1.qy": -0.29798363986140736,
    "ball_1.qz": 0.3278508997864788,
    "ball_1.qw": 0.8841345292784961,
    "hooke_2.1": -1.3262388852636775,
    "hooke_2.2": 0.7125611099995366,
    "slide_2": 1.5355012301452897,
    "hooke_3.1": 1.3666414657705057,
    "hooke_3.2": 0.801069353213712,
    "slide_3": 1.6695400647416934,
    "hooke_4.1": 0.8649384330388784,
    "hooke_4.2": 0.8166150068561053,
    "slide_4": 1.5846925451204308,
    "hooke_5.1": -2.968010464676689,
    "hooke_5.2": 0.8173683957842902,
    "slide_5": 1.548024425181819,
    "hooke_6.1": 2.8003019325762297,
    "hooke_6.2": 0.8394173320577809,
    "slide_6": 1.5856795454818422,
}

BASE = ((-2.120, 1.374), (-2.380, 1.224), (-2.380, -1.224), (-2.120, -1.374), (0.0, -0.15), (0.0, 0.15))
PLATFORM = (
    (0.170, 0.595, -0.4),
    (-0.6, 0.15, -0.4),
    (-0.6, -0.15, -0.4),
    (0.170, -0.595, -0.4),
    (0.430, -0.445, -0.4),
    (0.430, 0.445, -0.4),
)


def stewart(floating: bool = False) -> Mechanism:
    r"""Gough-Stewart platform: six legs, universal at the base, driven slides, balls at the platform.

    ::

               _____________
              o\___________/o     ball_1 ... ball_6
              | \         / |
              ||  \ || /   ||     slide_1 ... slide_6, .5 to 4.5 m
              |    \||/     |
         z    o     oo      o     hooke_1 ... hooke_6
         |__y

    The coordinates of a leg are those of the paper: hooke_i.1 the azimuth alpha, hooke_i.2 the angle beta from
    the vertical, slide_i the distance rho between the joints' centres. Each leg has a lower part and an upper part
    of .1 kg with the centre .5 m from their joint; the platform, 1.5 kg, has its frame at its centre. The start is
    the paper's pose, (-1.5, .1, 1.5) with Euler angles (0, .1, 0), at rest; the angles printed with it belong to
    another pose. Every slide is driven by 9 sin(pi t) N for 2 s.

    The platform rides on leg 1 and the other five balls are cut. With `floating=True` it has a free joint of its
    own, platform_joint, and all six balls are cut, as the paper does to let every leg be computed apart.
    Source: Wang, Gosselin, Cheng [Wang2002, 2.2 and 3.2.3].
    """
    b = Builder("stewart", source="Wang, Gosselin, Cheng 2002, sections 2.2 and 3.2.3 [Wang2002]")
    b.body("platform", 1.5, inertia=(0.08, 0.08, 0.08))
    for k, (base, corner) in enumerate(zip(BASE, PLATFORM, strict=True), start=1):
        # z runs up the leg in both parts; the lower one starts at the base, the upper one ends at the platform
        b.body(f"lower_{k}", 0.1, com=(0, 0, 0.5), inertia=(0.00625, 0.00625, 0.000625))
        b.body(f"upper_{k}", 0.1, com=(0, 0, -0.5), inertia=(0.00625, 0.00625, 0.000625))
        b.universal(f"hooke_{k}", "ground", f"lower_{k}", axes=((0, 0, 1), (0, 1, 0)), xyz=(*base, 0))
        b.prismatic(f"slide_{k}", f"lower_{k}", f"upper_{k}", actuated=True, limits=(0.5, 4.5))
        b.spherical(f"ball_{k}", f"upper_{k}", "platform", child_xyz=corner)
    if not floating:
        return b.build()
    b.free("platform_joint", "ground", "platform")
    return b.build(cuts=[f"ball_{k}" for k in range(1, 7)])
