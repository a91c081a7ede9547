"""Start, compile or find one kernel, answer once and stop: `python -m benchmarks.starting ur5 forward`."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from typing import Any

import loopwright as lw
from loopwright.program import kernel as kernels
from loopwright.verbs import record

from .models import ROBOTS
from .states import TAKES

STEPS = {
    "record": (record, "tape"),
    "emit": (kernels, "module"),
    "llvm": (kernels, "object_code"),
    "load": (kernels, "loaded"),
}


def main(name: str, quantity: str) -> None:
    spent: dict[str, float] = {}
    for step, (where, function) in STEPS.items():
        setattr(where, function, _timed(getattr(where, function), step, spent))
    start = time.perf_counter()
    mechanism = ROBOTS[name]()
    spent["build"] = time.perf_counter() - start
    q, v = mechanism.random_state()
    given = (q, v, v)[: len(TAKES[quantity])]
    start = time.perf_counter()
    lw.Dynamics(mechanism).kernel(quantity)(*given)
    spent["answer"] = time.perf_counter() - start
    print(json.dumps(spent))


def _timed(function: Callable[..., Any], step: str, spent: dict[str, float]) -> Callable[..., Any]:
    def measured(*given: Any) -> Any:
        start = time.perf_counter()
        made = function(*given)
        spent[step] = time.perf_counter() - start
        return made

    return measured


if __name__ == "__main__":
    main(*sys.argv[1:])
