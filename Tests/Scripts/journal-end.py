"""Reads both ends of a history by redo-store(5), and cuts the journal; shares no code with redo.

  journal-end.py <store>             the number of the last change in refs and journal, and that of the mark, or '-'
  journal-end.py <store> cuts        places to cut the journal at: '<bytes> <number of the last change then>' a line, at
                                     each end of a record but the last, and at five places inside each record
  journal-end.py <store> unmark      takes the mark away
  journal-end.py <store> unfinished  adds a frame of one change that no record counts, and the mark behind it
  journal-end.py <store> wipe        adds a change that takes nodes back, as the first step of a wipe does: the lines of
                                     standard input are '- <id> <ref>' and '+ <id> <ref>', the former name the nodes
"""

import hashlib
import os
import re
import sys


FORGOTTEN = 0xFFFFFFFFFFFF


def sha(data):
    return hashlib.sha256(data).hexdigest()


def frame(ids, time):
    line = b"@%08x %012x " % (len(ids) // 32, time)
    line += sha(line)[:8].encode() + b"\n"
    return line + ids + hashlib.sha256(line + ids).digest()


class Store:
    def __init__(self, path):
        self.path = os.path.join(path, ".redo")
        words = self.read("refs").split(b"\n", 1)[0].split()
        assert words[:2] == [b"redo-refs", b"1"], words
        self.generation, self.entry, self.chain = int(words[2]), int(words[5]), words[6]
        self.counted = int(words[8])
        self.journal = self.read("refs.journal")
        first, _, rest = self.journal.partition(b"\n")
        assert first.split()[:2] == [b"redo-journal", b"1"] and sha(first[:-64]).encode() == first[-64:]
        self.start = len(first) + 1
        # Where each whole record ends, and the number and chain then.
        self.ends = [(self.start, self.entry, self.chain)]
        if int(first.split()[2]) == self.generation:
            assert first.split()[3] == self.chain
            at = self.start
            while at + 19 <= len(self.journal):
                line = self.journal[at : at + 19]
                size = int(line[1:9], 16)
                assert line == b"@%08x " % size + sha(line[:9])[:8].encode() + b"\n", (at, line)
                payload = self.journal[at + 19 : at + 19 + size]
                if len(payload) < size:
                    break
                body, chain = payload[:-71], payload[-65:-1]
                assert sha(self.chain + body).encode() == chain
                number, self.counted = (int(word) for word in re.match(rb"entry (\d+) \d+ (\d+)\n", body).groups())
                assert number == self.entry + 1
                self.entry, self.chain = number, chain
                at += 19 + size
                self.ends.append((at, number, chain))
        self.received = self.read("received")

    def read(self, name):
        with open(os.path.join(self.path, name), "rb") as file:
            return file.read()

    def mark(self):
        """Number of the change and the beginning of its chain; None without a mark."""
        match = re.fullmatch(rb"@00000000 ([0-9a-f]{12}) [0-9a-f]{8}\n.{32}", self.received[-64:], re.DOTALL)
        if not match or frame(b"", int(match[1], 16)) != self.received[-64:]:
            return None
        return int(match[1][:8], 16), match[1][8:]

    def write_received(self, data):
        with open(os.path.join(self.path, "received"), "wb") as file:
            file.write(data)

    def wipe(self, lines):
        names = dict.fromkeys(line.split()[1].split(":")[1] for line in lines if line[0] == "-")
        ids = b"".join(bytes.fromhex(name) for name in names)
        taken = frame(ids, FORGOTTEN)
        body = b"entry %d 1700000000000 %d\n" % (self.entry + 1, self.counted + len(taken))
        for sign in "-+":
            own = [line for line in lines if line[0] == sign]
            body += "".join(sorted(own, key=lambda line: line.split()[:0:-1])).encode()
        body += b"message wipe\n"
        chain = sha(self.chain + body).encode()
        payload = body + b"chain " + chain + b"\n"
        line = b"@%08x " % len(payload)
        with open(os.path.join(self.path, "refs.journal"), "ab") as file:
            file.write(line + sha(line[:9])[:8].encode() + b"\n" + payload)
        mark = frame(b"", int(b"%08x" % (self.entry + 1) + chain[:4], 16))
        self.write_received(self.received[: self.counted] + taken + mark)


def main(path, verb=""):
    store = Store(path)
    mark = store.mark()
    if verb == "cuts":
        for (start, number, _), (end, _, _) in zip(store.ends, store.ends[1:]):
            for place in sorted({start, start + 1, start + 18, start + 19, (start + end) // 2, end - 1}):
                print(place, number)
    elif verb == "unmark":
        assert mark
        store.write_received(store.received[:-64])
    elif verb == "wipe":
        assert mark and mark[0] == store.entry
        store.wipe(sys.stdin.readlines())
    elif verb == "unfinished":
        assert mark and len(store.received) == store.counted + 64
        ids = b"".join(hashlib.sha256(b"%d" % number).digest() for number in range(3))
        store.write_received(store.received[:-64] + frame(ids, 1700000000000) + store.received[-64:])
    else:
        if mark and mark[0] == store.entry:
            assert mark[1] == store.chain[:4] and len(store.received) == store.counted + 64
        print(store.entry, mark[0] if mark else "-")


main(*sys.argv[1:])
