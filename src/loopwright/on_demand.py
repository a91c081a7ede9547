"""Names that are imported when they are first asked for."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import Any


def on_demand(package: str, names: Mapping[str, Iterable[str]], modules: Iterable[str] = ()) -> Callable[[str], Any]:
    """A package's `__getattr__`: each name from the module it is listed under, and modules by their own name."""
    home = {name: module for module, held in names.items() for name in held}
    rooms = frozenset(modules)

    def found(name: str) -> Any:
        if name not in home and name not in rooms:
            raise AttributeError(f"module {package!r} has no attribute {name!r}", name=name, obj=sys.modules[package])
        module = import_module(f"{package}.{home.get(name, name)}")
        value = getattr(module, name) if name in home else module
        setattr(sys.modules[package], name, value)  # so that it is asked for here once
        return value

    return found
