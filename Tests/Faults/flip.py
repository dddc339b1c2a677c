"""flip.py <file> <argument of redo>...: flips each bit of a file in a store; the command must fail then, or print the same.

A large file is sampled: one bit of each byte, so that no more than some thousand commands run. SHARE=<n> takes one in n
of what is left, from the one on that SEED chooses.
"""

import os
import subprocess
import sys

LIMIT = 2000

path, arguments = sys.argv[1], sys.argv[2:]
store = path[: path.index("/.redo/")]
os.chmod(path, 0o644)


def run():
    result = subprocess.run(["redo", "-C", store, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return result.returncode, result.stdout


with open(path, "r+b", buffering=0) as file:
    good = file.read()
    expected = run()
    if expected[0] != 0:
        sys.exit(f"the undamaged file does not do: {expected}")
    places = [(byte, bit) for byte in range(len(good)) for bit in range(8)]
    if len(places) > 4 * LIMIT:
        places = [(byte, byte % 8) for byte in range(0, len(good), max(1, len(good) // LIMIT))]
    share = int(os.environ.get("SHARE", 1))
    places = places[int(os.environ.get("SEED", 0)) % share :: share]
    found = 0
    for byte, bit in places:
        file.seek(byte)
        file.write(bytes([good[byte] ^ 1 << bit]))
        status, output = run()
        file.seek(byte)
        file.write(good[byte : byte + 1])
        if status == 0 and output != expected[1]:
            sys.exit(f"bit {bit} of byte {byte} of '{path}' changes what '{arguments[0]}' prints")
        if status not in (0, 1, 128):
            sys.exit(f"bit {bit} of byte {byte} of '{path}': '{arguments[0]}' ends with {status}")
        found += status != 0
    if found < len(places) * 9 // 10:
        sys.exit(f"only {found} of {len(places)} changes are found")
