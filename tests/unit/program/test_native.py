"""The processor, and code for others than this one."""

from __future__ import annotations

import dataclasses
import re

import casadi
import llvmlite.binding as llvm
import pytest

from loopwright.program import machine, tape_of
from loopwright.program.module import module

X = casadi.SX.sym("x", 3)
TAPE = tape_of(casadi.Function("f", [X], [casadi.vertcat(casadi.sin(X[0]) * X[1] + X[2], casadi.atan2(X[0], X[1]))]))


def test_this_machine():
    here = machine()
    assert here is machine()
    assert here.width in (2, 4, 8)
    assert here.cpu in ("generic", llvm.get_host_cpu_name())


OTHERS = {
    "aarch64-unknown-linux-gnu": ("neoverse-n1", r"fmla\s+v\d+\.2d"),
    "arm64-apple-darwin": ("apple-m1", r"fmla\.2d"),
    "x86_64-pc-windows-msvc": ("skylake", r"vfmadd\w+pd"),
    "x86_64-unknown-linux-gnu": ("znver4", r"vfmadd\w+pd.*zmm"),
}


@pytest.mark.parametrize("triple", OTHERS)
def test_code_for_other_machines(triple):
    """It cannot run here, but it is accepted, keeps its vectors and restores the floating-point flags."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    cpu, vectors = OTHERS[triple]
    width = 2 if triple.startswith(("aarch64", "arm64")) else 8 if cpu == "znver4" else 4
    there = dataclasses.replace(machine(), triple=triple, cpu=cpu, features="", width=width, fma=True)
    try:
        target = llvm.Target.from_triple(triple)
    except RuntimeError:
        pytest.skip(f"this LLVM cannot write for {triple}")
    parsed = llvm.parse_assembly(module(TAPE, there, width))
    parsed.triple = triple
    parsed.verify()
    text = target.create_target_machine(cpu=cpu, opt=2, reloc="pic").emit_assembly(parsed)
    assert re.search(vectors, text)
    assert re.search("feclearexcept" if width == 2 else "ldmxcsr", text)
