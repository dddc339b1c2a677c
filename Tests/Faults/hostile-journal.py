"""hostile-journal.py <store>: alters the entries of refs one thing at a time, in the journal and folded into reflog, and makes the
checks of frames, the chains, the first lines and the mark of `received` again.

What the refs then are, and whether the entries are good ones, is decided here by the letter of redo-store(5):

- the refs are what good entries lead to; of others there is an error, and a writer leaves every byte as it is;
- `redo verify` tells of what is wrong, and after `redo verify --repair-refs` every node is in the history again;
- `redo recover` makes a store of what is good, or none, and leaves the damaged one as it is.
"""

import hashlib
import os
import random
import re
import shutil
import sys
import unicodedata

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import kept  # noqa: E402
from kept import SEED, die, run, tree, turn  # noqa: E402

STORE = sys.argv[1]
random = random.Random(f"journal {SEED}")
ZEROS = b"0" * 64


def sha(data):
    return hashlib.sha256(data).hexdigest().encode()


def read(store, name):
    with open(os.path.join(store, ".redo", name), "rb") as file:
        return file.read()


def write(store, name, data):
    with open(os.path.join(store, ".redo", name), "wb") as file:
        file.write(data)


# --- Entries as texts


def frame(entry, length=None, check=None):
    line = b"@%08x" % (len(entry) if length is None else length)
    return line + b" " + (sha(line)[:8] if check is None else check) + b"\n" + entry


def chained(bodies, chain=ZEROS):
    """Entries from their lines up to the chain, and the last chain."""
    out = []
    for body in bodies:
        chain = sha(chain + body)
        out.append(body + b"chain " + chain + b"\n")
    return out, chain


def bodies_of(data, place):
    found = []
    while place < len(data):
        size = int(data[place + 1:place + 9], 16)
        entry = data[place + 19:place + 19 + size]
        found.append(entry[:entry.rindex(b"chain ")])
        place += 19 + size
    return found


def journal_of(entries, generation=1, chain=ZEROS):
    line = b"redo-journal 1 %d %s " % (generation, chain)
    return line + sha(line) + b"\n" + b"".join(frame(entry) for entry in entries)


def refs_of(lines, generation, entry, chain, reflog, received):
    """The file of refs, in blocks of 16,384 bytes."""
    ordered = [line + b"\n" for line in sorted(lines, key=lambda line: (line.split(b" ")[1], line))]
    out = b""
    for _ in range(3):
        blocks = [b"redo-refs 1 %d %d %d %d %s %d %d\n" % (generation, len(out), len(lines), entry, chain, reflog, received)]
        for line in ordered:
            if len(blocks[-1] + line) + len(b"# %d %d " % (generation, len(blocks) - 1)) + 65 > 16384:
                blocks.append(b"")
            blocks[-1] += line
        out = b""
        for number, block in enumerate(blocks):
            closing = b"# %d %d " % (generation, number)
            if number < len(blocks) - 1:
                block += b"\n" * (16384 - len(block + closing) - 65)
            out += block + closing + sha(block + closing) + b"\n"
    return out


def mark(number, chain):
    line = b"@%08x %08x%s " % (0, number & 0xFFFFFFFF, chain[:4])
    line += sha(line)[:8] + b"\n"
    return line + hashlib.sha256(line).digest()


# --- What good entries are


TWICE = "a name of one id stands twice"
NAME = re.compile(rb"[^\x00-\x20\x7f~^:?*\[\\]+")
HEADS = re.compile(rb"((remotes|recovered)/[^/]+/)?(heads|receipts|schemas)/[^/]*")


def good_name(name):
    try:
        name.decode()
    except UnicodeDecodeError:
        return False
    parts = name.split(b"/")
    return (1 <= len(name) <= 1024 and len(parts) > 1 and NAME.fullmatch(name) and b".." not in name and b"@{" not in name
            and all(part and not part.startswith(b".") and not part.endswith(b".lock") for part in parts))


