"""Ready mechanisms, one file each: every function returns a Mechanism and says where its numbers come from.

A file may also hold START, the coordinates at which the published motion begins and every loop closes, and RATES,
the velocities there when it does not begin at rest; both are for the default keywords.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from types import MappingProxyType

from ..errors import LoopwrightError
from ..mechanism import Mechanism, known, unknown
from .andrews import andrews
from .bennett import bennett
from .bricard import bricard
from .carpet_scraper import carpet_scraper
from .cassie_leg import cassie_leg
from .chain import chain
from .delta import delta
from .digit_leg import digit_leg
from .dual_arm_space_robot import dual_arm_space_robot
from .excavator import excavator
from .five_bar import five_bar
from .flyball import flyball
from .four_bar import four_bar
from .gripper_tree import gripper_tree
from .hexapod import hexapod
from .hoeken import hoeken
from .jansen_leg import jansen_leg
from .kuka_kr5 import kuka_kr5
from .n_four_bar import n_four_bar
from .n_pendulum import n_pendulum
from .peaucellier import peaucellier
from .pendulum import pendulum
from .planar_3r import planar_3r
from .puma560 import puma560
from .puma560_mdh import puma560_mdh
from .quadruped import quadruped
from .redysim_four_bar import redysim_four_bar
from .robotic_leg import robotic_leg
from .rssr import rssr
from .rsur import rsur
from .schatz import schatz
from .scissor_lift import scissor_lift
from .slider_crank import slider_crank
from .space_robot import space_robot
from .spatial_biped import spatial_biped
from .spring_four_bar import spring_four_bar
from .stanford_arm import stanford_arm
from .stephenson_six_bar import stephenson_six_bar
from .stewart import stewart
from .three_rrr import three_rrr
from .wang_four_bar import wang_four_bar
from .watt_six_bar import watt_six_bar

OPEN = (
    pendulum,
    n_pendulum,
    planar_3r,
    chain,
    puma560,
    puma560_mdh,
    stanford_arm,
    kuka_kr5,
    gripper_tree,
    flyball,
    space_robot,
    dual_arm_space_robot,
    spatial_biped,
    quadruped,
    hexapod,
)
CLOSED = (
    four_bar,
    hoeken,
    redysim_four_bar,
    wang_four_bar,
    spring_four_bar,
    n_four_bar,
    slider_crank,
    five_bar,
    three_rrr,
    stewart,
    carpet_scraper,
    robotic_leg,
    andrews,
    watt_six_bar,
    stephenson_six_bar,
    peaucellier,
    jansen_leg,
    scissor_lift,
    excavator,
    delta,
    cassie_leg,
    digit_leg,
    rssr,
    rsur,
    bennett,
    bricard,
    schatz,
)
MECHANISMS: Mapping[str, Callable[..., Mechanism]] = MappingProxyType(
    {member.__name__: member for member in (*OPEN, *CLOSED)}
)


def describe(name: str) -> str:
    """One line about a ready mechanism."""
    return (_member(name).__doc__ or "").strip().splitlines()[0]


def start(name: str) -> dict[str, float]:
    """Coordinates at which its published motion begins, by name; every loop closes there."""
    return dict(import_module(_member(name).__module__).START)


def rates(name: str) -> dict[str, float]:
    """Velocities there, by name; empty when it begins at rest."""
    return dict(getattr(import_module(_member(name).__module__), "RATES", {}))


def _member(name: str) -> Callable[..., Mechanism]:
    if not known(name, MECHANISMS):
        raise LoopwrightError(unknown(name, "mechanism", list(MECHANISMS), "zoo"))
    return MECHANISMS[name]


__all__ = [
    "CLOSED",
    "MECHANISMS",
    "OPEN",
    "andrews",
    "bennett",
    "bricard",
    "carpet_scraper",
    "cassie_leg",
    "chain",
    "delta",
    "describe",
    "digit_leg",
    "dual_arm_space_robot",
    "excavator",
    "five_bar",
    "flyball",
    "four_bar",
    "gripper_tree",
    "hexapod",
    "hoeken",
    "jansen_leg",
    "kuka_kr5",
    "n_four_bar",
    "n_pendulum",
    "peaucellier",
    "pendulum",
    "planar_3r",
    "puma560",
    "puma560_mdh",
    "quadruped",
    "rates",
    "redysim_four_bar",
    "robotic_leg",
    "rssr",
    "rsur",
    "schatz",
    "scissor_lift",
    "slider_crank",
    "space_robot",
    "spatial_biped",
    "spring_four_bar",
    "stanford_arm",
    "start",
    "stephenson_six_bar",
    "stewart",
    "three_rrr",
    "wang_four_bar",
    "watt_six_bar",
]
