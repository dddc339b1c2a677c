#!/usr/bin/env python3
"""The rules of one receipt, as an oracle: which rules it breaks and where; on top of strict_cbor.py, signatures by PyNaCl.

  receipt_rules.py FILE...       `<cid> <form> valid`, or `<cid> <form> <rule>@<place>,...`, a line each
  receipt_rules.py --lines       a line for each of standard input, {"cbor": Base64, "signature"?: Base64, "key"?: hex}:
                                 CID, letter and findings (`-` if none), with a TAB between

A place is an offset (of the CBOR rules) or a JSON pointer, in which control characters, commas and % are written as
%hh; that of the whole receipt is written as ''. Findings are those of the bytes alone, whatever their weight, in the
order of their UTF-8 bytes; what is said of the signature is in the letter.
"""

import base64
import json
import re
import sys

sys.dont_write_bytecode = True

from nacl.exceptions import BadSignatureError
from nacl.signing import VerifyKey

import strict_cbor
from receipt_types import ANY_PAYLOAD, CLIENT_SESSION, DOCS_SESSION, SESSION_DELETED, SESSIONS, TABLES, WITHOUT_TIME, is_kind

MAX_SIZE = 65_536
RAW, DAG_CBOR = 0x55, 0x71
MEMBERS = {"did", "deviceId", "receiptType", "payload", "parentCID", "rootCID", "blobs"}
BLOB = {"cid", "mimeType", "size", "encrypted"}
PRECISE = {"latitude", "longitude", "altitude", "accuracy"}
DID = re.compile(r"did:[a-z0-9]+:[A-Za-z0-9._:%-]{1,200}", re.ASCII)
TYPE = re.compile(r"[a-z0-9]+(\.[a-z0-9_]+)+/v[1-9][0-9]*", re.ASCII)
CID = re.compile(r"b[a-z2-7]{58}", re.ASCII)
DIGITS = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"


def cid_codec(value):
    """The codec of a CID's text in its one spelling, else None."""
    if type(value) is not str or not CID.fullmatch(value):
        return None
    raw = base64.b32decode(value[1:].upper() + "=" * 6)
    if not strict_cbor.is_cid(raw) or "b" + base64.b32encode(raw).decode().lower().rstrip("=") != value:
        return None
    return raw[1]