def number_of(text):
    assert re.fullmatch(rb"0|[1-9][0-9]{0,17}", text), "a number"
    return int(text)


def unescaped(text):
    return re.sub(rb"\\x([0-9a-f]{2})", lambda found: bytes([int(found[1], 16)]), text)


def follow(bodies, received_bytes, is_folded=False):
    """The refs after entries; an AssertionError where one is none. Counts of bytes in a reflog may be those of an earlier file."""
    standing, before = set(), 16
    for number, body in enumerate(bodies, 1):
        assert body.endswith(b"\n"), "a line"
        lines = body[:-1].split(b"\n")
        words = lines[0].split(b" ")
        assert len(words) == 4 and words[0] == b"entry" and number_of(words[1]) == number, "the first line"
        assert number_of(words[2]) < 1 << 48, "the time"
        after = number_of(words[3])
        # The mark behind what was received is a frame, too.
        assert is_folded or before <= after <= received_bytes or after == received_bytes + 64, "the bytes of received"
        before = after
        # A control that is not escaped changes no refs; how it is printed is another thing.
        assert re.fullmatch(rb"(message|written) (?:[^\\]|\\x[0-9a-f]{2})*", lines[-1]), "the message"
        unescaped(lines[-1]).decode()
        changes = [line.split(b" ") for line in lines[1:-1]]
        assert all(len(change) == 3 and change[0] in (b"-", b"+") and re.fullmatch(rb"sha256:[0-9a-f]{64}", change[1])
                   and good_name(change[2]) for change in changes), "a change"
        keys = [(change[0] == b"+", change[2], change[1]) for change in changes]
        assert keys == sorted(set(keys)), "the order"
        for sign, one, name in changes:
            if sign == b"-":
                standing.discard((one, name))
        for sign, one, name in changes:
            if sign == b"+":
                standing.add((one, name))
    return {one + b" " + name for one, name in standing}


# --- Alterations


SOUND = bodies_of(read(STORE, "refs.journal"), read(STORE, "refs.journal").index(b"\n") + 1)
RECEIVED = read(STORE, "received")[:int(SOUND[-1].split(b"\n")[0].split(b" ")[3])]
IDS = run("the sound store", ["redo", "-C", STORE, "log", "--format=%(id)"]).out.split()


def changed(place, body):
    return SOUND[:place] + [body] + SOUND[place + 1:]


