"""Tables in CSV files: numbers under heads, read whole or refused in words."""

from __future__ import annotations

import csv
import math
from pathlib import Path

from ..errors import LoopwrightError


def columns_of(path: Path, what: str = "motion") -> dict[str, list[float]]:
    """Every column by its head; lines are counted as an editor does."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.reader(file))
    except OSError as error:
        raise LoopwrightError(f"cannot read the {what} {path}: {error.strerror or error}") from None
    except (UnicodeDecodeError, csv.Error) as error:
        raise LoopwrightError(f"cannot read the {what} {path}: it is not a CSV file in UTF-8 ({error})") from None
    while rows and not any(cell.strip() for cell in rows[-1]):
        rows.pop()
    if not rows:
        raise LoopwrightError(f"{path} is empty; a {what} needs a column t and others by name")
    heads = [cell.strip() for cell in rows[0]]
    for head in heads:
        if heads.count(head) > 1:
            raise LoopwrightError(f"{path}: column '{head}' stands there {heads.count(head)} times")
    columns: dict[str, list[float]] = {head: [] for head in heads}
    for number, row in enumerate(rows[1:], start=2):
        if len(row) != len(heads):
            raise LoopwrightError(f"{path}, line {number}: {len(row)} entries under {len(heads)} columns")
        for head, cell in zip(heads, row, strict=True):
            columns[head].append(_number(cell, f"{path}, line {number}, column '{head}'"))
    return columns


def _number(cell: str, where: str) -> float:
    try:
        value = float(cell)
    except ValueError:
        raise LoopwrightError(f"{where}: '{cell.strip()}' is not a number") from None
    if not math.isfinite(value):
        raise LoopwrightError(f"{where}: {value} is not a finite number")
    return value
