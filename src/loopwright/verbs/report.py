"""`lw.report(mech)`: what the mechanism is and how it will be computed, in words and tables."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from ..errors import LoopwrightError
from ..mechanism import BY_NAME, Mechanism, evaluated, require_mechanism
from ..topology import Topology
from .freedoms import freedoms
from .loops import Loops

_MOST = 60  # coordinates up to which the closed positions are looked at: beyond, a report would take seconds
_SHOWN = 6  # joints of a list


@dataclass(frozen=True)
class Report:
    """Prints as text; `data` holds the same for a program."""

    data: dict[str, Any]

    def __str__(self) -> str:
        return _text(self.data)


def report(mechanism: Mechanism, cuts: Collection[str] | None = None) -> Report:
    """Bodies, joints, loops, cuts, subsystems, modules, freedoms, and what redundant constraints leave open."""
    require_mechanism("report", mechanism)
    topology = Topology.of(mechanism, cuts)
    mechanism = topology.mechanism
    cut_names = {loop.name for loop in topology.loops}
    count = topology.mobility
    return Report(
        {
            "name": mechanism.name,
            "source": mechanism.source,
            "gravity": [float(g) for g in evaluated(mechanism.gravity, mechanism.values)],
            "parameters": dict(mechanism.values),
            "bodies": [_body(body, mechanism) for body in mechanism.bodies],
            "joints": [_joint(joint, cut_names) for joint in mechanism.joints],
            "loops": [
                {
                    "name": loop.name,
                    "bodies": list(loop.bodies),
                    "joints": [*loop.joints, loop.name],
                    "rows": loop.rows,
                    "subsystems": [k + 1 for k in through],
                }
                for loop, through in zip(topology.loops, topology.loop_subsystems, strict=True)
            ],
            "subsystems": [list(group) for group in topology.subsystems],
            "modules": [list(module) for module in topology.modules],
            "coordinates": list(mechanism.coordinates),
            "velocities": list(mechanism.velocities),
            "actuators": list(mechanism.actuators),
            "mobility": {"spatial": count.spatial, "planar": count.planar, "normal": count.normal},
            "freedoms": _freedoms(topology),
            "notes": list(mechanism.notes),
        }
    )


def _freedoms(topology: Topology) -> dict[str, Any]:
    """From the rank of the rows; `unknown` says why nothing is known."""
    if topology.mechanism.nv > _MOST:
        return {"unknown": f"more than {_MOST} coordinates, so the rank of the closure rows was not looked at"}
    try:
        found = freedoms(Loops(topology))
    except LoopwrightError as error:
        return {"unknown": str(error)}
    return {
        "mobility": found.mobility,
        "positions": found.positions,
        "redundant": found.redundant,
        "idle": found.idle,
        "undriven": found.undriven,
        "loose": found.loose,
        "open_forces": found.open_forces,
        "remedy": None if found.remedy is None else [[one.joint, one.kind, one.by] for one in found.remedy],
    }


def _body(body: Any, mechanism: Mechanism) -> dict[str, Any]:
    mass, com, inertia = evaluated((body.mass, body.com, body.inertia), mechanism.values)
    return {
        "name": body.name,
        "mass": float(mass),
        "com": [float(x) + 0.0 for x in com],  # -0.0 is 0 to a reader
        "inertia": [float(x) + 0.0 for x in inertia],
    }


def _joint(joint: Any, cuts: set[str]) -> dict[str, Any]:
    extras = [
        word
        for word, values in (
            ("spring", joint.stiffness),
            ("damping", joint.damping),
            ("friction", [x for pair in joint.friction for x in pair]),
            ("rotor", joint.rotor_inertia),
            ("limits", joint.limits),
        )
        if any(value != 0.0 for value in values)
    ]
    return {
        "name": joint.name,
        "kind": joint.kind,
        "parent": joint.parent,
        "child": joint.child,
        "freedoms": BY_NAME[joint.kind].nv,
        "actuated": any(joint.actuated),
        "cut": joint.name in cuts,
        "with": extras,
    }


def _text(d: dict[str, Any]) -> str:
    loops, joints = d["loops"], d["joints"]
    lines = [
        f"{d['name']}: {_count(d['bodies'], 'body', 'bodies')}, {_count(joints, 'joint')}, {_count(loops, 'loop')}"
    ]
    if d["source"]:
        lines.append(f"source: {d['source']}")
    gravity = ", ".join(f"{g:g}" for g in d["gravity"])
    lines.append(f"gravity ({gravity}) m/s²")
    if d["parameters"]:
        lines.append("parameters: " + ", ".join(f"{name} = {value:g}" for name, value in d["parameters"].items()))
    lines += [
        "",
        _table(("body", "mass kg", "centre m", "inertia about it kg m²"), [_body_row(b) for b in d["bodies"]]),
    ]
    lines += ["", _table(("joint", "kind", "from", "to", "freedoms", ""), [_joint_row(j) for j in joints])]
    lines += ["", *_coordinates(d), "", *_loops(d), "", *_groups(d), "", *_mobility(d)]
    lines += [f"note: {note}" for note in d["notes"]]
    return "\n".join(line.rstrip() for line in lines)


def _body_row(b: dict[str, Any]) -> tuple[str, ...]:
    diagonal = ", ".join(f"{x:.4g}" for x in b["inertia"][:3])
    products = ", ".join(f"{x:.4g}" for x in b["inertia"][3:])
    return (
        b["name"],
        f"{b['mass']:.6g}",
        "(" + ", ".join(f"{x:.4g}" for x in b["com"]) + ")",
        diagonal + (f"; {products}" if any(b["inertia"][3:]) else ""),
    )


def _joint_row(j: dict[str, Any]) -> tuple[str, ...]:
    marks = (["actuated"] if j["actuated"] else []) + (["cut"] if j["cut"] else []) + j["with"]
    return (j["name"], j["kind"], j["parent"], j["child"], str(j["freedoms"]), ", ".join(marks))


def _coordinates(d: dict[str, Any]) -> list[str]:
    nq, nv = len(d["coordinates"]), len(d["velocities"])
    lines = [f"{nv} tree coordinates: {_few(d['velocities'])}"]
    if nq != nv:
        lines.append(f"q has {nq} numbers, v has {nv}: orientations are quaternions (x, y, z, w)")
    if d["actuators"] == d["velocities"]:
        lines.append("no joint is declared actuated, so every tree coordinate takes a force")
    else:
        lines.append(f"{_count(d['actuators'], 'actuator')}: {_few(d['actuators'])}")
    return lines


def _loops(d: dict[str, Any]) -> list[str]:
    if not d["loops"]:
        return ["no loops: an open tree"]
    lines = ["loops, each opened at the joint in brackets:"]
    for loop in d["loops"]:
        path = " - ".join(loop["bodies"]) + f" - [{loop['name']}]"
        through = ", ".join(str(k) for k in loop["subsystems"])
        plural = "s" if len(loop["subsystems"]) > 1 else ""
        lines.append(f"  {path}   {loop['rows']} rows, subsystem{plural} {through}")
    lines.append(f"{sum(loop['rows'] for loop in d['loops'])} closure rows on {len(d['velocities'])} tree coordinates")
    return lines


def _groups(d: dict[str, Any]) -> list[str]:
    def braces(groups: list[list[str]]) -> str:
        return _few(["{" + _few(group) + "}" for group in groups])

    return [f"subsystems: {braces(d['subsystems'])}", f"modules: {braces(d['modules'])}"]


def _mobility(d: dict[str, Any]) -> list[str]:
    found = d["freedoms"]
    if not d["loops"]:
        return [f"mobility: {d['mobility']['spatial']}", *_undriven(found)]
    if "unknown" in found:
        return [*_counted(d["mobility"]), found["unknown"]]
    n = found["positions"]
    where = "the one closed position that was found" if n == 1 else f"{n} closed positions"
    lines = [f"mobility: {found['mobility']}, by the rank of the closure rows at {where}", *_counted(d["mobility"])]
    return [*lines, *_undriven(found), *_redundant(found)]


def _counted(m: dict[str, Any]) -> list[str]:
    in_space = f"Grübler–Kutzbach counts {m['spatial']} in space"
    if m["planar"] is None:
        return [in_space]
    return [f"{in_space}, {m['planar']} in the plane across {_direction(m['normal'])}"]


def _undriven(found: dict[str, Any]) -> list[str]:
    lines = [f"idle: {one} may spin and moves nothing else" for one in found.get("idle", [])]
    if found.get("undriven"):
        count = "1 freedom has" if found["undriven"] == 1 else f"{found['undriven']} freedoms have"
        lines.append(f"{count} no motor: {_few(found['loose'])} move when all motors stand")
    return lines


def _redundant(found: dict[str, Any]) -> list[str]:
    count = sum(map(len, found["redundant"].values()))
    if not count:
        return []
    lines = [f"{count} closure row{'s repeat' if count > 1 else ' repeats'} the others:"]
    shown = list(found["redundant"].items())
    lines += [f"  {joint}: {', '.join(rows)}" for joint, rows in shown[:_SHOWN]]
    lines += [f"  … and {len(shown) - _SHOWN} joints more"] if len(shown) > _SHOWN else []
    by_forces: dict[str, list[str]] = {}
    for joint, forces in found["open_forces"].items():
        by_forces.setdefault(_forces(forces), []).append(joint)
    lines.append("so these reactions depend on how stiff the parts are:")
    lines += [f"  {forces} in {_few(joints)}" for forces, joints in list(by_forces.items())[:_SHOWN]]
    return [*lines, *_remedy(found["remedy"])]


def _forces(names: list[str]) -> str:
    """'moment x', 'moment y', 'force z' as moments about x, y and force along z."""
    parts = []
    for what, how in (("moment", "about"), ("force", "along")):
        axes = [name.split()[1] for name in names if name.startswith(what)]
        if axes:
            parts.append(f"{what}{'s' if len(axes) > 1 else ''} {how} {', '.join(axes)}")
    return " and ".join(parts)


def _remedy(remedy: list[list[str]] | None) -> list[str]:
    if not remedy:
        return ["no replacement of its joints by looser kinds settles them all"]
    by_change: dict[str, list[str]] = {}
    for joint, old, new in remedy:
        by_change.setdefault(f"{new} instead of {old}", []).append(joint)
    changes = [f"{_few(joints)} {change}" for change, joints in by_change.items()]
    return ["they would not with " + ", and ".join(changes)]


def _direction(normal: list[float]) -> str:
    for axis, name in zip(((1, 0, 0), (0, 1, 0), (0, 0, 1)), "xyz", strict=True):
        if all(abs(a - b) < 1e-9 for a, b in zip(axis, normal, strict=True)):
            return name
    return "(" + ", ".join(f"{x:.3g}" for x in normal) + ")"


def _count(items: list[Any], one: str, many: str = "") -> str:
    return f"{len(items)} {one if len(items) == 1 else many or one + 's'}"


def _few(names: list[str], most: int = 12) -> str:
    if len(names) <= most:
        return ", ".join(names)
    return ", ".join(names[: most - 1]) + f", … {names[-1]}"


def _table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    """Columns padded to their widest entry; long tables keep their first and last rows."""
    shown = rows if len(rows) <= 40 else [*rows[:30], ("…",) * len(head), *rows[-9:]]
    widths = [max(len(row[k]) for row in (head, *shown)) for k in range(len(head))]

    def line(row: tuple[str, ...]) -> str:
        return "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()

    return "\n".join([line(head), "  ".join("-" * width for width in widths), *map(line, shown)])
