"""What a later sweep needs of an earlier one: kept in memory, or computed again, whichever costs less.

Every value may be read back, at the price of memory, or computed from others that then are needed too. The
cheapest choice for all of them together is a minimum cut of a network in which keeping and computing are edges.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from .tape import CONSTANT, Operation

READ, WRITE = 12, 16  # what a vector of memory costs, in additions
_COST = {"sin": 20, "cos": 20, "tan": 60, "atan2": 60, "div": 16, "inv": 16, "sqrt": 16, "neg": 0, "assign": 0}
_LIBRARY = ("exp", "log", "pow", "constpow", "asin", "acos", "atan", "sinh", "cosh", "tanh")
_NEVER = 10**8


def cost(operation: Operation) -> int:
    """Of computing a value anew, in additions."""
    return 100 if operation.name in _LIBRARY else _COST.get(operation.name, 1)


def kept(
    operations: Sequence[Operation], wanted: Collection[int], late: Collection[int], free: Collection[int],
    already: Collection[int],
) -> set[int]:  # fmt: skip
    """The values to read from memory so that those `wanted` can be computed.

    Those in `late` cannot be read, `free` are at hand, `already` in memory.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import breadth_first_order, maximum_flow

    reached = _reached(operations, wanted)
    number = {k: n for n, k in enumerate(reached)}
    source, sink = 2 * len(reached), 2 * len(reached) + 1
    edges: list[tuple[int, int, int]] = [(source, 2 * number[k], _NEVER) for k in wanted]
    for k, n in number.items():
        # needed -> computed costs the reading, computed -> its operands nothing, computed -> the end the computing
        reading = 0 if k in free else _NEVER if k in late else READ if k in already else READ + WRITE
        operation = operations[k]
        computing = cost(operation) if operation.of or operation.name == CONSTANT or k in late else _NEVER
        edges += [(2 * n, 2 * n + 1, reading), (2 * n + 1, sink, computing)]
        edges += [(2 * n + 1, 2 * number[i], _NEVER) for i in set(operation.of)]
    heads, tails, capacity = (np.array(column, dtype=np.int32) for column in zip(*edges, strict=True))
    network = csr_array((capacity, (heads, tails)), shape=(sink + 1, sink + 1))
    left = network - maximum_flow(network, source, sink).flow
    left.eliminate_zeros()
    on_this_side = set(breadth_first_order(left, source, return_predecessors=False).tolist())
    return {k for k, n in number.items() if 2 * n in on_this_side and 2 * n + 1 not in on_this_side and k not in free}


def _reached(operations: Sequence[Operation], wanted: Collection[int]) -> list[int]:
    seen, stack = set(wanted), list(wanted)
    while stack:
        for i in operations[stack.pop()].of:
            if i not in seen:
                seen.add(i)
                stack.append(i)
    return sorted(seen)
