"""Object code kept between runs, in a folder that only its owner can write.

Native code that is loaded runs with the user's rights, so an entry counts only when the folder and the file
belong to the user, nobody else can write to them, and the file's own digest of key and code matches; anything
else is compiled again. What was not used for longest goes when the folder outgrows its limit.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import os
import re
import stat
import sys
import tempfile
import warnings
from functools import cache
from pathlib import Path

_MAGIC = b"loopwright object 2\n"
LIMIT = 2**29  # bytes of entries kept
_ROUND = 100  # entries written between two looks at how many there are
_OURS = re.compile(r"[0-9a-f]{64}\.o|loopwright-.*\.tmp")
_WRITABLE = "can be written by other users"
_written = itertools.count()


def folder() -> Path | None:
    """Where entries live: $LOOPWRIGHT_CACHE, or the user's own place for such files; None without a home."""
    try:
        chosen = os.environ.get("LOOPWRIGHT_CACHE")
        return Path(chosen).expanduser().absolute() if chosen else _of_the_user() / "loopwright" / "kernels"
    except RuntimeError:
        return None


def _of_the_user() -> Path:
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData/Local")
    if sys.platform == "darwin":
        return Path.home() / "Library/Caches"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")


@cache
def usable(place: Path) -> bool:
    """Whether the folder is there (made if need be) and the user's alone; says once why not."""
    try:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        trouble = _others_can_write(place)
    except OSError:  # a home that cannot be written: compile each time
        return False
    if trouble:
        mend = f"Make it yours alone (chmod 700 {place}), or name" if trouble == _WRITABLE else "Name"
        warnings.warn(
            f"compiled kernels are not kept: {place} {trouble}. {mend} another folder in LOOPWRIGHT_CACHE", stacklevel=2
        )
    return not trouble


def _others_can_write(path: Path) -> str:
    """Why a path cannot be trusted, or ""."""
    if not hasattr(os, "getuid"):
        return ""  # Windows keeps these folders private by inheritance
    found = path.lstat()
    if stat.S_ISLNK(found.st_mode):
        return "is a symbolic link"
    if found.st_uid != os.getuid():
        return "belongs to another user"
    if found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return _WRITABLE
    return ""


def get(key: str) -> bytes | None:
    """The object code kept under a key, if it can be trusted."""
    place = folder()
    if place is None or not usable(place):
        return None
    path = place / f"{key}.o"
    try:
        if _others_can_write(path):
            return None
        kept = path.read_bytes()
    except OSError:
        return None
    with contextlib.suppress(OSError):
        os.utime(path)  # used just now
    head = len(_MAGIC) + 32
    code = kept[head:]
    return code if kept[:head] == _MAGIC + _digest(key, code) else None


def _digest(key: str, code: bytes) -> bytes:
    """Of the code and of what it is for, so that a file under another's name does not count."""
    return hashlib.sha256(key.encode() + b"\n" + code).digest()


def put(key: str, code: bytes) -> None:
    """Keep object code; written aside and moved into place, so that readers never see half of it."""
    place = folder()
    if place is None or not usable(place):
        return
    name = ""
    try:
        handle, name = tempfile.mkstemp(".tmp", "loopwright-", place)  # readable and writable by the owner only
        with os.fdopen(handle, "wb") as file:
            file.write(_MAGIC + _digest(key, code) + code)
        os.replace(name, place / f"{key}.o")
    except OSError:  # a full disk costs time at the next start, nothing else
        _removed(name)
        return
    except BaseException:  # Ctrl-C
        _removed(name)
        raise
    if next(_written) % _ROUND == 0:
        _tidy(place)


def _removed(name: str) -> None:
    with contextlib.suppress(OSError):
        os.unlink(name)


def _tidy(place: Path) -> None:
    """Remove what was not used for longest, down to the limit."""
    with contextlib.suppress(OSError):  # another process may be doing the same
        ours = [(p.stat(), p) for p in place.iterdir() if _OURS.fullmatch(p.name)]
        total = 0
        for found, path in sorted(ours, key=lambda one: one[0].st_mtime, reverse=True):
            total += found.st_size
            if total > LIMIT:
                path.unlink()


def key_of(*parts: str) -> str:
    """A name that changes with any of the parts."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(len(part).to_bytes(8, "little"))
        digest.update(part.encode())
    return digest.hexdigest()
