#!/usr/bin/env python3
"""Shares receipts as the public app does, in a few lines of Python, to hold redo's against.

  share_peer.py keys <seed>                       a device: its keys as JSON, {"ed25519","x25519","public_ed25519","public_x25519"}
  share_peer.py card <seed> <did> <device>        its card, a line as `hash-object --ndjson` reads it
  share_peer.py open <seed> <device> <card of the sender> < messages   what is in them: cid, type, payload as JSON, a line each
  share_peer.py make <seed> <did> <device> <device of the reader>:<x25519 in base64>... [--spoil=<what>] [--text=<name>] < receipt line   a message

Receipts come from Tests/Vectors/maker. `--spoil` makes one defect: key, payload, cid, signature, sender, device, time.
"""

import base64
import hashlib
import json
import os
import pathlib
import sys
import uuid

import dag_cbor
import nacl.bindings
import nacl.signing
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from multiformats import CID, multihash

b64 = lambda data: base64.b64encode(data).decode()
unb64 = lambda text: base64.b64decode(text, validate=True)


class Device:
    def __init__(self, seed):
        self.signing = nacl.signing.SigningKey(hashlib.sha256(f"sign {seed}".encode()).digest())
        self.exchange = X25519PrivateKey.from_private_bytes(hashlib.sha256(f"exchange {seed}".encode()).digest())
        self.public_ed25519 = bytes(self.signing.verify_key)
        self.public_x25519 = self.exchange.public_key().public_bytes_raw()

    def wrapping(self, other):
        shared = self.exchange.exchange(X25519PublicKey.from_public_bytes(other))
        return AESGCM(HKDF(SHA256(), 32, None, b"buds.wrap.v1").derive(shared))


def cid_of(content):
    return str(CID("base32", 1, "dag-cbor", multihash.digest(content, "sha2-256")))


def receipt(did, device, kind, payload):
    return dag_cbor.encode({"did": did, "deviceId": device, "receiptType": kind, "payload": dag_cbor.encode(payload), "rootCID": "SELF"})


word, seed, *rest = sys.argv[1:]
own = Device(seed)
spoil = next((part.split("=")[1] for part in rest if part.startswith("--spoil=")), None)
text = next((part.split("=", 1)[1] for part in rest if part.startswith("--text=")), "shared")
rest = [part for part in rest if not part.startswith("--")]
if word == "keys":
    print(json.dumps({"public_ed25519": own.public_ed25519.hex(), "public_x25519": b64(own.public_x25519)}))
elif word == "card":
    did, device = rest
    content = receipt(did, device, "redo.device.registered/v1", {
        "claimed_time_ms": 1, "pubkey_ed25519": b64(own.public_ed25519), "pubkey_x25519": b64(own.public_x25519)})
    print(json.dumps({"cbor": b64(content), "cid": cid_of(content), "signature": b64(own.signing.sign(content).signature)}, separators=(",", ":")))
elif word == "open":
    device, card = rest
    sender = dag_cbor.decode(dag_cbor.decode(open(card, "rb").read())["payload"])
    for line in sys.stdin:
        row = json.loads(line)
        assert row["recipient_dids"] == sorted(set(row["recipient_dids"])) and uuid.UUID(row["message_id"])
        wrapped = unb64(row["wrapped_keys"][device])
        assert len(wrapped) == 60
        content_key = own.wrapping(unb64(sender["pubkey_x25519"])).decrypt(wrapped[:12], wrapped[12:], None)
        sealed = unb64(row["encrypted_payload"])
        content = AESGCM(content_key).decrypt(sealed[:12], sealed[12:], row["receipt_cid"].encode())
        assert cid_of(content) == row["receipt_cid"]
        nacl.signing.VerifyKey(unb64(sender["pubkey_ed25519"])).verify(content, unb64(row["signature"]))
        inside = dag_cbor.decode(content)
        assert (inside["did"], inside["deviceId"]) == (row["sender_did"], row["sender_device_id"])
        assert isinstance(row["created_at"], int) and row["created_at"] > 10**12
        print(row["receipt_cid"], inside["receiptType"], inside.get("parentCID", "-"), inside["rootCID"],
              json.dumps(dag_cbor.decode(inside["payload"]), sort_keys=True), sep="\t")
else:
    did, device, *readers = rest
    content = receipt(did, device, "app.buds.session.created/v1", {
        "claimed_time_ms": 5, "product_name": text, "product_type": "x", "rating": 2, "effects": []})
    signature = own.signing.sign(content).signature
    key, nonce = os.urandom(32), os.urandom(12)
    cid = cid_of(content)
    sealed = bytearray(nonce + AESGCM(key).encrypt(nonce, content, cid.encode()))
    wrapped = {}
    for reader in readers:
        name, public = reader.split(":", 1)
        nonce = os.urandom(12)
        wrapped[name] = nonce + own.wrapping(unb64(public)).encrypt(nonce, key, None)
    if spoil == "payload":
        sealed[20] ^= 1
    if spoil == "cid":
        cid = cid_of(content + b"\0")
        sealed = bytearray(nonce + AESGCM(key).encrypt(nonce, content, cid.encode()))
    if spoil == "signature":
        signature = own.signing.sign(content + b"\0").signature
    if spoil == "key":
        wrapped = {name: bytes(60) for name in wrapped}
    if spoil == "device":
        wrapped = {"somebody": value for value in wrapped.values()}
    row = {"message_id": str(uuid.uuid4()), "receipt_cid": cid, "encrypted_payload": b64(bytes(sealed)),
           "wrapped_keys": {name: b64(value) for name, value in wrapped.items()},
           "sender_did": "did:phone:" + "9" * 64 if spoil == "sender" else did, "sender_device_id": device, "recipient_dids": ["did:a:b"],
           "created_at": 1740816000 - 978307200.5 if spoil == "time" else 1740816000000, "signature": b64(signature)}
    print(json.dumps(row))
