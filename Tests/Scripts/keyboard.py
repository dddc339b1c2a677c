#!/usr/bin/env python3
"""A pseudo-terminal for scripts.

  keyboard.py run <word>...               runs a command on a terminal; prints what the terminal got
  keyboard.py type <keys> <text> <word>...
                                          starts a shell, waits for its prompt `READY>`, types the keys
                                          (\\t and \\n as in C), waits until the text is there or nothing
                                          comes any more; prints what it got without control sequences

The status is the command's. Nothing is waited for longer than 20 seconds.
"""

import os
import pty
import re
import select
import signal
import sys
import time

LIMIT_SECONDS = 20
PROMPT = b"READY>"


def start(words):
    process, terminal = pty.fork()
    if process == 0:
        try:
            os.execvp(words[0], words)
        finally:
            os._exit(127)
    return process, terminal


def plain(got):
    return re.sub(rb"\x1b\[[?0-9;]*[a-zA-Z]|[\r\a]", b"", got)


def read(terminal, silence, until=None):
    """What comes until the end, a text, or so many seconds of silence."""
    got, end = b"", time.monotonic() + LIMIT_SECONDS
    while time.monotonic() < end:
        ready, _, _ = select.select([terminal], [], [], silence)
        if not ready:
            break
        try:
            part = os.read(terminal, 65536)
        except OSError:  # Linux: the other side is closed
            break
        if not part:
            break
        got += part
        if until and until in plain(got):
            break
    return got


def main():
    how, *words = sys.argv[1:]
    keys = None
    if how == "type":
        keys = words.pop(0).replace("\\t", "\t").replace("\\n", "\n").encode()
        expected = words.pop(0).encode()
    process, terminal = start(words)
    if keys is None:
        got = read(terminal, LIMIT_SECONDS)
    else:
        read(terminal, LIMIT_SECONDS, PROMPT)
        os.write(terminal, keys)
        got = plain(read(terminal, 2, expected))
        os.kill(process, signal.SIGHUP)
    sys.stdout.buffer.write(got)
    sys.stdout.flush()
    if keys is not None:
        time.sleep(0.05)
        os.kill(process, signal.SIGKILL)
    _, status = os.waitpid(process, 0)
    sys.exit(0 if keys is not None else os.waitstatus_to_exitcode(status) & 0xFF)


main()
