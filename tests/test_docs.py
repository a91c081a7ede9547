"""The pages are true: every Python block and every `loopwright` command in README.md and docs/ runs.

The blocks of one page run in order, in one empty folder, and share their names. A console block that installs
or makes things carries `<!-- not run -->` on the line before it.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
NOT_RUN = "<!-- not run -->"
NEEDS_NO_RUN = {"cd", "git", "make", "pip", "python3", "source", "uv"}
LONGEST_COMMAND = 900.0  # seconds; a page is no place for more


@dataclass(frozen=True)
class Block:
    language: str
    line: int  # of its first line of text, from 1
    text: str
    runs: bool


def blocks(page: str) -> list[Block]:
    """The fenced blocks of a page, fences longer than three and indented ones too."""
    found, lines = [], page.splitlines()
    at = 0
    while at < len(lines):
        opening = re.match(r"(\s*)(`{3,})\s*(\w*)\s*$", lines[at])
        at += 1
        if not opening:
            continue
        indent, fence, language = opening.groups()
        start = at
        while at < len(lines) and lines[at].strip() != fence:
            at += 1
        before = next((line.strip() for line in reversed(lines[: start - 1]) if line.strip()), "")
        text = "\n".join(line.removeprefix(indent) for line in lines[start:at])
        found.append(Block(language, start + 1, text, before != NOT_RUN))
        at += 1
    return found


def commands(block: Block) -> list[str]:
    """What is typed in a console block, lines continued by a backslash joined."""
    joined = block.text.replace("\\\n", " ")
    return [line[2:] for line in joined.splitlines() if line.startswith("$ ")]


def run_python(block: Block, names: dict[str, object], page: Path) -> None:
    # Blank lines before it make the line numbers of a traceback those of the page.
    code = compile("\n" * (block.line - 1) + block.text, str(page), "exec")
    exec(code, names)


def run_command(command: str, folder: Path) -> None:
    program, *arguments = shlex.split(command)
    assert program == "loopwright", f"`{command}` is not a loopwright command; mark its block with {NOT_RUN}"
    done = subprocess.run(
        [sys.executable, "-m", "loopwright", *arguments],
        cwd=folder,
        env={**os.environ, "MPLBACKEND": "Agg"},
        capture_output=True,
        text=True,
        timeout=LONGEST_COMMAND,
    )
    assert done.returncode == 0, f"`{command}` ended with {done.returncode}:\n{done.stdout}\n{done.stderr}"


def run_page(page: Path, folder: Path) -> None:
    names: dict[str, object] = {"__name__": page.stem}
    for block in blocks(page.read_text(encoding="utf-8")):
        if block.language == "python":
            assert block.runs, f"{page.name}:{block.line}: Python blocks always run"
            run_python(block, names, page)
        if block.language == "console":
            for command in commands(block):
                if block.runs:
                    run_command(command, folder)
                else:
                    assert command.split()[0] in NEEDS_NO_RUN, f"{page.name}:{block.line}: `{command}` can be run"


PAGES = [
    page
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").glob("**/*.md")))
    if {"python", "console"} & {block.language for block in blocks(page.read_text(encoding="utf-8"))}
]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_what_a_page_shows_works(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    run_page(page, tmp_path)


def page_of(folder: Path, text: str) -> Path:
    page = folder / "page.md"
    page.write_text(text)
    return page


def test_blocks_share_names_and_run_in_order(tmp_path):
    run_page(page_of(tmp_path, "```python\nx = 1\n```\nthen\n```python\nassert x == 1\n```\n"), tmp_path)


def test_a_block_that_fails_is_reported_with_its_line(tmp_path):
    page = page_of(tmp_path, "words\n\n- an item\n  ```python\n  x = 1\n  assert x == 2\n  ```\n")
    with pytest.raises(AssertionError) as failure:
        run_page(page, tmp_path)
    assert failure.traceback[-1].lineno + 1 == 6


@pytest.mark.parametrize(
    "text, reason",
    [
        ("```console\n$ rm -rf /\n```\n", "not a loopwright command"),
        ("```console\n$ loopwright no-such-verb\n```\n", "ended with"),
        (f"{NOT_RUN}\n```console\n$ loopwright zoo\n```\n", "can be run"),
        (f"{NOT_RUN}\n\n```python\nx = 1\n```\n", "always run"),
    ],
)
def test_what_cannot_be_shown_is_refused(tmp_path, text, reason):
    with pytest.raises(AssertionError, match=reason):
        run_page(page_of(tmp_path, text), tmp_path)


def test_a_console_block_may_show_what_it_prints_and_continue_its_lines():
    block = Block("console", 1, "$ loopwright inspect \\\n    four_bar\nbodies 4\n$ loopwright zoo", True)
    assert [shlex.split(command) for command in commands(block)] == [
        ["loopwright", "inspect", "four_bar"],
        ["loopwright", "zoo"],
    ]
