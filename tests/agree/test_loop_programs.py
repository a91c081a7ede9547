"""What is asked of mechanisms with loops as programs: CasADi, C, native code one by one and side by side, counts."""

from __future__ import annotations

import numpy as np
import pytest

import loopwright as lw
from loopwright.program import Counts
from loopwright.zoo.n_four_bar import n_four_bar
from tests.mechanisms import close
from tests.unit.program.test_c_source import built, needs_compiler

ASKED = (
    "forward",
    "inverse",
    "forward_derivatives",
    "inverse_derivatives",
    "embedding",
    "closure",
    "closure_jacobian",
)
COUNT = 9  # one more than fits side by side
SMALL = tuple(name for name in ASKED if "derivatives" not in name)
SUBJECTS = {"four_bar": ASKED, "rssr": SMALL}  # the derivatives of a spatial loop take seconds to compile


def states(name):
    """Closed positions around the start, motions that keep them closed, forces."""
    mechanism, start = lw.zoo.MECHANISMS[name](), lw.zoo.start(name)
    dyn, rng = lw.Dynamics(mechanism, compiled=False), np.random.default_rng(8)
    first = np.array([start[c] for c in mechanism.coordinates])
    moved = [mechanism.integrate(first, 0.1 * rng.normal() * dyn.embedding(first)[:, 0]) for _ in range(COUNT)]
    q = np.array([lw.assemble(mechanism, near=near)[0].q for near in moved])
    v, a = dyn.complete(q, *rng.normal(size=(2, COUNT, len(dyn.independent))))
    return mechanism, {"q": q, "v": v, "a": a, "tau": rng.normal(size=(COUNT, mechanism.nu))}


def by_numpy(dyn, asked, given):
    if asked == "forward":
        return dyn.forward(given["q"], given["v"], given["tau"])
    found = dyn.inverse(given["q"], given["v"], given["a"], details=True)
    return found.tau


@pytest.mark.parametrize("name", SUBJECTS)
@needs_compiler
def test_all_programs_are_the_same(name, tmp_path):
    mechanism, given = states(name)
    dyn = lw.Dynamics(mechanism, compiled=False)
    for asked in SUBJECTS[name]:
        program = dyn.casadi(asked)
        inputs = [given[key] for key in program.name_in()]
        expected = np.array([np.array(program(*state)).ravel() for state in zip(*inputs, strict=True)])
        assert np.isfinite(expected).all()
        scale = 1.0 if asked == "closure" else None  # of metres: it is zero
        in_c = built(dyn.c_source(asked), tmp_path)
        found = [in_c(*state, size=expected.shape[1]) for state in zip(*inputs, strict=True)]
        close(found, expected, 1e-13, scale=scale)
        for width in (1, None):
            kernel = dyn.kernel(asked, width=width)
            close(kernel(*inputs).reshape(expected.shape), expected, 1e-12, scale=scale)
        if asked in ("forward", "inverse"):
            answer = by_numpy(dyn, asked, given)
            close(answer, expected[:, : answer.shape[1]], 1e-11)


@pytest.mark.parametrize("name", SUBJECTS)
def test_what_is_recorded_is_counted(name):
    dyn = lw.Dynamics(lw.zoo.MECHANISMS[name]())
    counts = {asked: dyn.count(asked) for asked in ASKED}
    assert all(isinstance(one, Counts) and one.total > 0 for one in counts.values())
    assert counts["embedding"].total < counts["inverse"].total
    assert counts["inverse"].total < counts["forward"].total < counts["forward_derivatives"].total


@needs_compiler
def test_programs_mark_singular_positions_and_nothing_else(tmp_path):
    mechanism = n_four_bar(1)
    dyn = lw.Dynamics(mechanism, formulation="sparse")
    flat, bent = (np.array([-1.0, 1.0, -1.0]) * angle for angle in (np.pi / 2, 0.7))
    v, tau = np.array([-1.0, 1.0, -1.0]), np.zeros(3)
    in_c = built(dyn.c_source("forward"), tmp_path)
    program = dyn.casadi("forward")
    for q, lost in ((flat, True), (bent, False)):
        for found in (in_c(q, v, tau, size=3), np.array(program(q, v, tau)), dyn.kernel("forward", width=1)(q, v, tau)):
            assert np.isnan(found).all() == lost
            assert np.isfinite(found).all() != lost


def test_the_c_file_says_what_it_gives():
    dyn = lw.Dynamics(lw.zoo.five_bar())
    said = " ".join(dyn.c_source("inverse_derivatives").split("*/")[0].replace("*", " ").split())
    assert "row by row: of the forces of the actuators (shoulder_1, shoulder_2) by shoulder_1, shoulder_2" in said
    said = " ".join(dyn.c_source("forward").split("*/")[0].replace("*", " ").split())
    assert f"Forward dynamics (formulation {dyn.formulation.name})" in said
    assert "not a number at singular positions" in said
    with pytest.raises(lw.LoopwrightError, match=r"algorithm='rnea' is for trees"):
        dyn.kernel("inverse", algorithm="rnea")


def test_a_parameter_may_stay_free_in_programs_of_loops():
    b = lw.Builder("free_length", gravity=(0, -9.81, 0))
    b.parameter("l", 0.8)
    b.body("crank", 1.0, com=(0.15, 0, 0), inertia=(0, 0.01, 0.01))
    b.body("coupler", 2.0, com=(0.5 * b["l"], 0, 0), inertia=(0, 0.1, 0.1))
    b.body("rocker", 1.5, com=(0.3, 0, 0), inertia=(0, 0.05, 0.05))
    b.revolute("crank_joint", "ground", "crank", actuated=True)
    b.revolute("rocker_joint", "ground", "rocker", xyz=(0.9, 0, 0))
    b.revolute("crank_pin", "crank", "coupler", xyz=(0.3, 0, 0))
    b.revolute("rocker_pin", "coupler", "rocker", xyz=(b["l"], 0, 0), child_xyz=(0.6, 0, 0))
    mechanism = b.build()
    kernel = lw.Dynamics(mechanism).kernel("forward", parameters=("l",))
    for length in (0.8, 0.75):
        changed = mechanism.with_parameters(l=length)
        dyn = lw.Dynamics(changed)
        q = lw.assemble(changed, {"crank_joint": 0.9})[0].q
        v, _ = dyn.complete(q, {"crank_joint": 2.0})
        close(kernel(q, v, [0.5], length), dyn.forward(q, v, [0.5]), 1e-11)
