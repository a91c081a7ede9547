"""Mechanisms that are hard to draw."""

import loopwright as lw

ODD = "a <b> & \"c\" 'd' $x$ \x00\n\ud800 日本"


def odd_names() -> lw.Mechanism:
    """Names that XML, Matplotlib and CSV each read as something else."""
    b = lw.Builder(ODD)
    for name in ("_hidden", ODD, "a,b;c"):
        b.body(name, 1.0, inertia=(1, 1, 1))
    b.revolute("_under", "ground", "_hidden", actuated=True)
    b.revolute(ODD + "1", "_hidden", ODD, xyz=(1, 0, 0))
    b.prismatic("a,b", ODD, "a,b;c", axis=(1, 0, 0))
    b.revolute("a very long name that goes on and on and on, further than anyone reads", "a,b;c", "ground")
    return b.build()


def twice_joined() -> lw.Mechanism:
    """Two joints between the same two bodies, twice, and an edge within a layer."""
    b = lw.Builder("twice")
    for name in ("a", "b", "c"):
        b.body(name, 1.0, inertia=(1, 1, 1))
    b.revolute("ga", "ground", "a", actuated=True)
    b.spherical("ga_too", "ground", "a")
    b.revolute("gc", "ground", "c")
    b.revolute("ab", "a", "b", actuated=True)
    b.revolute("ab_too", "a", "b")
    b.universal("ac", "a", "c")
    b.universal("bc", "b", "c")
    return b.build()


def fan(legs: int) -> lw.Mechanism:
    """Legs side by side on the ground, each joined to the next but one."""
    b = lw.Builder("fan")
    for k in range(legs):
        b.body(f"leg{k}", 1.0, inertia=(1, 1, 1))
        b.revolute(f"foot{k}", "ground", f"leg{k}")
    for k in range(legs - 2):
        b.spherical(f"tie{k}", f"leg{k}", f"leg{k + 2}")
    return b.build()


def floating() -> lw.Mechanism:
    """A free body with a ball, a slide and a plane on it: every unit there is."""
    b = lw.Builder("floating")
    for name in ("base", "head", "drawer", "disc"):
        b.body(name, 1.0, com=(0.1, 0, 0), inertia=(1, 1, 1))
    b.free("afloat", "ground", "base")
    b.spherical("neck", "base", "head", xyz=(0, 0, 1))
    b.cylindrical("rail", "base", "drawer", xyz=(1, 0, 0))
    b.planar("table", "base", "disc", xyz=(0, 1, 0))
    return b.build()
