"""Importing Loopwright is cheap: a room waits until it is asked for, a heavy package for the function that needs it."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import loopwright as lw

HEAVY = ("casadi", "llvmlite", "matplotlib", "networkx", "numba", "rich", "scipy", "sympy", "typer", "xarray", "yaml")


def loaded(code: str) -> set[str]:
    """Modules of a fresh interpreter that has run this."""
    code = f"import sys\n{code}\nprint(*sys.modules)"
    child = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(child.stdout.split())


def test_importing_loopwright_loads_no_room():
    ours = {name for name in loaded("import loopwright") if name.startswith("loopwright")}
    assert ours == {"loopwright", "loopwright.errors", "loopwright.on_demand", "loopwright.simulate"}


def test_asking_for_every_name_loads_no_heavy_package():
    modules = loaded("from loopwright import *")
    assert "loopwright.verbs.dynamics" in modules
    assert modules.isdisjoint(HEAVY)


@pytest.mark.parametrize("package", ["", "simulate"])
def test_what_type_checkers_see_is_what_can_be_had(package):
    # the doors that import on demand say each name three times: for type checkers, for `*`, and where it is
    text = Path(lw.__file__).parent.joinpath(package, "__init__.py").read_text()
    imports = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ImportFrom)]
    seen = {alias.name for node in imports if node.level == 1 for alias in node.names if alias.asname is None}
    module = sys.modules[f"loopwright.{package}".rstrip(".")]
    assert seen - {"on_demand"} == set(module.__all__) - {"__version__"}
    assert all(hasattr(module, name) for name in module.__all__)


def test_the_verb_simulate_stays_a_verb_when_its_room_is_imported():
    code = "import loopwright.simulate.run, loopwright as lw; lw.open_run; assert callable(lw.simulate)"
    assert "loopwright.simulate.front" in loaded(code)


def test_names_are_listed_before_they_are_imported():
    assert "loopwright.verbs" not in loaded("import loopwright as lw; assert {*lw.__all__} <= {*dir(lw)}")


def test_a_name_that_is_not_ours_is_refused():
    with pytest.raises(AttributeError, match="module 'loopwright' has no attribute 'Dynamic'"):
        lw.Dynamic  # noqa: B018
