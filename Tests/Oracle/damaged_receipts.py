"""Damage to random receipts: to their members, to their bytes, or to their signature."""

import base64
import copy
import struct


class Item:
    """A CBOR item of well-formed bytes: where it begins, where its head ends, where it ends, what is in it."""

    def __init__(self, content, at=0):
        self.at, self.major, low = at, content[at] >> 5, content[at] & 31
        size = 1 << (low - 24) if low > 23 else 0
        self.head = at + 1 + size
        self.number = int.from_bytes(content[at + 1:self.head], "big") if size else low
        self.inner, self.end = [], self.head
        if self.major in (2, 3):
            self.end += self.number
        count = {4: self.number, 5: 2 * self.number, 6: 1}.get(self.major, 0)
        for _ in range(count):
            self.inner.append(Item(content, self.end))
            self.end = self.inner[-1].end

    def all(self):
        yield self
        for item in self.inner:
            yield from item.all()


def paths(value, path=()):
    """The path of every value inside of a value."""
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, inner in list(entries):
        yield (*path, name)
        yield from paths(inner, (*path, name))


class Damage:
    def __init__(self, source, written):
        self.source, self.random, self.written = source, source.random, written

    def receipt(self, device, envelope, form):
        """(bytes, key and signature as far as there are any) of a damaged receipt."""
        envelope = copy.deepcopy(envelope)
        way = self.random.choice(["members", "members", "members", "bytes", "bytes", "signature"])
        if way == "members":
            for _ in range(self.random.choice([1, 1, 1, 2, 3])):
                self.members(envelope, form)
        content = self.written(envelope, form)
        if way == "bytes":
            content = self.bytes(envelope, content, form)
        row = {"key": device.key, "signature": device.sign(content)}
        if way == "signature" or self.source.maybe(0.05):
            self.signature(row, content)
        texts = {"key": lambda raw: raw.hex(), "signature": lambda raw: base64.b64encode(raw).decode()}
        return content, {name: texts[name](raw) for name, raw in row.items()}

    # members

    def members(self, envelope, form):
        payload = envelope.get("payload")
        payload = payload if isinstance(payload, dict) else {}
        self.random.choice([self.drop, self.retype, self.null, self.add, self.bound, self.identifier, self.odd_text, self.other_form, self.reverse, self.blobs,
                            self.size])(envelope, payload, form)

    def place(self, envelope, payload):
        """The holder and the name of a value: half of the time of a member of the envelope or of the payload, else of any."""
        if self.source.maybe(0.5):
            holder = self.random.choice([envelope, payload] if payload else [envelope])
            return (holder, self.random.choice(list(holder))) if holder else None
        path = self.random.choice(list(paths(envelope)) or [()])
        holder = envelope
        for name in path[:-1]:
            holder = holder[name]
        return (holder, path[-1]) if path else None

    def drop(self, envelope, payload, form):
        if place := self.place(envelope, payload):
            del place[0][place[1]]

    def retype(self, envelope, payload, form):
        if place := self.place(envelope, payload):
            place[0][place[1]] = self.source.value()

    def null(self, envelope, payload, form):
        if place := self.place(envelope, payload):
            place[0][place[1]] = self.random.choice([None, None, None, [None], {"a": None}])

    def add(self, envelope, payload, form):
        names = ["extra", "blobs", "signature", "Did", "", "a/b~c", "cid", self.source.text(6)]
        envelope[self.random.choice(names)] = self.random.choice([None, [], "x", self.source.value()])

    def bound(self, envelope, payload, form):
        name = self.random.choice(["rating", "thc_percent", "cbd_percent", "amount_grams", "claimed_time_ms", "fuzzy_lat", "created_at_ms"])
        payload[name] = self.random.choice([0, 1, 5, 6, -1, 100, 101, 1000, 1001, 10_000, 10_001, 1_000_000, 1_000_001, 0.0, 5.0, 99.5, 100.5, "5", True])

    def spelling(self, text):
        """A CID in another spelling, or something else."""
        letters = "abcdefghijklmnopqrstuvwxyz234567"
        last = letters[letters.index(text[-1]) ^ 1] if text and text[-1] in letters else "b"
        return self.random.choice([text.upper(), text[:-1] + last, text[1:], text + "=", text + "\n", "SELF", "self", "", "bafyreiabc",
                                   "z" + text[1:], self.source.link(), str(self.source.link().set(base="base32")), text.encode(), 5])

    def identifier(self, envelope, payload, form):
        name = self.random.choice(["parentCID", "rootCID", "rootCID"])
        text = envelope.get(name)
        envelope[name] = self.spelling(text if isinstance(text, str) else str(self.source.link().set(base="base32")))

    def odd_text(self, envelope, payload, form):
        name, values = self.random.choice([
            ("did", ["", "did:buds:", "did:Buds:x", "did:web:" + "a" * 200, "did:web:" + "a" * 201, "did:x:a b", "did:x:é", "did:buds:" + "1" * 20,
                     "did:buds:" + "1" * 21]),
            ("deviceId", ["", "d" * 128, "d" * 129, "é" * 64, "é" * 65]),
            ("receiptType", ["", "a.b/v1", "app.buds.session.created/v0", "app.buds.session.created/v10", "App.b/v1", "a_b.c/v1", "a.b_c/v1", "a..b/v1",
                             "app.buds.session.deleted/v1", "app.buds.memory.shared/v1", "app.buds.location/v1", "redo.device.registered/v1"])])
        envelope[name] = self.random.choice(values)

    def other_form(self, envelope, payload, form):
        """The payload of the other form, or of neither."""
        envelope["payload"] = self.random.choice([
            self.written(payload, "docs"), "x", 5, [payload], b"\xa0", b"\x80", b"\xf6", b"", b"\x81\xf6", {}, None, self.source.value()])

    def reverse(self, envelope, payload, form):
        arrays = [holder for holder in payload.values() if isinstance(holder, list)] + [b for b in [envelope.get("blobs")] if isinstance(b, list)]
        for array in arrays:
            array.reverse()

    def blobs(self, envelope, payload, form):
        blobs = envelope.setdefault("blobs", [self.source.blob(), self.source.blob()])
        if isinstance(blobs, list) and blobs:
            index = self.random.randrange(len(blobs))
            if isinstance(blobs[index], dict):
                name = self.random.choice(["cid", "mimeType", "size", "encrypted", "name"])
                blobs[index][name] = self.random.choice([None, -1, 0, 1.0, "", True, self.spelling(str(blobs[index].get("cid")))])
                if self.source.maybe(0.2):
                    del blobs[index][name]
            if self.source.maybe(0.1):
                blobs[index] = self.source.value()

    def size(self, envelope, payload, form):
        """About the largest size, or exactly it."""
        payload["padding"] = ""
        payload["padding"] = "x" * max(0, 65_536 - 2 - len(self.written(envelope, form)) - (2 if form == "client" else 0) + self.random.randint(-3, 3))

    # bytes

    def bytes(self, envelope, content, form):
        """Damages the bytes of the receipt or those inside of the payload's byte string."""
        if form == "client" and isinstance(envelope.get("payload"), dict) and self.source.maybe(0.6):
            inner = self.written(envelope["payload"], "docs")
            return self.written({**envelope, "payload": self.damaged(inner)}, form)
        return self.damaged(content)

    def damaged(self, content):
        content = self.random.choice([self.head, self.head, self.item, self.item, self.item, self.entries, self.entries, self.loose])(content)
        return content if self.source.maybe(0.9) else self.loose(content)

    def head(self, content):
        """A head that is longer than it must be, or says that it has no length."""
        item = self.random.choice(list(Item(content).all()))
        major = item.major << 5
        if self.source.maybe(0.3) and item.major in (2, 3, 4, 5):
            pieces = content[item.at:item.end] if item.major in (2, 3) else content[item.head:item.end]
            return content[:item.at] + bytes([major | 31]) + pieces + b"\xff" + content[item.end:]
        widths = [(24 + power, 1 << power) for power in range(4) if item.major != 7 and (1 << power) > item.head - item.at - 1]
        if not widths:
            return content[:item.at] + b"\xf8" + content[item.at:]
        low, count = self.random.choice(widths)
        return content[:item.at] + bytes([major | low]) + item.number.to_bytes(count, "big") + content[item.head:]

    def item(self, content):
        """Another item in the place of one; of a value or of a key."""
        items = list(Item(content).all())
        item = self.random.choice([i for i in items if content[i.at] == 0xFB] or items if self.source.maybe(0.3) else items)
        new = self.random.choice([
            b"\xf7", b"\xf0", b"\xf8\xff", b"\x1c", b"\xff", b"\xc1\x00", b"\xc2\x41\x01", b"\xd8\x2a\x41\x00", b"\xd8\x2a\x60", b"\xf9\x3e\x00",
            b"\xfb\x7f\xf8" + bytes(6),
            b"\xfb\xff\xf0" + bytes(6), b"\xfb\x80" + bytes(7), b"\x1b\x80" + bytes(7), b"\x3b\x80" + bytes(7), b"\x1b\x7f" + b"\xff" * 7, b"\x3b\x7f" + b"\xff" * 7,
            b"\x61\xff", b"\x62\xc0\xaf", b"\x63\xed\xa0\x80", b"\xfa" + struct.pack(">f", 1.5), b"\xf6", b"\x00", b"\xa0", b"\x40", b"\x60",
            b"\x81" * 29 + b"\x80", b"\x81" * 32 + b"\x80",
            b"\x9b" + b"\xff" * 8, b"\x7b" + b"\xff" * 8, content[item.at:item.end] * 2])
        return content[:item.at] + new + content[item.end:]

    def entries(self, content):
        """Entries of a map that are swapped, twice, or in any order."""
        maps = [item for item in Item(content).all() if item.major == 5 and item.number > 1]
        if not maps:
            return self.loose(content)
        item = self.random.choice(maps)
        pairs = [content[key.at:value.end] for key, value in zip(item.inner[::2], item.inner[1::2])]
        head = content[item.at:item.head]
        at = self.random.randrange(len(pairs) - 1)
        way = self.random.randrange(3)
        if way == 0:
            pairs[at], pairs[at + 1] = pairs[at + 1], pairs[at]
        elif way == 1:
            pairs[at] = pairs[at + 1]
        else:
            self.random.shuffle(pairs)
        return content[:item.at] + head + b"".join(pairs) + content[item.end:]

    def loose(self, content):
        """Single bytes, whatever they mean."""
        at = self.random.randrange(len(content) + 1)
        byte = bytes([self.random.randrange(256)])
        flipped = bytes([content[at] ^ 1 << self.random.randrange(8)]) if at < len(content) else byte
        return self.random.choice([
            content[:at], content[:at] + flipped + content[at + 1:], content[:at] + flipped + content[at + 1:], content[:at] + byte + content[at:],
            content[:at] + content[at + 1:], content + byte, content + content])

    # the signature

    def signature(self, row, content):
        other = self.random.choice(self.source.devices)
        signature = row["signature"]
        at = self.random.randrange(64)
        way = self.random.randrange(8)
        if way == 0:
            del row["signature"]
        elif way == 1:
            del row["key"]
        elif way == 2:
            row.clear()
        elif way == 3:
            row["key"] = other.key
        elif way == 4:
            row["signature"] = other.sign(content)
        elif way == 5:
            row["key"], row["signature"] = other.key, other.sign(content)
        else:
            row["signature"] = signature[:at] + bytes([signature[at] ^ 1 << self.random.randrange(8)]) + signature[at + 1:]
