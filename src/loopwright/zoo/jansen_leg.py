"""The leg of Jansen's beach animals."""

from __future__ import annotations

import math

from ..mechanism import Builder, Mechanism
from .keywords import positive
from .polygon import Point, polygon

START = {
    "crank_joint": 0.0,
    "crank_pin_j": 2.465894844308564,
    "crank_pin_k": 3.9677042625400487,
    "thigh_joint": 1.2270429474429436,
    "hip": -2.391775555686696,
    "swing_joint": -1.2858386142179512,
    "ankle": 3.9315461369209426,
}

# the published numbers, by Jansen's letters
_BARS = {
    "a": 38.0, "b": 41.5, "c": 39.3, "d": 40.1, "e": 55.8, "f": 39.4, "g": 36.7,
    "h": 65.7, "i": 49.0, "j": 50.0, "k": 61.9, "l": 7.8, "m": 15.0,
}  # fmt: skip


def jansen_leg(unit: float = 0.01, per_metre: float = 1.0) -> Mechanism:
    r"""Jansen's leg: one crank and seven links make a foot walk along a flat line.

    ::

                    top o
                     / /  \_
                 b / /e     \_ j
                 / /           \_   m
           upper o               \o---o crank_joint
         pivot / |  \           __/ knee_pin
            d /  |c   \ k __ --'
             /   |  __ -'
       hip o'    o ankle          a, l: from crank_joint to the pivot
          f|   g/|
           |   / |i
       heel o'   |
             \ h |
               \ |
                 V foot

    Bars, in Jansen's letters: a 38, b 41.5, c 39.3, d 40.1, e 55.8, f 39.4, g 36.7, h 65.7, i 49, j 50, k 61.9,
    l 7.8, m 15; `unit` is their unit in metres. Triangles b-d-e and g-h-i are rigid. All bars weigh `per_metre`,
    this library's choice. The foot is at `FOOT` of the body shank, in units. Ten hinges, three loops, one freedom; the
    crank turns all the way round.
    Source: Jansen [Jansen2007].
    """
    unit, weight = positive("jansen_leg", "unit", unit), positive("jansen_leg", "per_metre", per_metre)
    n = {letter: unit * length for letter, length in _BARS.items()}
    pivot = (-n["a"], -n["l"], 0)
    hip = corner(n["b"], n["d"], n["e"])
    foot = corner(n["g"], n["i"], n["h"])
    b = Builder("jansen_leg", gravity=(0, -9.81, 0), source="Jansen 2007 [Jansen2007]; masses our own")
    for name, length in (("crank", "m"), ("bar_j", "j"), ("bar_k", "k"), ("bar_c", "c"), ("bar_f", "f")):
        polygon(b, name, ((0, 0), (n[length], 0)), weight)
    polygon(b, "thigh", ((0, 0), (n["b"], 0), hip), weight)
    polygon(b, "shank", ((0, 0), (n["g"], 0), foot), weight)
    b.revolute("crank_joint", "ground", "crank", actuated=True)
    b.revolute("thigh_joint", "ground", "thigh", xyz=pivot)
    b.revolute("swing_joint", "ground", "bar_c", xyz=pivot)
    b.revolute("crank_pin_j", "crank", "bar_j", xyz=(n["m"], 0, 0))
    b.revolute("crank_pin_k", "crank", "bar_k", xyz=(n["m"], 0, 0))
    b.revolute("hip", "thigh", "bar_f", xyz=(*hip, 0))
    b.revolute("ankle", "bar_c", "shank", xyz=(n["c"], 0, 0))
    b.revolute("top", "bar_j", "thigh", xyz=(n["j"], 0, 0), child_xyz=(n["b"], 0, 0))
    b.revolute("ankle_k", "bar_k", "bar_c", xyz=(n["k"], 0, 0), child_xyz=(n["c"], 0, 0))
    b.revolute("heel", "bar_f", "shank", xyz=(n["f"], 0, 0), child_xyz=(n["g"], 0, 0))
    return b.build()


def corner(base: float, side: float, opposite: float) -> Point:
    """Third corner of a triangle left of its base, `side` from the origin and `opposite` from the base's far end."""
    x = (base**2 + side**2 - opposite**2) / (2 * base)
    return x, math.sqrt(side**2 - x**2)


FOOT = corner(_BARS["g"], _BARS["i"], _BARS["h"])
