"""A mechanism as JSON and back, every number to its last bit.

What is written are the records of mechanism/parts.py under their own names, so that reading makes records only and
never runs anything. Loads given as Python functions cannot be written; reading puts nothing in their place and says
so in the mechanism's notes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any

import numpy as np

from ..errors import LoopwrightError
from ..mechanism import BY_NAME, Body, Effort, Expression, Joint, Mechanism, Placement, Shape, Spring, Wrench
from ..mechanism.check import check

VERSION = 1
_OPERATIONS = {"+": 2, "-": 2, "*": 2, "/": 2, "**": 2, "sin": 1, "cos": 1, "sqrt": 1}
_NOTHING = {"force": (0.0, 0.0, 0.0), "torque": (0.0, 0.0, 0.0)}


def as_text(mechanism: Mechanism) -> str:
    """The JSON of a mechanism."""
    return json.dumps({"loopwright mechanism": VERSION, **_record(mechanism)}, ensure_ascii=False)


def from_text(text: str, where: str = "the text") -> Mechanism:
    """The mechanism that was written; `where` names its place in messages."""
    try:
        given = json.loads(text)
        if not isinstance(given, dict) or given.pop("loopwright mechanism", None) != VERSION:
            raise LoopwrightError(f"{where} does not hold a mechanism that this version of Loopwright wrote")
        made = _mechanism(given)
        _checked(made, where)
    except (ValueError, TypeError, KeyError, AttributeError, IndexError, RecursionError, OverflowError) as error:
        raise LoopwrightError(
            f"the mechanism in {where} is damaged ({type(error).__name__}: {str(error)[:200]})"
        ) from None
    return made


def _checked(made: Mechanism, where: str) -> None:
    try:
        check(made)
    except LoopwrightError as error:
        raise LoopwrightError(f"the mechanism in {where} is damaged: {error}") from None


# writing


def _record(item: Any) -> dict[str, Any]:
    return {field.name: _written(getattr(item, field.name)) for field in fields(item)}


def _written(value: Any) -> Any:
    if isinstance(value, Expression):
        return {"op": value.op, "arguments": [_written(x) for x in value.arguments]}
    if isinstance(value, (tuple, list)):
        return [_written(x) for x in value]
    if callable(value):
        return {"function": getattr(value, "__name__", type(value).__name__)}
    if hasattr(value, "__dataclass_fields__"):
        return _record(value)
    return value.item() if isinstance(value, np.generic) else value


# reading: every record by its own rule, unknown entries are errors


def _mechanism(given: Mapping[str, Any]) -> Mechanism:
    lost: list[str] = []
    read: dict[str, Callable[[Any], Any]] = {
        "name": _word,
        "source": _word,
        "gravity": _values,
        "bodies": _each(_body),
        "joints": _each(_joint),
        "springs": _each(_spring),
        "wrenches": _each(lambda w: _wrench(w, lost)),
        "efforts": _each(lambda e: _effort(e, lost)),
        "parameters": _each(lambda pair: (_word(pair[0]), _number(pair[1]))),
        "cuts": lambda cuts: None if cuts is None else _each(_word)(cuts),
        "notes": _each(_word),
    }
    _require(given, read)
    found = {name: rule(given[name]) for name, rule in read.items()}
    found["efforts"] = tuple(effort for effort in found["efforts"] if effort is not None)
    found["notes"] = (*found["notes"], *lost)
    return Mechanism(**found)


def _body(given: Any) -> Body:
    read = {"name": _word, "mass": _value, "com": _values, "inertia": _values, "shapes": _each(_shape)}
    return Body(**_by(read, given))


def _shape(given: Any) -> Shape:
    return Shape(**_by({"kind": _word, "size": _values, "placement": _placement, "file": _word}, given))


def _placement(given: Any) -> Placement:
    return Placement(**_by({"xyz": _triple, "rpy": _triple}, given))


def _joint(given: Any) -> Joint:
    read: dict[str, Callable[[Any], Any]] = {
        **dict.fromkeys(("name", "parent", "child"), _word),
        "kind": _kind,
        **dict.fromkeys(("in_parent", "in_child"), _placement),
        "geometry": _each(lambda pair: (_word(pair[0]), _value(pair[1]))),
        "actuated": _each(_flag),
        "limits": _each(lambda pair: (_number(pair[0]), _number(pair[1]))),
        "friction": _each(_values),
        **dict.fromkeys(("damping", "stiffness", "rest", "rotor_inertia"), _values),
    }
    made = Joint(**_by(read, given))
    kind = BY_NAME[made.kind]
    counts = dict.fromkeys(("damping", "friction", "stiffness", "rotor_inertia"), (kind.nv,)) | {
        "rest": (kind.nq,),
        "actuated": (0, kind.nv),
        "limits": (0, kind.nq),
    }
    for name, allowed in counts.items():
        if len(getattr(made, name)) not in allowed:
            raise ValueError(f"joint '{made.name}' has {len(getattr(made, name))} entries in {name}")
    if {name for name, _ in made.geometry} != set(kind.geometry):
        raise ValueError(f"joint '{made.name}' is not described as a {kind.name} one")
    return made


def _spring(given: Any) -> Spring:
    read = {
        **dict.fromkeys(("name", "parent", "child"), _word),
        **dict.fromkeys(("in_parent", "in_child"), _triple),
        **dict.fromkeys(("stiffness", "damping", "length"), _value),
    }
    return Spring(**_by(read, given))


def _wrench(given: Any, lost: list[str]) -> Wrench:
    for what, nothing in _NOTHING.items():
        if _function(given[what]):
            lost.append(_missing(f"wrench '{given['name']}': its {what}"))
            given = {**given, what: list(nothing)}
    read = {
        **dict.fromkeys(("name", "body", "axes"), _word),
        **dict.fromkeys(("force", "torque", "at"), _triple),
    }
    return Wrench(**_by(read, given))


def _effort(given: Any, lost: list[str]) -> Effort | None:
    if _function(given["value"]):
        lost.append(_missing(f"effort '{given['name']}': its value"))
        return None
    return Effort(**_by({"name": _word, "joint": _word, "value": _value}, given))


def _missing(what: str) -> str:
    return f"{what} was a Python function, which a file cannot hold: nothing acts here in its place"


def _function(given: Any) -> bool:
    return isinstance(given, dict) and set(given) == {"function"}


def _by(read: Mapping[str, Callable[[Any], Any]], given: Any) -> dict[str, Any]:
    _require(given, read)
    return {name: rule(given[name]) for name, rule in read.items()}


def _require(given: Any, known: Mapping[str, Any]) -> None:
    if not isinstance(given, dict) or set(given) != set(known):
        shown = sorted(set(given) ^ set(known)) if isinstance(given, dict) else [type(given).__name__]
        raise ValueError(f"unexpected or missing: {', '.join(map(str, shown))}")


def _each(rule: Callable[[Any], Any]) -> Callable[[Any], tuple[Any, ...]]:
    def read(given: Any) -> tuple[Any, ...]:
        if not isinstance(given, list):
            raise ValueError(f"a list was expected, not {type(given).__name__}")
        return tuple(rule(item) for item in given)

    return read


def _word(given: Any) -> str:
    if not isinstance(given, str):
        raise ValueError(f"a word was expected, not {type(given).__name__}")
    return given


def _kind(given: Any) -> str:
    if given not in BY_NAME:
        raise ValueError(f"no kind of joint '{given}'")
    return str(given)


def _flag(given: Any) -> bool:
    if not isinstance(given, bool):
        raise ValueError(f"true or false was expected, not {type(given).__name__}")
    return given


def _number(given: Any) -> float:
    if isinstance(given, bool) or not isinstance(given, (int, float)):
        raise ValueError(f"a number was expected, not {type(given).__name__}")
    return given


def _value(given: Any) -> Any:
    """A number, an expression, or several of them."""
    if isinstance(given, list):
        return tuple(_value(x) for x in given)
    if not isinstance(given, dict):
        return _number(given)
    read = _by({"op": _word, "arguments": _each(_value)}, given)
    if len(read["arguments"]) not in (0, _OPERATIONS.get(read["op"], 0)):
        raise ValueError(f"'{read['op']}' of {len(read['arguments'])} arguments")
    return Expression(read["op"], read["arguments"])


def _values(given: Any) -> tuple[Any, ...]:
    return _each(_value)(given)


def _triple(given: Any) -> Any:
    found = _values(given)
    if len(found) != 3:
        raise ValueError(f"three numbers were expected, not {len(found)}")
    return found
