"""Loops as native code: the same as the text they are made of, kept without Numba."""

from __future__ import annotations

import ctypes
import importlib
import subprocess
import sys

import numpy as np
import pytest

from loopwright.errors import LoopwrightError
from loopwright.program import looped
from loopwright.program.looped import sources
from loopwright.program.memory import address, floats, grid, wholes

FLOATS = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64, ctypes.c_int64, ctypes.c_double)


def weighed(values: object, factor: float) -> float:
    total = 0.0
    for i in range(len(values)):
        total += factor * values[i]
    return total


def summed(at: int, rows: int, factor: float) -> int:
    """Doubles a grid in place and says how large its sum is."""
    table = grid(at, rows, 2)
    total = 0.0
    for r in range(rows):
        total += weighed(table[r], factor)
        for c in range(2):
            table[r, c] *= 2.0
    places = wholes(at, 1)
    return int(total) + 0 * int(places[0]) + 0 * int(address(floats(at, 1)) - at)


def growing(at: int, rows: int, factor: float) -> int:
    return len([factor] * rows)


def test_native_code_does_what_the_text_does():
    made = looped(summed)
    native, plain = np.arange(8.0), np.arange(8.0)
    said = FLOATS(made.address)(native.ctypes.data, 4, 1.5)
    assert said == summed(plain.ctypes.data, 4, 1.5) == 42
    assert native.tolist() == plain.tolist() == (2.0 * np.arange(8.0)).tolist()


def test_a_loop_that_needs_numba_at_run_time_is_refused():
    with pytest.raises(LoopwrightError, match="growing"):
        looped(growing)


def test_what_is_kept_belongs_to_the_text_and_to_what_it_calls_and_to_nothing_else(tmp_path, monkeypatch):
    def of(folder, helper, beside):
        place = tmp_path / folder
        place.mkdir()
        (place / "helping.py").write_text(helper)
        (place / "beside.py").write_text(beside)
        (place / "texts.py").write_text(
            "from __future__ import annotations\nimport beside\nfrom helping import FACTOR, twice\n\n"
            "def text(at: int) -> int:\n    return twice(at) * FACTOR\n"
        )
        with monkeypatch.context() as patch:
            patch.syspath_prepend(place)
            for name in ("texts", "helping", "beside"):
                sys.modules.pop(name, None)
            made = importlib.import_module("texts").text
        assert looped(made).text(3) == made(3)
        return sources(made)

    helper = "FACTOR = 3\n\ndef twice(x):\n    return 2 * x\n"
    first = of("first", helper, "")
    assert of("again", helper, "") == first
    assert of("elsewhere", helper, "other = 1\n") == first
    assert of("called", helper.replace("2 * x", "3 * x"), "") != first
    assert of("named", helper.replace("FACTOR = 3", "FACTOR = 4"), "") != first


def test_translating_leaves_numba_as_it_was():
    import numba

    before = numba.config.OPT
    made = looped(answering)
    assert before == numba.config.OPT
    assert ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(made.address)(5) == 11
    assert numba.njit(lambda x: 2 * x + 1)(5) == 11


def answering(x: int) -> int:
    return 2 * x + 1


def test_kept_loops_run_where_numba_is_not_imported():
    text = (
        "import sys, loopwright as lw\n"
        "run = lw.simulate(lw.zoo.pendulum(), None, 0.1)\n"
        "assert run.finished\n"
        "print('numba' in sys.modules)\n"
    )
    for _ in range(2):
        done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=900, check=True)
    assert done.stdout.strip() == "False"
