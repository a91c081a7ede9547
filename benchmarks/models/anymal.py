"""The quadruped ANYmal B."""

from __future__ import annotations

from loopwright import Mechanism

from .links import Link, Trunk, built

SOURCE = "ANYbotics, anymal_b_simple_description; what is bolted together counted as one body"

TRUNK = Trunk("trunk", 16.844, (-0.0018419, -0.0012236, 0.050603),
              (0.2185, 0.64043, 0.62444, -0.001455, -0.0025469, -0.0018048))  # fmt: skip
LEFT_FRONT = (
    Link("lf_hip", "trunk", "x", (0.277, 0.116, 0), (0, 0, 0), 1.4246, (0.064516, -0.0037871, -0.00015218),
         (0.0024302, 0.0023026, 0.0019807, -1.5302e-05, -2.1819e-05, 2.6473e-05)),
    Link("lf_thigh", "lf_hip", "y", (0.0635, 0.041, 0), (0, 0, 0), 1.635, (-0.003898, 0.054227, -0.21458),
         (0.012037, 0.012064, 0.0024942, 6.7621e-05, 0.00028781, -0.0014061)),
    Link("lf_shank", "lf_thigh", "y", (0, 0.109, -0.25), (0, 0, 0), 0.34838, (0.058852, -0.010851, -0.098705),
         (0.0069084, 0.0077562, 0.0010217, 3.2607e-05, 0.0014379, -0.00031828)),
)  # fmt: skip


def anymal() -> Mechanism:
    """A trunk that floats and four legs of three joints: 18 degrees of freedom."""
    left_hind = [link.mirrored(0, "lf", "lh") for link in LEFT_FRONT]
    right_front = [link.mirrored(1, "lf", "rf") for link in LEFT_FRONT]
    right_hind = [link.mirrored(1, "lh", "rh") for link in left_hind]
    return built("anymal", SOURCE, (*LEFT_FRONT, *left_hind, *right_front, *right_hind), TRUNK)