def entries():
    """Other entries, as lists of their lines."""
    other = b"sha256:" + b"a" * 64
    names = [b"heads/x", b"notes/x", b"notes", b"/notes", b"notes/", b"notes//x", b"notes/.x", b"notes/x.lock", b"notes/..", b"../../x", b"notes/@{x",
             b"notes/a b", b"notes/\x1b[2J", b"notes/\xff", b"notes/\x7f", b"notes/~", b"notes/*", b"notes/\\x41", b"notes/" + b"x" * 1018,
             b"notes/" + b"x" * 1019, b"notes/" + "\u202e".encode(), b"", b"notes/mine", b"heads/-", b"remotes/a/heads/-", b"notes/\xc2\x9b2J"]
    for place, body in enumerate(SOUND):
        lines = body[:-1].split(b"\n")
        first = lines[0].split(b" ")
        for word, values in ((0, [b"Entry", b"", b"entries", b"\x1b[2J"]), (1, [b"0", b"00", b"%d" % (place + 2), b"-1", b"0%d" % (place + 1), b"+1", b"x", b"",
                             b"9223372036854775807", b"18446744073709551616", b"9" * 500]),
                             (2, [b"x", b"", b"0", b"-1", b"01", b"1e9", b"9223372036854775807", b"18446744073709551616", b"2025-01-01T00:00:00.000Z"]),
                             (3, [b"0", b"15", b"16", b"17", b"-1", b"%d" % (len(RECEIVED) + 1), b"%d" % (len(RECEIVED) - 1), b"%d" % (len(RECEIVED) + 64), b"9223372036854775807",
                                  b"18446744073709551616", b"x", b""])):
            for value in values:
                yield f"word {word + 1} of entry {place + 1} is {value[:30]!r}", changed(
                    place, b" ".join([*first[:word], value, *first[word + 1:]]) + b"\n" + b"\n".join(lines[1:]) + b"\n")
        yield f"a word more in entry {place + 1}", changed(place, lines[0] + b" x\n" + b"\n".join(lines[1:]) + b"\n")
        yield f"no message in entry {place + 1}", changed(place, b"\n".join(lines[:-1]) + b"\n")
        yield f"two messages in entry {place + 1}", changed(place, body + lines[-1] + b"\n")
        for message in (b"message", b"message ", b"written x", b"Message x", b"message \x1b[2J", b"message \\x1b[2J", b"message \\X1B", b"message \\", b"message \\xzz",
                        b"message \x7f", b"message \xff", b"message \\xff", b"message \xc2\x9b2J", b"message " + b"x" * 200_000, b"x", b"", b"message x\r"):
            yield f"the message of entry {place + 1} is {message[:30]!r}", changed(place, b"\n".join([*lines[:-1], message]) + b"\n")
        yield f"an empty line in entry {place + 1}", changed(place, lines[0] + b"\n\n" + b"\n".join(lines[1:]) + b"\n")
        for at, line in list(enumerate(lines))[1:-1]:
            for what, new in (("none", []), ("twice", [line, line]), ("with another sign", [b"*" + line[1:]]), ("as its contrary", [(b"-" if line[:1] == b"+" else b"+") + line[1:]]),
                              ("of another id", [line[:2] + other + line[73:]]), ("in capitals", [line.upper()]), ("without a name", [line[:73]]), ("with a blank more", [line + b" "]),
                              ("with two blanks", [line.replace(b" ", b"  ", 1)]), ("with another hash", [line.replace(b"sha256", b"sha512")]), ("cut", [line[:-1]])):
                yield f"line {at + 1} of entry {place + 1} {what}", changed(place, b"\n".join([*lines[:at], *new, *lines[at + 1:]]) + b"\n")
        if len(lines) > 3:
            yield f"the changes of entry {place + 1} the other way round", changed(place, b"\n".join([lines[0], *lines[-2:0:-1], lines[-1]]) + b"\n")
        yield f"without entry {place + 1}", SOUND[:place] + SOUND[place + 1:]
        yield f"entry {place + 1} twice", SOUND[:place + 1] + SOUND[place:]
        if place:
            yield f"entries {place} and {place + 1} exchanged", SOUND[:place - 1] + [SOUND[place], SOUND[place - 1]] + SOUND[place + 1:]
    head = b"entry %d 1795921689008 %d\n" % (len(SOUND) + 1, len(RECEIVED))
    for name in names:
        for one in (IDS[0], other):
            yield f"an entry more, of {name[:20]!r} as {one[7:11].decode()}", [*SOUND, head + b"+ " + one + b" " + name + b"\nmessage x\n"]
    yield "an entry more, without changes", [*SOUND, head + b"message x\n"]
    yield "an entry more, of 5,000 refs", [*SOUND, head + b"".join(b"+ %s notes/%05d\n" % (IDS[0], i) for i in range(5000)) + b"message x\n"]
    yield "nothing", []


