"""A recorded function as a flat tape, as native code, as counts; nothing here knows mechanics."""

from .algebra import NoForm, TooLarge, sympy_package
from .c_source import Argument, c_source, identifier
from .counts import Counts, counted
from .kernel import Face, Kernel, compiled, compiled_rolled
from .looped import Loop, looped
from .native import Machine, machine
from .notices import listening
from .rolled import Rolled, Sweep, rolled_of
from .system import System
from .tape import Operation, Tape, tape_of
from .tidy import expressions

__all__ = [
    "Argument",
    "Counts",
    "Face",
    "Kernel",
    "Loop",
    "Machine",
    "NoForm",
    "Operation",
    "Rolled",
    "Sweep",
    "System",
    "Tape",
    "TooLarge",
    "c_source",
    "compiled",
    "compiled_rolled",
    "counted",
    "expressions",
    "identifier",
    "listening",
    "looped",
    "machine",
    "rolled_of",
    "sympy_package",
    "tape_of",
]
