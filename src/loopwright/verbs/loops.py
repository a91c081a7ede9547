"""The loops of one mechanism as numbers: closed positions to look at, and the structure found there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np

from ..closure import (
    Closing,
    Order,
    Step,
    Structure,
    along,
    classified,
    close,
    determinate_order,
    eliminated,
    entries,
    gap,
    motors,
    order,
    own_positions,
    rows,
    structure,
)
from ..closure.pairing import Scattered, scattered
from ..closure.rows import blocks, by_coordinate
from ..closure.structure import MANY, rank
from ..closure.structure import regularity as _regularity
from ..closure.subsystems import subsystems
from ..dynamics import Link, links_at, poses
from ..errors import LoopwrightError
from ..mechanism import BY_NAME, Mechanism, Named, require_mechanism
from ..spatial import Array, Pose, array, expression, svd, symbols
from ..topology import BASE, Forest, Topology, forest
from .derivatives import along_directions, differentiated
from .positions import CLOSED, SAMPLES, Search, as_built, built

_LOOKS, _ASIDE = 6, 0.03  # positions looked at beside one, and how far off, in radians or metres
_CLEARLY = 1e-6  # of the largest singular value: Gauss and Newton end this near to a position where a linkage folds

_KEPT: list[Loops] = []
_MOST_KEPT = 8


@dataclass(frozen=True)
class CutRates:
    """The velocities of cut joints are F v, their accelerations F a + drift."""

    F: Array
    drift: Array


class Loops:
    """Made once for a `Dynamics`; nothing is computed before it is asked for."""

    def __init__(self, topology: Topology, near: Array | None = None) -> None:
        """`near` is a closed position on whose branch the loops are to be looked at."""
        self.near = near
        self.mechanism: Mechanism = topology.mechanism
        self.topology = topology
        self._holding: dict[Any, tuple[Callable[..., Array], Callable[..., Array], Array]] = {}
        self._structures: dict[tuple[str, int], tuple[Forest, Any]] = {}

    @property
    def any(self) -> bool:
        return bool(self.mechanism.tree.cuts)

    @property
    def tag(self) -> str:
        """What tells programs of these loops from others of the same mechanism."""
        return "" if self.near is None else "near " + " ".join(float(x).hex() for x in self.near)

    @property
    def many(self) -> bool:
        """Whether matrices of all rows and coordinates would be too large to work with."""
        return self.mechanism.nv > MANY

    @cached_property
    def closing(self) -> Closing:
        """The gap and its exact slope, recorded once."""
        import casadi

        laid_out = self.topology.forest
        q = casadi.SX.sym("q", self.mechanism.nq)
        left = expression(gap(links_at(laid_out, symbols(q)), laid_out.cuts))
        slope = along_directions(laid_out, casadi.jacobian(left, q), symbols(q))
        both = _remembering(casadi.Function("gap", [q], casadi.cse([left, slope])))
        return Closing(
            lambda at: _own(both(at)[0]).ravel(),
            lambda at: _own(both(at)[1]),
            self.mechanism.integrate,
            (lambda at: both(at)[1].tocsc()) if self.many else None,
        )

    def holding(self, wanted: Sequence[Named], poses: Mapping[str, Pose] | None = None) -> Closing:
        """Closing that besides brings these coordinates to their values, and these bodies to their poses.

        Coordinates are those of cut joints, or parts of a free joint.
        """
        held = dict(poses or {})
        if not wanted and not held:
            return self.closing
        key = (tuple((one.joint, one.places) for one in wanted), tuple(held))
        if key not in self._holding:
            self._holding[key] = self._recorded_holding(wanted, list(held))
        left, slope, turning = self._holding[key]
        entries = [one.values for one in wanted] + [np.concatenate([X.R.ravel(), X.p]) for X in held.values()]
        targets = np.concatenate(entries)

        def gap_and_rest(q: Array) -> Array:
            found = left(q, targets)
            # an angle is right when it is right but for full turns
            found[turning] = (found[turning] + np.pi) % (2.0 * np.pi) - np.pi
            return found

        return Closing(gap_and_rest, lambda q: slope(q, targets), self.mechanism.integrate)

    def _recorded_holding(
        self, wanted: Sequence[Named], bodies: Sequence[str]
    ) -> tuple[Callable[..., Array], Callable[..., Array], Array]:
        import casadi

        laid_out = forest(self.mechanism)
        q, v = casadi.SX.sym("q", self.mechanism.nq), casadi.SX.sym("v", self.mechanism.nv)
        target = casadi.SX.sym("target", sum(len(one.values) for one in wanted) + 12 * len(bodies))
        targets = symbols(target)
        links = links_at(laid_out, symbols(q))
        standing = own_positions(links, laid_out.cuts)
        rest, turning, first = [gap(links, laid_out.cuts)], [], 0
        height = len(rest[0])
        for one in wanted:
            here = (standing if one.cut else symbols(q))[list(one.at)]
            should, first = targets[first : first + len(one.values)], first + len(one.values)
            whole = len(one.places) == one.kind.nq
            rest.append(one.kind.difference(should, here) if whole else here - should)
            turning += [height + n for n, k in enumerate(one.places) if k in one.kind.full_turns]
            height += len(rest[-1])
        X = seated(laid_out, links)
        for body in bodies:
            should, first = Pose(targets[first : first + 9].reshape(3, 3), targets[first + 9 : first + 12]), first + 12
            rest.append(BY_NAME["weld"].gap((), should, X[body]))
        left = np.concatenate(rest)
        slope, _ = differentiated(laid_out, left, symbols(q), symbols(v))
        both = casadi.Function("gap", [q, target], casadi.cse([expression(left), expression(slope)]))
        return (
            lambda at, to: _own(both(at, to)[0]).ravel(),
            lambda at, to: _own(both(at, to)[1]),
            np.array(turning, dtype=int),
        )

    @cached_property
    def _cut_rates(self) -> Any:
        import casadi

        laid_out = forest(self.mechanism)
        q, v = casadi.SX.sym("q", self.mechanism.nq), casadi.SX.sym("v", self.mechanism.nv)
        own = along(links_at(laid_out, symbols(q)), laid_out.cuts, laid_out.nv) @ symbols(v)
        by_q, F = differentiated(laid_out, own, symbols(q), symbols(v))
        return casadi.Function("own", [q, v], casadi.cse([expression(F), expression(by_q)]))

    def cut_rates(self, q: Array, v: Array) -> CutRates:
        """F and F' v of the cut joints' own velocities F v."""
        F, by_q = (_own(part) for part in self._cut_rates(q, v))
        return CutRates(F, by_q @ v)

    def bodies_at(self, q: Array) -> dict[str, Pose]:
        """Where every body stands."""
        laid_out = self.topology.forest
        return seated(laid_out, links_at(laid_out, q))

    @cached_property
    def generic_rank(self) -> int:
        """Of the rows in general position."""
        return len(self.structure(self.topology.forest).rows) if self.any else 0

    def branching(self, q: Array) -> bool:
        """Whether the loops leave more freedoms at q than in general position."""
        J, names = self.closing.slope(q), self.mechanism.velocities
        return classified(J, np.zeros((0, len(names))), names, (), self.generic_rank).branching

    def cut_positions(self, q: Array) -> Array:
        """Coordinates of the cut joints, angles within half a turn."""
        laid_out = self.topology.forest
        return own_positions(links_at(laid_out, q), laid_out.cuts)

    def room(self, q: Array) -> dict[str, float]:
        """By coordinate with limits: how far it is from the nearer one, negative beyond it."""
        (low, high), (names, ends) = self.mechanism.limits, self._cut_limits
        values, labels = q, self.mechanism.coordinates
        if len(names):
            values, labels = np.concatenate([q, self.cut_positions(q)]), (*labels, *names)
            low, high = np.concatenate([low, ends[:, 0]]), np.concatenate([high, ends[:, 1]])
        left = np.minimum(values - low, high - values)
        return {label: float(x) for label, x in zip(labels, left, strict=True) if np.isfinite(x)}

    def least_room(self, q: Array) -> float:
        """The least of them."""
        return min(self.room(q).values(), default=np.inf)

    @cached_property
    def _cut_limits(self) -> tuple[tuple[str, ...], Array]:
        free = (-np.inf, np.inf)
        cuts = self.mechanism.tree.cuts
        ends = [pair for joint in cuts for pair in joint.limits or (free,) * BY_NAME[joint.kind].nq]
        if not np.isfinite(ends).any():
            return (), np.zeros((0, 2))
        return self.mechanism.cut_coordinates, np.array(ends, dtype=float)

    def within_limits(self, q: Array) -> bool:
        """Whether every joint is, cut ones included."""
        return self.least_room(q) >= -CLOSED

    @cached_property
    def size(self) -> float:
        """A length of the mechanism: the longest way from a joint to the next."""
        laid_out = self.topology.forest
        reaches = [node.X_tree.p for node in laid_out.nodes]
        reaches += [seat.X.p for cut in laid_out.cuts for seat in (cut.parent, cut.child)]
        return max((float(np.linalg.norm(np.asarray(p, dtype=float))) for p in reaches), default=0.0) or 1.0

    @cached_property
    def spread(self) -> Array:
        """How far each velocity's coordinate may be from anywhere: half a turn, or the mechanism's size."""
        found = np.full(self.mechanism.nv, np.pi)
        for node in self.topology.forest.nodes:
            P = np.asarray(node.kind.motion(node.shape, node.kind.neutral()), dtype=float)
            found[node.v][np.abs(P[:3]).max(axis=0, initial=0.0) == 0.0] = self.size
        return found

    @cached_property
    def positions(self) -> list[Array]:
        """Closed positions in different places, the same at every run, all of the most rank, the clearest first."""
        return self._searched[:SAMPLES]

    @cached_property
    def as_built(self) -> list[Array]:
        """Regular positions on the branch nearest to the neutral one; none where rings of three do not make it.

        With very many coordinates the search has looked nowhere else.
        """
        return as_built(self) if self.near is None and not self.many else []

    @cached_property
    def _searched(self) -> list[Array]:
        return Search(self).positions()

    def regularity(self, q: Array) -> tuple[int, float]:
        """How many rows are independent at q, and how clearly."""
        if self.closing.thin is None:
            return _regularity(scattered([self.closing.slope(q)]), _CLEARLY)
        J = self.closing.thin(q).tocoo()
        return _regularity(Scattered(J.shape, J.row, J.col, J.data[:, None]), _CLEARLY)

    def fits(self, q: Array) -> bool:
        """Whether the rows that are kept stand for all of them at q, as they do on the branches that were looked at."""
        if self.many:
            return True  # it would take longer than the answer
        return self._stands(self.closing.slope(q))[0]

    def _stands(self, J: Array) -> tuple[bool, int]:
        """Whether the rows that are kept are as many independent ones as all are, and how many these are."""
        if not np.isfinite(J).all():
            return True, 0
        kept, all_of_them = list(self.structure(self.topology.forest).rows), rank(J, _CLEARLY)
        return rank(J[kept], _CLEARLY) >= all_of_them, all_of_them

    def belongs(self, q: Array) -> bool:
        """Whether what is known of the rows holds where motions go on from q.

        Fewer may be independent at q and there too: three parallel cranks on one coupler move, where those that were
        put together in another way do not. At a singular position they are fewer at q only.
        """
        if self.many:
            return True
        fits, here = self._stands(self.closing.slope(q))
        usual = self.generic_rank
        return fits and (here >= usual or max(self._beside(q, here), default=usual) >= usual)

    def _beside(self, q: Array, rank_here: int) -> Iterator[int]:
        """The rank at closed positions a little away."""
        free = svd(self.closing.slope(q))[2][rank_here:]
        rng = np.random.default_rng(0)
        for _ in range(_LOOKS if len(free) else 0):
            way = rng.normal(size=len(free)) @ free
            ended = close(self.closing, self.mechanism.integrate(q, _ASIDE * way / np.linalg.norm(way)))
            if ended.left <= CLOSED and np.linalg.norm(self.mechanism.difference(q, ended.q)) > _ASIDE / 3.0:
                yield self.regularity(ended.q)[0]

    @cached_property
    def square_positions(self) -> list[Array]:
        """Closed positions with the driving coordinates at quarter turns, of the same rank.

        Drawings and calculations like to begin at such positions, and there entries vanish that do so nowhere else.
        """
        held, names = np.array(self.independent, dtype=int), self.mechanism.velocities
        turning = np.isin(held, np.flatnonzero(self.spread == np.pi))
        places = [
            self.mechanism.coordinates.index(names[k]) for k in held[turning] if names[k] in self.mechanism.coordinates
        ]
        most = len(self.structure(self.topology.forest).rows)
        found: list[Array] = []
        starts = self.mechanism.neutral(), *(() if self.many else self.positions)
        for quarter, base in product(range(4) if places else (), starts):
            q = base.copy()
            q[places] = quarter * np.pi / 2.0
            given = {names[k]: quarter * np.pi / 2.0 for k in held[turning]}
            start = built(self, given, q) if self.many else None
            ended = close(self.closing, q if start is None else start, fixed=held)
            new = not any(np.allclose(ended.q, other, atol=1e-3) for other in found)
            if new and ended.left <= CLOSED and self.regularity(ended.q)[0] == most:
                found.append(ended.q)
        return found

    def structure(self, laid_out: Forest) -> Structure:
        """Rows to compute with, in the axes of this layout, and coordinates, the same in every layout."""
        return self._kept("loops", laid_out, lambda: self._structure(laid_out, independent=self.independent))

    def driving(self, laid_out: Forest, places: Sequence[int], preferred: Sequence[int]) -> Structure:
        """The same with a unit row for each of these places in v before the rows of the loops."""

        def found() -> Structure:
            n, J = len(places), self._rows(laid_out)
            return structure(
                Scattered(
                    (n + J.shape[0], J.shape[1]),
                    np.concatenate([np.arange(n), J.rows + n]),
                    np.concatenate([np.array(places, dtype=int), J.columns]),
                    np.concatenate([np.ones((n, J.positions)), J.values]),
                ),
                preferred,
            )

        return self._kept(f"driving {places} {preferred}", laid_out, found)

    @cached_property
    def independent(self) -> tuple[int, ...]:
        """Places in v of the coordinates that drive the others."""
        preferred = self.mechanism.actuated if self.mechanism.nu < self.mechanism.nv else ()
        return self._structure(self.topology.forest, preferred).independent

    def _structure(
        self, laid_out: Forest, preferred: Sequence[int] = (), independent: Sequence[int] | None = None
    ) -> Structure:
        return structure(self._rows(laid_out), preferred, independent)

    def _rows(self, laid_out: Forest) -> Scattered:
        """J at the closed positions."""
        if not self.any:
            return Scattered((0, laid_out.nv), np.zeros(0, dtype=int), np.zeros(0, dtype=int), np.zeros((0, 1)))
        height = sum(cut.rows for cut in laid_out.cuts)

        def there(links: list[Link]) -> dict[tuple[int, int], Any]:
            lines = by_coordinate(blocks(links, laid_out.cuts)[0], range(height))
            return {(row, k): x for row, line in enumerate(lines) for k, x in line.items()}

        places, values = self._entries(laid_out, there)
        at = np.array(places, dtype=int).reshape(-1, 2)
        return Scattered((height, laid_out.nv), at[:, 0], at[:, 1], values)

    def motors(self, laid_out: Forest) -> Structure:
        """Which freedoms the motors drive: rows of N^T B, and columns, the motors that are needed for it."""

        def reach(links: list[Link]) -> Array:
            J = rows(links, laid_out.cuts, laid_out.nv).J
            chosen = self.structure(laid_out)
            N = eliminated(J[list(chosen.rows)], chosen).N
            return N.T @ motors(laid_out, links, self.mechanism.nu)

        return self._kept("motors", laid_out, lambda: structure(self._at_positions(laid_out, reach)))

    @cached_property
    def determinate(self) -> bool:
        """Whether motions determine the motors' forces, one motor for every freedom."""
        try:
            self.by_subsystems(self.topology.forest)
        except LoopwrightError:
            return False
        return True

    def by_subsystems(self, laid_out: Forest) -> tuple[Step, ...]:
        """In which order the subsystems give motors and multipliers, where they are determinate."""
        kept = list(self.structure(laid_out).rows)

        def equations(links: list[Link]) -> Array:
            J = rows(links, laid_out.cuts, laid_out.nv).J[kept]
            return np.concatenate([motors(laid_out, links, self.mechanism.nu), J.T], axis=1)

        groups = [one.coordinates for one in subsystems(links_at(laid_out, self.mechanism.neutral()))]
        return self._kept(
            "subsystems", laid_out, lambda: determinate_order(self._at_positions(laid_out, equations), groups)
        )

    def order(self, laid_out: Forest) -> Order:
        """In which order the sparse equations are eliminated, in the axes of this layout."""
        kept = self.structure(laid_out).rows

        def found() -> Order:
            first = self.as_built
            first = first + self.square_positions if first else []
            places, values = self._entries(
                laid_out,
                lambda links: entries(links, by_coordinate(blocks(links, laid_out.cuts)[0], kept)),
                [*first, *self._searched, *(() if first else self.square_positions)],
            )
            return order(dict(zip(places, values, strict=True)), laid_out.nv, len(kept), len(first))

        return self._kept("order", laid_out, found)

    def _entries(
        self,
        laid_out: Forest,
        of: Callable[[list[Link]], dict[tuple[int, int], Any]],
        positions: Sequence[Array] | None = None,
    ) -> tuple[list[tuple[int, int]], Array]:
        """Where a matrix has entries, and what they are at closed positions, one column for each."""
        places: list[tuple[int, int]] = []

        def there(links: list[Link]) -> Array:
            values = of(links)
            places.extend(values)
            return array(list(values.values()))

        seen = self._at_positions(laid_out, there, positions)
        return places, np.stack([values.ravel() for values in seen], axis=1)

    def _kept(self, what: str, laid_out: Forest, find: Callable[[], Any]) -> Any:
        key = (what, id(laid_out))
        if key not in self._structures:
            self._structures[key] = (laid_out, find())
        return self._structures[key][1]

    def _at_positions(
        self, laid_out: Forest, of: Callable[[list[Link]], Array], positions: Sequence[Array] | None = None
    ) -> list[Array]:
        """A matrix at closed positions; parameters that are symbols in the layout have their present values."""
        import casadi

        q = casadi.SX.sym("position of the mechanism", self.mechanism.nq)
        matrix = expression(of(links_at(laid_out, symbols(q))))
        own = {str(name) for name in casadi.vertsplit(q)}
        free = [symbol for symbol in casadi.symvar(matrix) if str(symbol) not in own]
        values = [self.mechanism.values[str(symbol)] for symbol in free]
        function = casadi.Function("matrix", [q, *free], [casadi.densify(matrix)])
        return [np.asarray(function(at, *values)) for at in (self.positions if positions is None else positions)]