def frames():
    """The bytes around entries."""
    made, chain = chained(SOUND)
    good = journal_of(made)
    first = good[:good.index(b"\n") + 1]
    for place, entry in enumerate(made):
        before, behind = b"".join(map(frame, made[:place])), b"".join(map(frame, made[place + 1:]))
        for length in (0, 1, len(entry) - 1, len(entry) + 1, 1 << 30, 0x7FFFFFFF, 0xFFFFFFFF):
            yield f"a length of {length} for entry {place + 1}", first + before + frame(entry, length) + behind
        for what, new in (("another check", frame(entry, check=b"0" * 8)), ("no frame", entry), ("capitals", frame(entry)[:18].upper() + frame(entry)[18:]),
                          ("another chain", frame(entry[:-65] + b"a" * 64 + b"\n")), ("no chain", frame(entry[:entry.rindex(b"chain")])),
                          ("a chain of 63", frame(entry[:-2] + b"\n")), ("a line behind its chain", frame(entry + b"x\n")), ("no line feed", frame(entry[:-1]))):
            yield f"{what} of entry {place + 1}", first + before + new + behind
    for cut in range(len(first), len(good), 97):
        yield f"the first {cut} bytes", good[:cut]
    for what, new in (("nothing", b""), ("a line feed", b"\n"), ("noise", random.randbytes(300)), ("bytes behind it", good + b"x"), ("zeros behind it", good + bytes(4096)),
                      ("a line behind it", good + b"@00000000 " + sha(b"@00000000")[:8] + b"\n")):
        yield f"a journal of {what}", new
    for generation in (0, 2, 3, 1 << 62, 1 << 64):
        yield f"generation {generation}", journal_of(made, generation)
    yield "another chain in its first line", journal_of(made, chain=b"a" * 64)
    for line in (b"redo-journal 2 1 " + ZEROS + b" ", b"redo-journal 1 01 " + ZEROS + b" ", b"redo-journal 1 1 " + ZEROS[1:] + b" ", b"redo-journal 1 1  " + ZEROS + b" ",
                 b"redo-journal 1 \x1b[2J " + ZEROS + b" "):
        yield f"a first line of {line[:20]!r}", line + sha(line) + b"\n" + good[len(first):]


def every():
    for what, bodies in entries():
        for is_folded in (False, True):
            yield "folded" if is_folded else "journal", what, bodies, None
    for what, data in frames():
        yield "frames", what, None, data


# --- Looking at it


def judged(bodies, received_bytes, is_folded):
    """The refs after entries, or None and what is wrong with them."""
    try:
        refs = follow(bodies, received_bytes, is_folded)
    except (AssertionError, ValueError) as error:
        return None, str(error)
    names = [name for name in (ref.split(b" ", 1)[1] for ref in refs) if not HEADS.fullmatch(name)]
    return (refs, None) if len(names) == len(set(names)) else (None, TWICE)


def place(group, bodies, data):
    """Makes the store of an alteration."""
    shutil.rmtree("given", ignore_errors=True)
    shutil.copytree(STORE, "given")
    if group == "frames":
        write("given", "refs.journal", data)
        return
    made, chain = chained(bodies)
    if group == "journal":
        write("given", "refs.journal", journal_of(made))
    else:
        log = b"redo-reflog 1\n" + b"".join(map(frame, made))
        write("given", "reflog", log)
        standing, why = judged(bodies, len(RECEIVED), True)
        if standing is None:
            standing = follow(bodies if why == TWICE else SOUND, len(RECEIVED), True)
        write("given", "refs", refs_of(standing, 2, len(bodies), chain, len(log), len(RECEIVED)))
        write("given", "refs.journal", journal_of([], 2, chain))
    write("given", "received", RECEIVED + mark(len(bodies), chain))


def shown(end):
    return {line for line in end.out.splitlines() if line}


def printed(refs):
    """Refs as they are shown: what a terminal would obey, and what nobody would see, is escaped."""
    return {"".join(f"\\u{{{ord(each):x}}}" if unicodedata.category(each) in ("Cc", "Cf", "Zl", "Zp") else each for each in ref.decode()).encode()
            for ref in refs}


SHOWN = shown(run("the sound store", ["redo", "-C", STORE, "show-ref"]))
if SHOWN != follow(SOUND, len(RECEIVED)):
    die(f"show-ref: {SHOWN}, not {follow(SOUND, len(RECEIVED))}")
