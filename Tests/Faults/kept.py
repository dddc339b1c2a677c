"""What the scripts about files that redo keeps, or takes from elsewhere, share: a command that is run and judged by how it ends.

Whatever a file is, a command ends in time, by itself, with a status that its page has, in bounded memory; where it refuses, it
says so in a line, and nothing that it prints makes a terminal do anything.
"""

import hashlib
import os
import re
import signal
import sys
import tempfile
import time

SECONDS = 20
KILOBYTES = 200_000
SHARE = int(os.environ.get("SHARE", "1"))
SEED = os.environ.get("SEED", "0")
# What may stand in lines: tabs and line feeds, and no other control, nor one of two bytes (U+0080 to U+009F).
CONTROL = re.compile(rb"[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]")
MESSAGE = re.compile(rb"^(fatal|error): |^\{\"error\":", re.M)
TRAP = re.compile(rb"Fatal error|BUG|Current stack trace|panic|SIG[A-Z]+\b")
runs = 0


def die(text):
    print(f"{text} (REDO_SEED={SEED})", file=sys.stderr)
    sys.exit(1)


def turn(number, name):
    """Whether it is the turn of an input in the short form of a script: one in SHARE."""
    return SHARE == 1 or (number + int(hashlib.sha256(SEED.encode()).hexdigest()[:8], 16)) % SHARE == 0


class End:
    """How a command ended, and what it took."""

    def __init__(self, status, out, err, kilobytes, hangs):
        self.status, self.out, self.err, self.kilobytes, self.hangs = status, out, err, kilobytes, hangs

    def __repr__(self):
        return f"status {self.status}, printed {self.out[:400]!r}, said {self.err[:600]!r}"


def execute(words, given=b""):
    """Runs a command to its end, or ends it when it hangs."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err, tempfile.TemporaryFile() as into:
        into.write(given)
        into.seek(0)
        child = os.posix_spawnp(words[0], words, os.environ, file_actions=[
            (os.POSIX_SPAWN_DUP2, into.fileno(), 0), (os.POSIX_SPAWN_DUP2, out.fileno(), 1),
            (os.POSIX_SPAWN_DUP2, err.fileno(), 2)])
        end = time.monotonic() + SECONDS
        pause, hangs, done = 0.001, False, 0
        while not done:
            done, code, usage = os.wait4(child, 0 if hangs else os.WNOHANG)
            if not done and time.monotonic() > end:
                hangs = True
                os.kill(child, signal.SIGKILL)
            elif not done:
                time.sleep(pause)
                pause = min(pause * 1.5, 0.02)
        out.seek(0)
        err.seek(0)
        return End(os.waitstatus_to_exitcode(code), out.read(), err.read(), usage.ru_maxrss, hangs)


def run(what, words, given=b"", statuses=(0, 1, 75, 77, 128), data=False, kilobytes=KILOBYTES, is_told=True):
    """Runs a command and ends this program when it ends as none should.

    `data`: its output is bytes, not lines. `is_told`: a status of 1 comes with a row or a message.
    """
    global runs
    runs += 1
    found = execute(words, given)
    said = f"{what}: '{' '.join(words)}': {found}"
    if found.hangs:
        die(f"{said}: it hangs")
    if found.status not in statuses or TRAP.search(found.err):
        die(said)
    if found.kilobytes > kilobytes:
        die(f"{what}: '{' '.join(words)}' takes {found.kilobytes} kB")
    if CONTROL.search(found.err) or not data and CONTROL.search(found.out):
        die(f"{said}: a control byte")
    if found.status not in (0, 1) and not MESSAGE.search(found.err):
        die(f"{said}: no message")
    if is_told and found.status == 1 and not found.out and not MESSAGE.search(found.err):
        die(f"{said}: neither a row nor a message")
    return found


def tree(path, leaving=()):
    """A digest of every name and byte below a directory, but for the paths that begin with one of `leaving`."""
    found = hashlib.sha256()
    for folder, folders, files in os.walk(path):
        folders.sort()
        for name in sorted(files + [name for name in folders if os.path.islink(os.path.join(folder, name))]):
            full = os.path.join(folder, name)
            if leaving and os.path.relpath(full, path).startswith(tuple(leaving)):
                continue
            found.update(os.path.relpath(full, path).encode() + b"\0")
            if os.path.islink(full):
                found.update(b"link " + os.readlink(full).encode())
            elif os.path.isfile(full):
                with open(full, "rb") as file:
                    found.update(hashlib.sha256(file.read()).digest())
        if not leaving or not os.path.relpath(folder, path).startswith(tuple(leaving)):
            found.update(os.path.relpath(folder, path).encode() + b"/\0")
    return found.hexdigest()
