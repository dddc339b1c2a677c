"""Stores as a foreign writer leaves them, by redo-store(5) alone: objects that are whole, with refs and the received log that
name them, whatever they say. And commands, run over such stores, held to what no input may ever bring about."""

import base64
import hashlib
import os
import random
import shutil
import subprocess
import time
import zlib

import kept

# What prints canonical JSON, in which text stands as it is.
JSON = {"--json", "--for=app", "export", "cat-node", "hash-object", "merge-file"}
NAMES = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"


def sha(content):
    return hashlib.sha256(content).digest()


def id_of(content):
    return "sha256:" + sha(content).hex()


class Store:
    """A store, and what its refs and its received log are to say next."""

    def __init__(self, path):
        subprocess.run(["redo", "init", "-q", path], check=True)
        self.root = os.path.join(path, ".redo")
        self.path = path
        self.number, self.chain = 0, "0" * 64
        with open(self.file("config")) as file:
            text = file.read()
        with open(self.file("config"), "w") as file:
            file.write(text.replace("format = 1", "format = 2"))
        self.counted = os.path.getsize(self.file("received"))

    def copy(self, path):
        """Another store like this one."""
        shutil.rmtree(path, ignore_errors=True)
        shutil.copytree(self.path, path)
        other = object.__new__(Store)
        other.__dict__.update(self.__dict__, path=path, root=os.path.join(path, ".redo"))
        return other

    def file(self, name):
        return os.path.join(self.root, name)

    def loose(self, kind, content, signature=None):
        """Puts an object where its hash says."""
        name = sha(content).hex()
        head = f"{kind} {len(content)}" + (f" ed25519:{signature.hex()}" if signature else "")
        folder = self.file("objects/" + name[:2])
        os.makedirs(folder, exist_ok=True)
        path = os.path.join(folder, name[2:])
        if not os.path.exists(path):
            with open(path, "wb") as file:
                file.write(zlib.compress(head.encode() + b"\0" + content, 1))
            os.chmod(path, 0o444)
        return "sha256:" + name

    def accept(self, refs, ids, gone=()):
        """One entry of the journal: refs that are new and that are gone, and the ids that are received with it."""
        line = f"@{len(ids):08x} {int(time.time() * 1000) - 1000:012x} ".encode()
        line += hashlib.sha256(line[:-1] + b" ").hexdigest()[:8].encode() + b"\n"
        raw = b"".join(bytes.fromhex(id[7:]) for id in ids)
        frame = line + raw + sha(line + raw) if ids else b""
        self.number += 1
        entry = f"entry {self.number} {int(time.time() * 1000)} {self.counted + len(frame)}\n"
        entry += "".join(f"- {id} {name}\n" for name, id in sorted((name, id) for id, name in gone))
        entry += "".join(f"+ {id} {name}\n" for name, id in sorted((name, id) for id, name in refs)) + "message from elsewhere\n"
        self.chain = hashlib.sha256((self.chain + entry).encode()).hexdigest()
        entry = (entry + f"chain {self.chain}\n").encode()
        size = b"@%08x" % len(entry)
        with open(self.file("refs.journal"), "ab") as file:
            file.write(size + b" " + hashlib.sha256(size).hexdigest()[:8].encode() + b"\n" + entry)
        mark = f"@00000000 {self.number:08x}{self.chain[:4]} ".encode()
        mark += hashlib.sha256(mark).hexdigest()[:8].encode() + b"\n"
        with open(self.file("received"), "r+b") as file:
            file.truncate(self.counted)
            file.seek(self.counted)
            file.write(frame + mark + sha(mark))
        self.counted += len(frame)

    def state(self):
        """A digest of every file but those that can be made again."""
        found = hashlib.sha256()
        for folder, folders, names in os.walk(self.root):
            folders[:] = sorted(name for name in folders if (folder, name) != (self.root, "cache"))
            for name in sorted(names):
                path = os.path.join(folder, name)
                with open(path, "rb") as file:
                    found.update(f"{path[len(self.root):]} {os.path.getsize(path)}\n".encode() + sha(file.read()))
        return found.hexdigest()


class Done:
    """What a command came to."""

    def __init__(self, words, status, out, err, broken):
        self.words, self.status, self.out, self.err, self.broken = words, status, out, err, broken

    def text(self):
        return self.out.decode(errors="replace")

    def lines(self):
        """Its lines, which no character but a line feed ends."""
        return self.text().split("\n")[:-1]

    def says(self):
        return self.err.decode(errors="replace")


def controls(content, is_json=False):
    """Whether a terminal would be told something; canonical JSON has DEL as it is."""
    return any(byte < 0x20 and byte not in b"\n\t" or byte == 0x7F and not is_json for byte in content)


def run(words, limit=kept.KILOBYTES, stdin=None, raw=False):
    """Runs a command; `broken` says what no command may do, if it did."""
    end = kept.execute(["redo", *words], stdin.read() if stdin else b"")
    done = Done(words, end.status, end.out, end.err, [])
    if end.hangs:
        done.broken.append("it hangs")
    elif done.status not in (0, 1, 2, 128):
        done.broken.append(f"it ends with {done.status}: {done.says()[-400:]}")
    if end.kilobytes > limit:
        done.broken.append(f"it takes {end.kilobytes} kB")
    if done.status == 0 and b"error: " in done.err or done.status == 128 and not (b"fatal: " in done.err or b'"exit":128' in done.err):
        done.broken.append(f"it ends with {done.status} and says {done.says()[-400:]!r}")
    if done.status != 0 and not done.err and not done.out:
        done.broken.append(f"it ends with {done.status} and says nothing")
    is_json = JSON & set(words)
    if controls(done.err, is_json) or not raw and controls(done.out, is_json):
        done.broken.append(f"it prints control characters: {(done.out + done.err)[:600]!r}")
    return done


def base64_text(content):
    return base64.b64encode(content).decode()


class Trials:
    """Commands that were run for inputs, and what was wrong with what they did."""

    def __init__(self):
        self.count, self.troubles = 0, []

    def trouble(self, name, words, text):
        self.troubles.append(name)
        print(f"{name}: redo {' '.join(words)}: {text}")

    def run(self, name, *words, **more):
        self.count += 1
        done = run(list(words), **more)
        for text in done.broken:
            self.trouble(name, words, text)
        return done


    def makes(self, name, store, makers, is_good):
        """Runs what makes something of a store at `made`, which must work for a good one; yields what each came to."""
        for words in makers:
            shutil.rmtree("made", ignore_errors=True)
            if os.path.isfile("made"):
                os.remove("made")
            done = self.run(name, "-C", store.path, *[os.path.abspath("made") if word == "OUT" else word for word in words])
            if is_good and done.status:
                self.trouble(name, done.words, f"{done.status}: {done.says()[:300]}")
            yield words, done


def findings(audit):
    """What an audit says: (weight, rule, id)."""
    return {tuple(row.split(" ")[:3]) for row in audit.lines()}


def few(items, share, seed):
    """One in so many of them; which, the seed says."""
    return [item for at, item in enumerate(items) if share == 1 or random.Random(f"{seed} {at}").randrange(share) == 0]