LINE = b'{"action":"UPDATE","taskId":"7a000000-0000-4000-8000-000000000002","fields":{"title":"u"},"wall":"2026-02-01T00:00:00.000Z"}\n'
counts, number, verdicts = {}, 0, {}
for group, what, bodies, data in every():
    number += 1
    if not turn(number, what):
        continue
    what = f"{what} ({group})"
    place(group, bodies, data)
    is_folded = group == "folded"
    # Who only reads refs does not look at what was received: that there is less of it than they say is found by others.
    refs, why = (None, None) if bodies is None else judged(bodies, 1 << 62, is_folded)
    standing = refs if bodies is None else judged(bodies, len(RECEIVED), is_folded)[0]
    here = tree("given", leaving=[".redo/cache/"])
    # Where there are no refs, there is nothing to show.
    end = run(what, ["redo", "-C", "given", "show-ref"], is_told=bodies != [])
    if end.status == 0 and not is_folded and shown(end) not in ([refs and printed(refs)] if group == "journal" else [SHOWN]):
        # What is torn was never acknowledged; but then the mark tells.
        die(f"{what}: the refs are {refs}; {end}")
    if end.status not in (0, bodies == []) and refs is not None:
        die(f"{what}: these are good entries: {end}")
    log = run(what, ["redo", "-C", "given", "reflog"], is_told=bodies != [])
    if log.status == 0 and refs is None and bodies is not None and why != TWICE:
        die(f"{what}: entries that are none are shown: {log}")
    state = run(what, ["redo", "-C", "given", "state", "-q"])
    checked = run(what, ["redo", "-C", "given", "verify"])
    if checked.status == 0 and standing is None and (group != "frames" or end.status != 0):
        die(f"{what}: verify finds nothing, but: {end}")
    shutil.rmtree("away", ignore_errors=True)
    moved = run(what, ["redo", "-C", "given", "recover", "-q", "--to=2025-02-15", "-o", "../away"])
    if tree("given", leaving=[".redo/cache/"]) != here:
        die(f"{what}: a reader has changed the store")
    if moved.status not in (0, 1) and os.path.exists("away"):
        die(f"{what}: a store is left of a recovery that failed: {moved}")
    logs = tree("given/.redo", leaving=["cache/", "objects/", "lost-found"])
    wrote = run(what, ["redo", "-C", "given", "commit", "-q", "--stdin"], given=LINE)
    # The object may have been written before the refs were opened, and the damaged bytes are kept. Who adds to a head does not
    # look at other names.
    if end.status not in (0, 1) and why != TWICE and (wrote.status == 0 or tree("given/.redo", leaving=["cache/", "objects/", "lost-found"]) != logs):
        die(f"{what}: something was written: {wrote}")
    shutil.rmtree("given")
    place(group, bodies, data)
    mended = run(what, ["redo", "-C", "given", "verify", "--repair-refs"])
    again = run(what, ["redo", "-C", "given", "show-ref"], is_told=bodies != [])
    if again.status not in (0, bodies == []) and mended.status == 0:
        die(f"{what}: it was repaired, and then {again}")
    found = run(what, ["redo", "-C", "given", "log", "--format=%(id)"])
    have = run(what, ["redo", "-C", "given", "cat-node", "--batch-check=%(id)", "--batch-all-objects"])
    if not set(IDS) <= set(have.out.split()):
        die(f"{what}: objects are lost: {have}")
    if end.status != 0 and again.status == 0 and bodies is None and not set(IDS) <= set(found.out.split()):
        die(f"{what}: nodes are no longer in the history after a repair: {mended}; {found}")
    counts[group] = counts.get(group, 0) + 1
    verdict = "good" if standing is not None else "bad"
    verdicts[verdict] = verdicts.get(verdict, 0) + 1
print(f"{sum(counts.values())} of {number} altered journals ({', '.join(f'{count} {name}' for name, count in counts.items())}), {kept.runs} runs:"
      f" {', '.join(f'{count} are {name}' for name, count in sorted(verdicts.items()))}")
