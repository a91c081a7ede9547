"""How the command starts and ends: what went wrong becomes a message and an exit status, never a traceback."""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import sys
from typing import Any

import typer
from typer.core import TyperGroup

from ..errors import LoopwrightError
from .screen import complain

FAILED, INTERRUPTED, PIPE_CLOSED = 1, 130, 141


class Verbs(TyperGroup):
    """The group of all verbs."""

    def invoke(self, ctx: Any) -> Any:
        """Run a verb, and say in words what stopped it."""
        try:
            answer = super().invoke(ctx)
            _flush()
        except LoopwrightError as error:
            complain(str(error))
        except KeyboardInterrupt:
            complain("interrupted")
            raise typer.Exit(INTERRUPTED) from None
        except OSError as error:  # files that verbs write are theirs to explain; what is left is the screen
            raise typer.Exit(_unheard(error)) from None
        else:
            return answer
        raise typer.Exit(FAILED)


def run(app: typer.Typer) -> int:
    """Start the command line with what was typed."""
    os.environ["MPLBACKEND"] = "Agg"  # pictures go to files, whatever display there is or is not
    logging.getLogger("matplotlib").setLevel(logging.ERROR)  # it would talk about folders it cannot write its cache to
    with contextlib.suppress(ValueError):  # not the main thread
        signal.signal(signal.SIGTERM, signal.default_int_handler)  # asked to end, it keeps what there is, as on Ctrl-C
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a superscript is no reason to stop on an ASCII terminal
    try:
        app(prog_name="loopwright")
        status = 0
    except SystemExit as ending:
        status = ending.code if isinstance(ending.code, int) else int(ending.code is not None)
    except KeyboardInterrupt:
        status = INTERRUPTED
    except OSError as error:  # the help text could not be printed
        status = _unheard(error)
    try:
        _flush()
    except OSError as error:
        status = _unheard(error)
    return status


def _unheard(error: OSError) -> int:
    """The status when nobody reads the output, or when there is no room for it."""
    _hush()
    if isinstance(error, BrokenPipeError):
        return PIPE_CLOSED
    complain(f"cannot write the output: {error.strerror or error}")
    return FAILED


def _flush() -> None:
    if sys.stdout is not None:
        sys.stdout.flush()


def _hush() -> None:
    """Whatever is still in the buffer goes nowhere, so that Python does not try again at its end."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
