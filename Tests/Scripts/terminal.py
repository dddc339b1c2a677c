#!/usr/bin/env python3
"""Runs a command on a terminal of its own, and types answers.

  terminal.py [--out FILE] QUESTION=ANSWER... -- COMMAND...

Waits for each question in turn, then types the answer and a line feed; `^C` types an interrupt, `^T`
sends SIGTERM. Prints all that the terminal showed, then `echo on` or `echo off` as the terminal was left, then `status N`.
With --out the command's standard output goes to a file instead.
"""

import os
import pty
import select
import signal
import sys
import termios
import time

SECONDS = 30


def main():
    arguments = sys.argv[1:]
    out = None
    if arguments[0] == "--out":
        out = arguments[1]
        arguments = arguments[2:]
    split = arguments.index("--")
    answers = [word.split("=", 1) for word in arguments[:split]]
    command = arguments[split + 1:]
    main_end, terminal = pty.openpty()
    process = os.fork()
    if process == 0:
        os.setsid()
        os.close(main_end)
        os.dup2(terminal, 0)
        os.dup2(terminal, 2)
        os.dup2(os.open(out, os.O_WRONLY | os.O_CREAT, 0o644) if out else terminal, 1)
        # The first terminal that a new group of processes opens is its own.
        os.close(os.open(os.ttyname(terminal), os.O_RDWR))
        os.execvp(command[0], command)
    shown, place, deadline, status = b"", 0, time.time() + SECONDS, None
    while status is None and time.time() < deadline:
        if select.select([main_end], [], [], 0.05)[0]:
            shown += os.read(main_end, 4096)
        if answers:
            question, answer = answers[0]
            found = shown.find(question.encode(), place)
            if found >= 0:
                place = found + len(question)
                # What is typed before the terminal is silent would be shown.
                while termios.tcgetattr(terminal)[3] & termios.ECHO and time.time() < deadline:
                    time.sleep(0.01)
                time.sleep(0.05)
                if answer == "^T":
                    os.kill(process, signal.SIGTERM)
                else:
                    os.write(main_end, b"\x03" if answer == "^C" else answer.encode() + b"\n")
                answers.pop(0)
        ended, code = os.waitpid(process, os.WNOHANG)
        if ended:
            status = os.waitstatus_to_exitcode(code)
    if status is None:
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
    while select.select([main_end], [], [], 0.05)[0]:
        shown += os.read(main_end, 4096)
    for line in shown.decode(errors="replace").splitlines():
        print(line.rstrip())
    print("echo on" if termios.tcgetattr(terminal)[3] & termios.ECHO else "echo off")
    print(f"status {status}")


main()
