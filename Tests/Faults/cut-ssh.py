#!/usr/bin/env python3
"""Stands in for ssh: runs the command here, and cuts the connection after CUT_AFTER bytes in direction CUT_SIDE."""
import os
import subprocess
import sys
import threading

arguments = sys.argv[1:]
while arguments and arguments[0].startswith("-") and arguments[0] != "--":
    arguments = arguments[2 if arguments[0] in ("-p", "-l", "-o") else 1 :]
if arguments and arguments[0] == "--":
    arguments = arguments[1:]
host, *command = arguments
limit = int(os.environ.get("CUT_AFTER", "-1"))
side = os.environ.get("CUT_SIDE", "")
if limit < 0:
    os.execvp("sh", ["sh", "-c", " ".join(command)])
child = subprocess.Popen(["sh", "-c", " ".join(command)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
is_cut = threading.Event()


def copy(source, sink, cuts):
    left = limit if cuts else -1
    while True:
        bytes = os.read(source, 65536)
        if not bytes:
            break
        if left >= 0:
            bytes = bytes[:left]
            left -= len(bytes)
        while bytes:
            bytes = bytes[os.write(sink, bytes) :]
        if left == 0:
            # The other thread may see the end of the child before this one has ended the process.
            is_cut.set()
            child.kill()
            os._exit(255)
    os.close(sink)


up = threading.Thread(target=copy, args=(0, child.stdin.fileno(), side == "up"), daemon=True)
up.start()
copy(child.stdout.fileno(), 1, side == "down")
status = child.wait()
sys.exit(255 if is_cut.is_set() else status)
