"""Importing Loopwright is cheap: what is heavy is imported by the function that needs it."""

import subprocess
import sys

HEAVY = ("casadi", "matplotlib", "networkx", "rich", "scipy", "typer", "yaml")


def test_importing_loopwright_loads_no_heavy_package():
    code = f"import sys, loopwright; print(*[name for name in {HEAVY} if name in sys.modules])"
    child = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert child.stdout.split() == []
