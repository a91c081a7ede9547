"""Closed loops: the rows that cut joints bring, and the formulations side by side."""

from .closing import Closed, Closing, close
from .construction import constructed
from .determinate import Step
from .determinate import order as determinate_order
from .determinate import solved as solved_in_steps
from .elimination import Eliminated, eliminated
from .formulations import FORMULATIONS, OVER_TIME, SPECIAL, Formulation, formulation, with_springs
from .inverse import Driven, driven
from .loaded import Loaded, Solution
from .loads import along_cuts, at_cuts, motors
from .loads import spring_energy as cut_spring_energy
from .nearing import nearest
from .order import Order, order
from .rows import Rows, along, gap, own_positions, rows
from .singular import Standing, classified
from .sparse import entries
from .springs import Springs
from .structure import Structure, rank, structure, structure_at

__all__ = [
    "FORMULATIONS",
    "OVER_TIME",
    "SPECIAL",
    "Closed",
    "Closing",
    "Driven",
    "Eliminated",
    "Formulation",
    "Loaded",
    "Order",
    "Rows",
    "Solution",
    "Springs",
    "Standing",
    "Step",
    "Structure",
    "along",
    "along_cuts",
    "at_cuts",
    "classified",
    "close",
    "constructed",
    "cut_spring_energy",
    "determinate_order",
    "driven",
    "eliminated",
    "entries",
    "formulation",
    "gap",
    "motors",
    "nearest",
    "order",
    "own_positions",
    "rank",
    "rows",
    "solved_in_steps",
    "structure",
    "structure_at",
    "with_springs",
]
