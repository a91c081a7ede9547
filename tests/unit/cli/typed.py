"""Commands as typed: in this process, and in one of their own where streams and signals matter."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

import loopwright
from loopwright.cli import app


def typed(*words: str) -> Any:
    """The result of a command; `.exit_code`, `.stdout`, `.output` (with stderr)."""
    done = CliRunner().invoke(app, list(words), env={"COLUMNS": "200"})
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done


def answered(*words: str) -> Any:
    """What --json printed."""
    done = typed(*words, "--json")
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def in_shell(*words: str, folder: Any = None, **options: Any) -> subprocess.CompletedProcess[str]:
    """A process of its own, in which every warning is an error."""
    here = str(Path(loopwright.__file__).parents[1])
    environment = {**os.environ, "PYTHONPATH": here, **options.pop("env", {})}
    return subprocess.run(
        [sys.executable, "-W", "error", "-m", "loopwright", *words],
        cwd=folder,
        env=environment,
        stderr=subprocess.PIPE,
        text=True,
        timeout=900,
        **{"stdout": subprocess.PIPE, **options},
    )
