"""hostile-backup.py <store> <points>: alters points of a backup one thing at a time, makes all hashes right again, and reads them.

Whether a point is a good one is decided by Tests/Oracle/read_backup.py, and here by the letter of redo-backup(5). Then

- `redo backup check` ends with 0 where all are good, and only there;
- what is restored is the store as it was at one of the points, to the byte of its logs, settings and hooks, or there is none;
- nothing that a point has is run, written elsewhere, or changed.
"""

import gzip
import hashlib
import importlib
import io
import json
import os
import random
import re
import shutil
import sys
import tarfile
import zlib

sys.dont_write_bytecode = True
sys.path[:0] = [os.path.join(os.path.dirname(os.path.abspath(__file__)), part) for part in (".", "../Oracle", "../Scripts")]
import kept  # noqa: E402
import read_backup  # noqa: E402
from kept import SEED, die, run, tree, turn  # noqa: E402

read = importlib.import_module("forge-backup").read

STORE, POINTS = sys.argv[1:]
random = random.Random(f"backup {SEED}")
NAMES = sorted(name for name in os.listdir(POINTS) if name.endswith(".redobackup"))
FULL, MIDDLE, LAST = NAMES
KINDS = ("documents", "keys", "local", "lost-found", "other", "unreadable")
ORDER = ["nodes.redopack", "receipts.redopack", "schemas.redopack", "blobs/", "reflog.gz", "received", "outside", "absent", "files/"]
HEX = re.compile(r"[0-9a-f]{64}")
PATHS = re.compile(
    r"config|trust|created|access|objects/info/signatures|hooks/(pre-receive|update|reference-transaction|post-receive)"
    r"|remotes/[^/]+/(access|checkpoint|heldback|id|last)|quarantine/(incoming|orphans/[^/]+|documents)/(?!tmp_)[^/]+")


def sha(data):
    return hashlib.sha256(data).hexdigest()


# --- What is a good point


def need(holds, why):
    assert holds, why


def whole(value):
    return type(value) is int and 0 <= value < 1 << 48