def seated(laid_out: Forest, links: list[Link]) -> dict[str, Pose]:
    """Where every body of the user stands."""
    X = poses(links)
    return {body: seat.X if seat.node == BASE else X[seat.node] @ seat.X for body, seat in laid_out.seats.items()}


def loops_of(mechanism: Mechanism) -> Loops:
    """Those of a mechanism asked about before are kept, with what was recorded of them."""
    require_mechanism("the question", mechanism)
    for kept in _KEPT:
        if kept.mechanism is mechanism:
            return kept
    del _KEPT[: len(_KEPT) - _MOST_KEPT + 1]
    _KEPT.append(Loops(Topology(mechanism)))
    return _KEPT[-1]


def _remembering(function: Any) -> Any:
    """With its latest answer kept: gap and slope are asked for one after the other."""
    latest: list[Any] = [b"", None]

    def answer(at: Array) -> Any:
        key = np.asarray(at, dtype=float).tobytes()
        kept, found = latest
        if kept != key or found is None:
            found = function(at)
            latest[:] = [key, found]
        return found

    return answer


def _own(matrix: Any) -> Array:
    """Of CasADi, as an array; adding nothing clears the mark of an invalid number that it may leave in the processor,

    which NumPy's decompositions would take for their own.
    """
    return np.asarray(matrix) + 0.0