def base58_bytes(text):
    """What a Base58 text stands for; None if a digit is none."""
    number = 0
    for digit in text:
        if digit not in DIGITS:
            return None
        number = number * 58 + DIGITS.index(digit)
    return bytes(len(text) - len(text.lstrip("1"))) + number.to_bytes((number.bit_length() + 7) // 8, "big")


def bound_key(did):
    """The first 20 bytes of the key that a well-formed did binds, or None."""
    start = "did:buds:"
    raw = base58_bytes(did[len(start):]) if did.startswith(start) else None
    return raw if raw is not None and len(raw) == 20 else None


def join(pointer, name):
    return pointer + "/" + str(name).replace("~", "~0").replace("/", "~1")


class Receipt:
    """A receipt: what could be read of it, and its findings."""

    def __init__(self, content):
        self.cid = strict_cbor.cid(content)
        self.findings, self.envelope, self.form, self.payload, self.type = [], {}, None, None, None
        if len(content) > MAX_SIZE:
            self.say("receipt-size", "")
            return
        try:
            value = strict_cbor.parse(content)
        except strict_cbor.Refused as refusal:
            self.say(refusal.rule, refusal.offset)
            return
        if type(value) is not dict:
            self.say("receipt-form", "")
            return
        self.envelope = value
        self.read_payload()
        self.judge_envelope()
        if self.payload is not None:
            self.look_into(self.payload, "/payload", PRECISE)
            self.judge_payload()

    def say(self, rule, place):
        self.findings.append((rule, place))

    def read_payload(self):
        """The form and the payload's map, if there is one."""
        value = self.envelope.get("payload")
        if type(value) is dict:
            self.form, self.payload = "docs", value
        elif type(value) is strict_cbor.Bytes:
            self.form = "client"
            try:
                inner = strict_cbor.parse(value, value.at)
            except strict_cbor.Refused as refusal:
                self.say(refusal.rule, refusal.offset)
                return
            if type(inner) is dict:
                self.payload = inner
            else:
                self.say("receipt-form", "/payload")
        elif value is not None:
            self.say("receipt-form", "/payload")

    def look_into(self, value, place, precise=()):
        """Nulls at any depth, and the members that are called one of `precise`."""
        if value is None:
            self.say("member-null", place)
        elif type(value) is dict:
            for name, inner in value.items():
                if name in precise and inner is not None:
                    self.say("receipt-precise", join(place, name))
                self.look_into(inner, join(place, name), precise)
        elif type(value) is list:
            for index, inner in enumerate(value):
                self.look_into(inner, join(place, index), precise)

    # the envelope

    def text(self, name, rule, test):
        """Judges a member that must be a text of a form; of an absent one and of null nothing is said here."""
        value = self.envelope.get(name)
        if value is None:
            return None
        if type(value) is str and test(value):
            return value
        self.say(rule, "/" + name)
        return None

    def judge_envelope(self):
        envelope = self.envelope
        for name, value in envelope.items():
            if value is not None and (name not in MEMBERS or name == "blobs" and self.form == "client"):
                self.say("member-unknown", join("", name))
            if name != "payload" or type(value) is not dict:
                self.look_into(value, join("", name))
        for name in ["did", "receiptType", "payload"] + (["deviceId"] if self.form == "client" else []):
            if name not in envelope:
                self.say("member-missing", "/" + name)
        did = self.text("did", "did-form", DID.fullmatch)
        if did is not None and bound_key(did) is None:
            self.say("did-unbound", "/did")
        self.text("deviceId", "device-id-form", lambda text: 1 <= len(text.encode()) <= 128)
        self.type = self.text("receiptType", "receipt-type-form", TYPE.fullmatch)
        self.text("parentCID", "cid-form", lambda text: cid_codec(text) == DAG_CBOR)
        if self.type == SESSION_DELETED and "parentCID" not in envelope:
            self.say("member-missing", "/parentCID")
        if self.form is not None:
            self.judge_root("parentCID" in envelope)
        if self.form == "docs" and envelope.get("blobs") is not None:
            self.judge_blobs(envelope["blobs"])

    def judge_root(self, has_parent):
        if "rootCID" not in self.envelope:
            if self.form == "client" or has_parent:
                self.say("member-missing", "/rootCID")
            return
        root = self.envelope["rootCID"]
        if root is None:
            return
        if not has_parent:
            if self.form == "docs" or root != "SELF":
                self.say("receipt-root-form", "/rootCID")
        elif self.form == "client" and root == "SELF":
            self.say("receipt-root-form", "/rootCID")
        elif cid_codec(root) != DAG_CBOR:
            self.say("cid-form", "/rootCID")

    def judge_blobs(self, blobs):
        if type(blobs) is not list:
            self.say("blobs-form", "/blobs")
            return
        tests = {
            "cid": lambda value: cid_codec(value) == RAW,
            "mimeType": lambda value: type(value) is str,
            "size": lambda value: type(value) is int and value >= 0,
            "encrypted": lambda value: type(value) is bool,
        }
        cids = []
        for index, blob in enumerate(blobs):
            place = join("/blobs", index)
            if type(blob) is not dict:
                if blob is not None:
                    self.say("blobs-form", place)
                continue
            if set(blob) != BLOB:
                self.say("blobs-form", place)
            for name, test in tests.items():
                if blob.get(name) is not None and not test(blob[name]):
                    self.say("blobs-form", join(place, name))
            if cid_codec(blob.get("cid")) == RAW:
                cids.append(blob["cid"])
        if len(cids) == len(blobs) and cids != sorted(cids):
            self.say("array-order", "/blobs")

    # the payload

    def judge_payload(self):
        if self.type is None or self.type in ANY_PAYLOAD:
            return
        session = self.type in SESSIONS
        members = (CLIENT_SESSION if self.form == "client" else DOCS_SESSION) if session else TABLES.get(self.type)
        if members is None:
            self.say("receipt-type-unknown", "/receiptType")
            return
        for name, (kind, required) in members.items():
            if name in self.payload:
                self.judge_member(name, self.payload[name], kind)
            elif required:
                self.say("payload-missing", join("/payload", name))
        self.judge_time(needed=not (session and self.form == "client" or self.type in WITHOUT_TIME))
        if session:
            self.judge_ranges()

    def judge_member(self, name, value, kind):
        place = join("/payload", name)
        if value is None:
            return
        if kind == "[t]":
            self.judge_texts(name, value, place)
        elif not is_kind(value, kind):
            self.say("payload-type", place)
        elif name.endswith("_cid"):
            self.judge_cid(value, place, (DAG_CBOR,) if name == "memory_cid" else (DAG_CBOR, RAW))

    def judge_texts(self, name, value, place):
        if type(value) is not list:
            self.say("payload-type", place)
            return
        for index, element in enumerate(value):
            if element is not None and type(element) is not str:
                self.say("payload-type", join(place, index))
            elif element is not None and name.endswith("_cids"):
                self.judge_cid(element, join(place, index), (DAG_CBOR, RAW))
        if all(type(element) is str for element in value):
            raw = [element.encode() for element in value]
            if raw != sorted(raw):
                self.say("array-order", place)

    def judge_cid(self, value, place, codecs):
        if cid_codec(value) not in codecs:
            self.say("cid-form", place)

    def judge_time(self, needed):
        if "claimed_time_ms" not in self.payload:
            if needed:
                self.say("claimed-missing", "/payload/claimed_time_ms")
        elif self.payload["claimed_time_ms"] is not None and type(self.payload["claimed_time_ms"]) is not int:
            self.say("payload-type", "/payload/claimed_time_ms")

    def judge_ranges(self):
        """Numbers outside their range and notes that are too long; values of a wrong type have had their finding."""
        client = self.form == "client"
        kinds, percent, amount = ((int,), 10_000, 1_000_000) if client else ((int, float), 100, 1000)
        for name, least, most in [("rating", 1, 5), ("thc_percent", 0, percent), ("cbd_percent", 0, percent), ("amount_grams", 0, amount)]:
            value = self.payload.get(name)
            if type(value) in ((int,) if name == "rating" else kinds) and not least <= value <= most:
                self.say("payload-range", "/payload/" + name)
        notes = self.payload.get("notes")
        if type(notes) is str and len(notes) > 5000:
            self.say("payload-range", "/payload/notes")


def check(content):
    """The findings (rule, place) of a receipt's bytes; a place is a pointer or an offset."""
    return Receipt(content).findings


def severity(rule, place, profile="v1"):
    """error, warning or info, under v1, sync or genesis."""
    if rule in ("array-order", "receipt-type-unknown", "did-unbound"):
        return "info"
    if rule in ("receipt-precise", "signature-missing", "key-unknown"):
        return "warning" if profile == "v1" else "error"
    if rule in ("payload-range", "claimed-missing") or rule == "cid-form" and place.startswith("/payload/"):
        return "warning"
    return "error"


def facts(content):
    """What a receipt says; None for what it does not say."""
    receipt = Receipt(content)
    envelope, payload = receipt.envelope, receipt.payload or {}
    text = lambda name: envelope[name] if type(envelope.get(name)) is str else None
    claimed = payload.get("claimed_time_ms")
    root = text("rootCID")
    return {
        "form": receipt.form,
        "cid": receipt.cid,
        "root": root if cid_codec(root) == DAG_CBOR else receipt.cid,
        "parent": text("parentCID"),
        "did": text("did"),
        "device": text("deviceId"),
        "type": text("receiptType"),
        "claimed": claimed if type(claimed) is int else None,
    }


def holds(content, signature, key):
    """Whether an Ed25519 signature of some bytes holds, strictly: S below the order, no point of small order."""
    try:
        VerifyKey(key).verify(content, signature)
        return True
    except (BadSignatureError, ValueError, TypeError):
        return False


def verdict(content, signature, key, profile="v1"):
    """(letter, rule or '-', place or '-') of a receipt with its signature and the key of its device, each of which may be None."""
    receipt = Receipt(content)
    for rule, place in receipt.findings:
        if severity(rule, place, profile) == "error":
            return "B", rule, place
    if signature is None:
        return "N", "signature-missing", "/signature"
    if key is None:
        return "E", "key-unknown", "/signature"
    bound = bound_key(receipt.envelope["did"])
    if bound is not None and bound != key[:20]:
        return "B", "did-key-mismatch", "/did"
    if not holds(content, signature, key):
        return "B", "signature-bad", "/signature"
    return "G", "-", "-"


def spelled(place):
    """A place as tables and lines have it, on one line and without a comma."""
    return "".join(f"%{ord(c):02X}" if c in "%,\x7f" or c < " " else c for c in str(place)) or "''"


def listed(findings):
    return ",".join(sorted(f"{rule}@{spelled(place)}" for rule, place in findings)) or "-"


def judge_lines():
    for line in sys.stdin.buffer:
        row = json.loads(line)
        content = base64.b64decode(row["cbor"])
        signature = base64.b64decode(row["signature"]) if "signature" in row else None
        key = bytes.fromhex(row["key"]) if "key" in row else None
        letter, *_ = verdict(content, signature, key)
        print(strict_cbor.cid(content), letter, listed(check(content)), sep="\t")


def main(*names):
    sys.stdout.reconfigure(encoding="utf-8")
    if names == ("--lines",):
        judge_lines()
        return
    for name in names:
        with open(name, "rb") as file:
            receipt = Receipt(file.read())
        found = listed(receipt.findings)
        print(receipt.cid, receipt.form or "-", "valid" if found == "-" else found)


if __name__ == "__main__":
    main(*sys.argv[1:])
