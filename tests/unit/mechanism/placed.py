"""Where bodies stand and how they weigh, computed from a mechanism with the recursive texts on plain numbers."""

import numpy as np

from loopwright.dynamics import MASS, gravitational, kinetic, links_at, poses, twists
from loopwright.dynamics.newton_euler import inverse_dynamics
from loopwright.topology import forest


def body_pose(mechanism, body, q):
    """Of a body in the ground."""
    laid_out = forest(mechanism)
    seat, X = laid_out.seats[body], poses(links_at(laid_out, np.asarray(q, dtype=float)))
    return seat.X if seat.node < 0 else X[seat.node] @ seat.X


def mass_matrix(mechanism, q, parameters=None):
    """On the tree's coordinates; `parameters` replaces some values, perhaps by complex numbers."""
    laid_out = forest(mechanism, parameters)
    return MASS[0].function(links_at(laid_out, np.asarray(q, dtype=float)), laid_out.nv)


def energies(mechanism, q, v):
    """(kinetic, potential)"""
    laid_out = forest(mechanism)
    links = links_at(laid_out, q, v)
    return kinetic(links, twists(links)), gravitational(links, poses(links), laid_out.gravity)


def forces(mechanism, q, v, a):
    """Generalised forces of a motion of the tree under gravity, without loads."""
    laid_out = forest(mechanism)
    still = [np.zeros(6) for _ in laid_out.nodes]
    return inverse_dynamics(links_at(laid_out, q, v), a, laid_out.gravity, still)