def strict(name, manifest, base):
    """The letter of the page, where the other reader takes a point at its word."""
    keys = {"depth", "files", "format", "history", "kind", "left", "members", "needs", "nodes", "objects", "received", "reflog", "refs",
            "time", "version"}
    need(keys <= set(manifest) <= keys | {"private", "receipts", "schemas", "store"}, "members")
    need(all(whole(manifest[key]) for key in ("depth", "nodes", "version")), "numbers")
    need(all(whole(manifest[key]) and manifest[key] > 0 for key in ("receipts", "schemas") if key in manifest), "counts")
    need(manifest.get("private", True) is True, "private")
    need(manifest["kind"] in ("full", "increment") and name.endswith(f"-{manifest['kind'][:4]}.redobackup"), "kind")
    for key in ("history", "objects", "refs"):
        need(set(manifest[key]) == {"count", "sha256"} and whole(manifest[key]["count"]) and HEX.fullmatch(manifest[key]["sha256"]), key)
    need(set(manifest["received"]) == {"bytes", "sha256"} and set(manifest["reflog"]) == {"bytes", "chain", "entry"}, "logs")
    need(whole(manifest["received"]["bytes"]) and whole(manifest["reflog"]["bytes"]) and whole(manifest["reflog"]["entry"]), "logs")
    need(set(manifest["left"]) <= set(KINDS) and all(whole(count) and count > 0 for count in manifest["left"].values()), "left")
    need(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", manifest["time"]), "time")
    need((manifest["kind"] == "full") == (manifest["needs"] == []) == (manifest["depth"] == 0), "needs")
    for part in manifest["needs"]:
        need(set(part) == {"name", "sha256"} and read_backup.NAME.fullmatch(part["name"]) and len(manifest["needs"]) == 1, "needs")
        need(manifest["depth"] == base.manifest["depth"] + 1 and manifest["time"] > base.manifest["time"], "depth")
        need(manifest.get("store") == base.manifest.get("store"), "store")
    paths = [part["path"] for part in manifest["files"]]
    need(len(set(paths)) == len(paths) and all(PATHS.fullmatch(path) for path in paths), "paths")
    for part in manifest["files"]:
        need({"in", "path", "sha256", "size"} <= set(part) <= {"in", "path", "sha256", "size", "private", "program"}, "files")
        need(part.get("private", True) is True and part.get("program", True) is True and whole(part["size"]), "files")
    for part in manifest["members"]:
        need(set(part) == {"name", "sha256", "size"}, "members")
        place = next((place for place, word in enumerate(ORDER)
                      if part["name"] == word or word.endswith("/") and part["name"].startswith(word)), None)
        need(place is not None, "a name")
        need(ORDER[place] != "blobs/" or part["name"][6:] == part["sha256"], "a blob")
        need(ORDER[place] != "files/" or PATHS.fullmatch(part["name"][6:]), "a file")


def is_good(directory, name):
    """Whether everything in a point, and in those that it needs, is right."""
    try:
        read_backup.READ.clear()
        points = read_backup.chain(directory, name)
        for place, point in enumerate(points):
            manifest, members, mtime = read(os.path.join(directory, point.name))
            need(written(manifest, members, mtime) == point.data, "another header")
            need(mtime == read_time(manifest), "another time")
            strict(point.name, manifest, points[place - 1] if place else None)
            for text in ("outside", "absent"):
                lines = members.get(text, b"").splitlines(keepends=True)
                form = rb"(node|receipt|schema|blob) sha256:[0-9a-f]{64}\n" if text == "outside" else rb"sha256:[0-9a-f]{64}\n"
                need(all(re.fullmatch(form, line) for line in lines) and (text not in members or lines), text)
            packed = members.get("reflog.gz", b"")
            while packed:
                # One member or several. No more of it than it is to be: this program's own memory counts as that of what it runs.
                unpacking = zlib.decompressobj(wbits=31)
                found = unpacking.decompress(packed, 1 << 20)
                need(len(found) < 1 << 20 and unpacking.eof, "the log of refs")
                packed = unpacking.unused_data
            row = [row for row in manifest["files"] if row["path"] == "config"]
            store = None
            if row:
                config = read(os.path.join(directory, row[0]["in"]))[1]["files/config"]
                store = re.search(rb"^\s*id = ([0-9a-f]{32})$", config, re.M)
            need(manifest.get("store") == (store and store[1].decode()), "the name of the store")
            lines = {line.split(b":")[1].decode() for line in members.get("outside", b"").splitlines()}
            have = {digest.hex() for part in points[:place + 1] for digest, _, _ in part.nodes()}
            have |= {name[6:] for part in points[:place + 1] for name in part.members if name.startswith("blobs/")}
            need(lines <= have, "an object outside that is not there")
        read_backup.history(directory, name)
    except Exception as error:
        return f"{type(error).__name__} {error}"[:120]
    return ""


def read_time(manifest):
    import datetime
    moment = datetime.datetime.strptime(manifest["time"], "%Y-%m-%dT%H:%M:%S.%fZ")
    return int(moment.replace(tzinfo=datetime.timezone.utc).timestamp())


# --- Writing points


def block(name, data, mtime):
    info = tarfile.TarInfo(name)
    info.size, info.mtime = len(data), mtime
    return info.tobuf(tarfile.USTAR_FORMAT)


def text_of(manifest):
    return json.dumps(manifest, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"


def written(manifest, members, mtime, text=None, header=None, order=None, listing=True):
    """The bytes of a point; `header(name, block)` may change each header, `order` has other pairs of names and bytes."""
    pairs = order if order is not None else list(members.items())
    if listing:
        manifest = dict(manifest, members=[{"name": name, "sha256": sha(data), "size": len(data)} for name, data in pairs])
    header = header or (lambda name, made: made)
    text = text_of(manifest) if text is None else text
    out = b""
    for name, data in [("manifest", text), *pairs]:
        out += header(name, block(name, data, mtime)) + data + bytes(-len(data) % 512)
    end = sha(out).encode() + b"\n"
    return out + header("sha256", block("sha256", end, mtime)) + end + bytes(-len(end) % 512) + bytes(1024)


def summed(made, place, new):
    """A header with other bytes at a place, and the sum that it then has."""
    made = made[:place] + new + made[place + len(new):]
    total = sum(made[:148]) + 8 * 32 + sum(made[156:])
    return made[:148] + b"%06o\0 " % total + made[156:]


def save(directory, name, data):
    with open(os.path.join(directory, name), "wb") as file:
        file.write(data)


def linked(directory, altered):
    """Those that follow an altered point need it by its hash now."""
    digests = {}
    for name in NAMES:
        path = os.path.join(directory, name)
        if name > altered:
            manifest, members, mtime = read(path)
            for part in manifest["needs"]:
                part["sha256"] = digests[part["name"]]
            save(directory, name, written(manifest, members, mtime))
        if os.path.exists(path):
            with open(path, "rb") as file:
                digests[name] = sha(file.read())


# --- Alterations: each gives the name of a point, what is done, and its bytes


def headers(name):
    manifest, members, mtime = read(os.path.join(POINTS, name))
    places = {
        "mode": (100, [b"0000755\0", b"0000600\0", b"0004755\0", b"100644 \0"]), "user": (108, [b"0001750\0", b"\xff" * 8]),
        "group": (116, [b"0001750\0"]), "size": (124, [b"00000000000\0", b"77777777777\0", b"\x80" + bytes(10) + b"\x09", b"           \0"]),
        "time": (136, [b"00000000000\0", b"77777777777\0", b"%011o " % mtime]), "type": (156, [b"\0", b"1", b"2", b"3", b"5", b"6", b"7", b"L", b"K", b"x", b"g", b"S", b"Z"]),
        "link": (157, [b"../../x", b"/etc/passwd"]), "magic": (257, [b"ustar  \0", b"ustar\x0000"[:6] + b"01", bytes(8)]),
        "owner": (265, [b"root", b"\x1b[2J"]), "device": (329, [b"0000001\0"]), "prefix": (345, [b"..", b"/tmp", b"x" * 155]), "end": (500, [b"x"])}
    for member in ["manifest", *members, "sha256"]:
        for what, (place, values) in places.items():
            for value in values:
                def change(found, made, member=member, place=place, value=value):
                    return summed(made, place, value) if found == member else made
                data = written(manifest, members, mtime, header=change)
                if data != written(manifest, members, mtime):
                    yield f"{what} of {member} is {value!r}", data
        yield f"the sum of the header of {member}", written(
            manifest, members, mtime, header=lambda found, made, m=member: made[:148] + b"0000000\0" + made[156:] if found == m else made)
    good = written(manifest, members, mtime)
    for what, data in (("bytes behind it", good + b"x"), ("a block of zeros behind it", good + bytes(512)), ("10 kB of zeros behind it", good + bytes(10_240)),
                       ("one block of zeros at its end", good[:-512]), ("no zeros at its end", good[:-1024]), ("it twice", good + good),
                       ("empty", b""), ("zeros", bytes(10_240)), ("cut in the middle", good[:len(good) // 1024 * 512]), ("compressed", gzip.compress(good))):
        yield what, data
    padded = bytearray(good)
    padded[512 + len(text_of(manifest)) + 600] = 1
    yield "another byte of its manifest", bytes(padded)


def manifests(name):
    """What a point says of itself."""
    manifest, members, mtime = read(os.path.join(POINTS, name))
    values = [None, True, False, -1, 0, 1, 2, 1 << 31, 1 << 48, (1 << 53) + 1, 1 << 63, 1 << 70, 1.5, "", "x", "1", [], {}, [1], {"x": 1}, "\x1b[2J",
              "../x", "0" * 64, "f" * 63, "F" * 64]

    def at(path, change):
        new = json.loads(json.dumps(manifest))
        place = new
        for key in path[:-1]:
            place = place[key]
        change(place, path[-1])
        return written(new, members, mtime, listing=path[0] != "members")

    def paths(value, found=()):
        if isinstance(value, dict):
            for key in value:
                yield (*found, key)
                yield from paths(value[key], (*found, key))
        elif isinstance(value, list):
            for place in range(min(len(value), 3)):
                yield (*found, place)
                yield from paths(value[place], (*found, place))

    for path in paths(manifest):
        yield f"without {path}", at(path, lambda place, key: place.pop(key))
        for value in random.sample(values, 6):
            yield f"{path} is {value!r}", at(path, lambda place, key, value=value: place.__setitem__(key, value))
        if isinstance(path[-1], int):
            yield f"{path} twice", at(path, lambda place, key: place.insert(key, place[key]))
    for key, value in (("more", 1), ("Version", 1), ("private", True), ("private", False), ("receipts", 1), ("receipts", 0), ("schemas", 1),
                       ("schemas", 0), ("store", "0" * 32), ("", "x")):
        yield f"{key!r} more: {value}", written(dict(manifest, **{key: value}), members, mtime)
    for version in range(0, 6):
        yield f"version {version}", written(dict(manifest, version=version), members, mtime)
    text = text_of(dict(manifest, members=[{"name": n, "sha256": sha(d), "size": len(d)} for n, d in members.items()]))
    for what, new in (
            ("no line feed", text[:-1]), ("two line feeds", text + b"\n"), ("a blank before", b" " + text), ("a blank within", text.replace(b":", b": ", 1)),
            ("a mark of order", b"\xef\xbb\xbf" + text), ("CR LF", text[:-1] + b"\r\n"), ("a member twice", text.replace(b'{"depth"', b'{"depth":0,"depth"', 1)),
            ("an escape", text.replace(b'"format"', b'"\\u0066ormat"')), ("a number with a point", text.replace(b'"depth":', b'"depth":0.0e0' if False else b'"depth":-', 1)),
            ("an exponent", re.sub(rb'"nodes":(\d+)', rb'"nodes":\1e0', text)), ("zeros before a number", re.sub(rb'"nodes":(\d+)', rb'"nodes":0\1', text)),
            ("another order", re.sub(rb'^\{("depth":\d+),', rb'{', text)[:-2] + b',"depth":0}\n'), ("nesting", b"[" * 100_000 + b"\n"),
            ("nothing", b""), ("a list", b"[]\n"), ("NUL", text[:-2] + b"\0}\n"), ("two of them", text + text)):
        yield f"a manifest with {what}", written(manifest, members, mtime, text=new)


def names(name):
    """Which files are in it, and what they are called."""
    manifest, members, mtime = read(os.path.join(POINTS, name))
    pairs = list(members.items())
    strange = ["../x", "/etc/x", "files/../x", "files/../../x", "files/./config", "files//config", "files/", "files", "files/config/", "files/config/x",
               "files/Config", "files/refs", "files/reflog", "files/refs.journal", "files/received", "files/keys/x", "files/documents/x", "files/local",
               "files/lock", "files/objects/aa/bb", "files/cache/index.sqlite", "files/hooks/x", "files/hooks/post-receive", "files/hooks/../config",
               "files/remotes/../config", "files/remotes/a/id", "files/remotes/a/b/id", "files/remotes/\x1b[2J/id", "files/remotes/tmp_a/id", "files/quarantine/x",
               "files/tmp_x", "files/remotes/a/tmp_x", "files/trust", "files/created", "files/access", "files/quarantine/incoming/x", "files/a\nb", "files/\u00e9",
               "blobs/x", "blobs/" + "0" * 64, "blobs/" + sha(b"x"), "blobs/" + sha(b"x").upper(), "x", "sha256", "manifest", "nodes.redopack ", "", ".",
               "schemas.redopack", "receipts.redopack", "absent", "outside", "y" * 100]
    for new in strange:
        if new not in members:
            yield f"{new!r} more", written(manifest, members, mtime, order=[*pairs, (new, b"x")])
            if new.startswith("files/"):
                row = {"in": name, "path": new[6:], "sha256": sha(b"x"), "size": 1}
                yield f"{new!r} more, and among the files", written(
                    dict(manifest, files=sorted([*manifest["files"], row], key=lambda row: row["path"])), members, mtime, order=[*pairs, (new, b"x")])
    for place, (old, data) in enumerate(pairs):
        yield f"no {old}", written(manifest, members, mtime, order=pairs[:place] + pairs[place + 1:])
        yield f"{old} twice", written(manifest, members, mtime, order=[*pairs, (old, data)])
        yield f"{old} twice, otherwise", written(manifest, members, mtime, order=[*pairs, (old, b"x" + data)])
        yield f"{old} is empty", written(manifest, members, mtime, order=[*pairs[:place], (old, b""), *pairs[place + 1:]])
        for new in random.sample(strange, 3):
            yield f"{old} is called {new!r}", written(manifest, members, mtime, order=[*pairs[:place], (new, data), *pairs[place + 1:]])
        if place:
            yield f"{old} comes first", written(manifest, members, mtime, order=[(old, data), *pairs[:place], *pairs[place + 1:]])


def bomb(first=b""):
    """A gzip member of 300 MB more than it looks like; this program's own memory would count as that of what it runs."""
    maker = zlib.compressobj(9, wbits=31)
    return maker.compress(first) + b"".join(maker.compress(bytes(1 << 20)) for _ in range(300)) + maker.flush()


def contents(name):
    """What is in the files."""
    manifest, members, mtime = read(os.path.join(POINTS, name))

    def made(change, **more):
        new = dict(members)
        change(new)
        return written(dict(manifest, **more), new, mtime)

    for member, data in members.items():
        if member.startswith("files/"):
            continue
        for _ in range(12):
            place = random.randrange(len(data))
            for what, new in ((f"bit 0 of byte {place}", data[:place] + bytes([data[place] ^ 1]) + data[place + 1:]),
                              (f"the first {place} bytes", data[:place])):
                yield f"{member}: {what}", made(lambda members, new=new, member=member: members.__setitem__(member, new))
        for what, new in (("a byte more", data + b"\0"), ("twice", data + data), ("zeros", bytes(len(data))), ("of letters", b"x" * len(data))):
            yield f"{member}: {what}", made(lambda members, new=new, member=member: members.__setitem__(member, new))
    for other in NAMES:
        theirs = read(os.path.join(POINTS, other))[1]
        for member in members:
            if other != name and member in theirs and theirs[member] != members[member]:
                yield f"{member} of {other}", made(lambda members, member=member, theirs=theirs: members.__setitem__(member, theirs[member]))
    if "reflog.gz" in members:
        log = gzip.decompress(members["reflog.gz"])
        for what, new in (
                ("other compression", gzip.compress(log, 1, mtime=5)), ("stored", gzip.compress(log, 0)), ("in two parts", gzip.compress(log[:20]) + gzip.compress(log[20:])),
                ("and bytes behind", members["reflog.gz"] + b"x"), ("and zeros behind", members["reflog.gz"] + bytes(100)), ("as it is", log),
                ("with another sum", members["reflog.gz"][:-8] + b"\0\0\0\0" + members["reflog.gz"][-4:]),
                ("with another length", members["reflog.gz"][:-4] + b"\0\0\0\0"), ("with a name", b"\x1f\x8b\x08\x08" + bytes(4) + b"\0\xff../x\0" + members["reflog.gz"][10:]),
                ("300 MB of zeros", bomb()), ("300 MB of zeros behind it", bomb(log))):
            yield f"the log of refs {what}", made(lambda members, new=new: members.__setitem__("reflog.gz", new))
    for text in ("outside", "absent"):
        ids = [f"sha256:{digits}" for digits in (sha(b"x"), "0" * 64)] + [line.decode() for line in members.get("outside", b"").split()[1::2]]
        for one in ids:
            for kind in (("node ", "receipt ", "schema ", "blob ", "x ", "") if text == "outside" else ("", "node ")):
                for end in ("\n", "", "\n\n", "\r\n"):
                    lines = f"{kind}{one}{end}".encode()
                    yield f"{text} has {lines!r}", made(lambda members, lines=lines, text=text: members.__setitem__(text, lines))
    config = members.get("files/config", b"")
    for what, new in (("a hook", config + b"[hooks]\n\tpath = /tmp\n"), ("nothing", b""), ("an include", config + b"[include]\n\tpath = ../x\n"),
                      ("noise", random.randbytes(99)), ("a link", b"../../../etc/passwd")):
        if config:
            row = [dict(row, sha256=sha(new), size=len(new)) if row["path"] == "config" else row for row in manifest["files"]]
            yield f"settings with {what}", made(lambda members, new=new: members.__setitem__("files/config", new), files=row)


def chains(name):
    """What a point needs."""
    manifest, members, mtime = read(os.path.join(POINTS, name))
    for other in [*NAMES, "20200101T000000000Z-full.redobackup", "../" + FULL, "/" + FULL, "x", "", FULL + "\0", "\x1b[2J" + FULL[4:]]:
        for digest in ("0" * 64, sha(open(os.path.join(POINTS, other), "rb").read()) if other in NAMES else "1" * 64):
            for kind in ("full", "increment"):
                for depth in (0, 1, 2, 3, 1 << 40):
                    if random.random() < 0.3:
                        yield f"{kind} {depth} that needs {other!r} {digest[:4]}", written(
                            dict(manifest, kind=kind, depth=depth, needs=[{"name": other, "sha256": digest}]), members, mtime)
    yield "it needs two", written(dict(manifest, needs=[{"name": FULL, "sha256": "0" * 64}, {"name": MIDDLE, "sha256": "0" * 64}]), members, mtime)
    for time in ("2020-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z", "2025-02-30T00:00:00.000Z", "x", "2025-01-01T00:00:00Z", "2025-01-01T24:00:00.000Z"):
        yield f"it is of {time}", written(dict(manifest, time=time), members, mtime)


def every():
    for group in (headers, manifests, names, contents, chains):
        for name in NAMES:
            for what, data in group(name):
                yield group.__name__, name, what, data


# --- Reading them


def restored(path):
    """What a store is: its history, refs, logs, settings and hooks."""
    found = [run("a restored store", ["redo", "-C", path, *words]).out for words in (["log", "--format=%(id)"], ["show-ref"], ["reflog"])]
    for file in ("received", "config", "trust", "hooks/pre-receive"):
        full = os.path.join(path, ".redo", file)
        found.append(open(full, "rb").read() if os.path.exists(full) else b"")
        found.append(os.stat(full).st_mode if os.path.exists(full) else 0)
    return found


def restore(what, directory):
    shutil.rmtree("back", ignore_errors=True)
    return run(what, ["redo", "backup", "restore", "-q", "-o", "back", directory], kilobytes=LIMIT)


LIMIT = 200_000
EXPECTED = []
os.mkdir("given")
for name in NAMES:
    shutil.copy(os.path.join(POINTS, name), "given")
    end = restore("the sound backup", "given")
    if end.status != 0 or is_good("given", name):
        die(f"the sound backup: {end}; {is_good('given', name)}")
    EXPECTED.append(restored("back"))

counts, number, verdicts, stores = {}, 0, {}, 0
AROUND = None


def around():
    return sorted(name for name in os.listdir(".") if name not in ("back", "given")), tree(STORE, leaving=[".redo/cache/"])


BEFORE = around()
for group, name, what, data in every():
    number += 1
    if not turn(number, what):
        continue
    shutil.rmtree("given")
    shutil.copytree(POINTS, "given")
    save("given", name, data)
    try:
        linked("given", name)
    except Exception:
        pass
    what = f"{what} ({NAMES.index(name) + 1} of 3)"
    faults = [is_good("given", each) for each in NAMES]
    here = tree("given")
    end = run(what, ["redo", "backup", "check", "given"], kilobytes=LIMIT)
    if (end.status == 0) == any(faults):
        die(f"{what}: the reader finds {faults}: check: {end}")
    run(what, ["redo", "backup", "list", "given"], kilobytes=LIMIT)
    run(what, ["redo", "-C", STORE, "backup", "-n", "../given"], kilobytes=LIMIT)
    end = restore(what, "given")
    if end.status != 0 and not any(faults):
        die(f"{what}: the reader finds {faults}: restore: {end}")
    if os.path.exists("back"):
        stores += 1
        if end.status not in (0, 1) or not any(faults) and group not in ("contents", "names", "manifests") and restored("back") not in EXPECTED:
            die(f"{what}: a store is made: {end}")
        if any(faults) and restored("back") not in EXPECTED:
            die(f"{what}: another store is made: {end}")
    elif end.status in (0, 1):
        die(f"{what}: no store is made: {end}")
    if around() != BEFORE or [each for each in os.listdir("given") if each not in (*NAMES, ".redo-backup.lock")]:
        die(f"{what}: something else was written: {around()[0]}, {os.listdir('given')}")
    if tree("given", leaving=[".redo-backup.lock"]) != here and os.path.exists("given/.redo-backup.lock") is False:
        die(f"{what}: the points were changed")
    counts[group] = counts.get(group, 0) + 1
    verdicts["bad" if any(faults) else "good"] = verdicts.get("bad" if any(faults) else "good", 0) + 1
print(f"{sum(counts.values())} of {number} altered backups ({', '.join(f'{count} {name}' for name, count in counts.items())}), {kept.runs} runs:"
      f" {', '.join(f'{count} are {name}' for name, count in sorted(verdicts.items()))}; {stores} stores were restored")
