"""Files that several processes share: whole or not at all, and made by one of them while the others wait."""

from __future__ import annotations

import contextlib
import hashlib
import os
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]
    import msvcrt

__all__ = ["alone", "load", "only_one", "save"]

HEADER = b"mastaba kernel\n"
PATIENCE = 600  # seconds for which a process waits for another: more than any compilation, less than for ever
PAUSE = 0.05


def save(path: Path, content: bytes) -> None:
    """Write `content` with its digest. Nobody ever sees half a file: it gets its name when it is complete."""
    unfinished = path.with_name(f"{path.name}.{uuid.uuid4().hex[:16]}")
    try:
        unfinished.write_bytes(HEADER + hashlib.sha256(content).digest() + content)
        os.replace(unfinished, path)
    except OSError:
        with contextlib.suppress(OSError):
            unfinished.unlink()
        raise


def load(path: Path) -> bytes | None:
    """What was saved, or None if there is no such file or it is not as it was written: cut off, garbled, of another kind."""
    try:
        stored = path.read_bytes()
    except OSError:
        return None
    start = len(HEADER) + hashlib.sha256().digest_size
    content = stored[start:]
    return content if stored[:start] == HEADER + hashlib.sha256(content).digest() else None


@contextlib.contextmanager
def alone(path: Path) -> Iterator[None]:
    """Hold the lock file `path`, after whoever holds it now. The system frees the lock of a process that dies.

    Where locks do not work, or the holder takes longer than anybody should, we go on without: two processes that do the same work
    are slow, not wrong.
    """
    held = _acquire(path)
    try:
        yield
    finally:
        if held is not None:
            with contextlib.suppress(OSError):
                path.unlink()  # before closing: see _acquire
            os.close(held)


@contextlib.contextmanager
def only_one(path: Path) -> Iterator[bool]:
    """Hold the lock file `path` if nobody else does: yields whether it is ours. The system frees that of a process that dies."""
    file = os.open(path, os.O_RDWR | os.O_CREAT)
    ours = _try_to_lock(file)
    try:
        yield ours
    finally:
        if ours:
            with contextlib.suppress(OSError):
                path.unlink()
        os.close(file)


def _acquire(path: Path) -> int | None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        try:
            file = os.open(path, os.O_RDWR | os.O_CREAT)
        except OSError:
            return None
        try:
            # The holder before us removes its file, and somebody may have made it anew: then this lock is worth nothing.
            if _try_to_lock(file) and _is_still_at(path, file):
                return file
        except OSError:
            os.close(file)
            return None
        os.close(file)
        time.sleep(PAUSE)
    return None


def _try_to_lock(file: int) -> bool:
    try:
        if fcntl is not None:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        else:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
    except (BlockingIOError, PermissionError):
        return False
    return True


def _is_still_at(path: Path, file: int) -> bool:
    with contextlib.suppress(OSError):
        return os.path.samestat(os.fstat(file), path.stat())
    return False
