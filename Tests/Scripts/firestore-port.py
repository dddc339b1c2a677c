#!/usr/bin/env python3
"""Prints a free port of this machine for a program that cannot take any, to be listened at some seconds later.

It lies below those that the system hands out by itself, so nobody gets it meanwhile who does not ask for it.
"""

import random
import socket
import sys

with open("/proc/sys/net/ipv4/ip_local_port_range", encoding="utf-8") as file:
    lowest = int(file.read().split()[0])
for port in random.sample(range(10_000, max(lowest, 11_000)), 1000):
    with socket.socket() as tried:
        try:
            tried.bind(("127.0.0.1", port))
        except OSError:
            continue
    print(port)
    sys.exit(0)
sys.exit("there is no free port")
