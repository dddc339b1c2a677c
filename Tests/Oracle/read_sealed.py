#!/usr/bin/env python3
"""Opens an encrypted archive as redo-sealed(5) describes it, and writes the pack in it to standard output.

Written from the page alone, with hashlib and PyNaCl; it shares no code with the sources.

  read_sealed.py --seed HEX FILE             the seed of an Ed25519 key
  read_sealed.py --x25519 HEX FILE           a private key of X25519
  read_sealed.py --passphrase TEXT FILE
"""
import argparse
import hashlib
import struct
import sys

from nacl import bindings
from nacl.pwhash import argon2id

CHUNK = 65_536


def refuse(why):
    sys.exit(f"refused: {why}")


def subkey(key, number):
    return hashlib.blake2b(
        b"", digest_size=32, key=key, salt=struct.pack("<Q8x", number), person=b"redoseal".ljust(16, b"\0")
    ).digest()


def file_keys(stanzas, options):
    for kind, body in stanzas:
        if kind == 1 and (options.seed or options.x25519):
            if options.seed:
                point, secret = bindings.crypto_sign_seed_keypair(bytes.fromhex(options.seed))
                secret = bindings.crypto_sign_ed25519_sk_to_curve25519(secret)
            else:
                secret = bytes.fromhex(options.x25519)
            public = bindings.crypto_scalarmult_base(secret)
            try:
                yield bindings.crypto_box_seal_open(body, public, secret)
            except Exception:
                pass
        if kind == 2 and options.passphrase:
            salt, (passes, kib), nonce, sealed = body[:16], struct.unpack("<II", body[16:24]), body[24:48], body[48:]
            key = argon2id.kdf(32, options.passphrase.encode(), salt, opslimit=passes, memlimit=kib * 1024)
            try:
                yield bindings.crypto_aead_xchacha20poly1305_ietf_decrypt(sealed, body[:24], nonce, key)
            except Exception:
                pass


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed")
    parser.add_argument("--x25519")
    parser.add_argument("--passphrase")
    parser.add_argument("file")
    options = parser.parse_args()
    data = open(options.file, "rb").read()
    if data[:12] != b"\x89redoseal\r\n\x01":
        refuse("it does not begin as a sealed file of version 1 does")
    (count,) = struct.unpack("<H", data[12:14])
    place, stanzas = 14, []
    for _ in range(count):
        kind, size = struct.unpack("<BH", data[place : place + 3])
        stanzas.append((kind, data[place + 3 : place + 3 + size]))
        place += 3 + size
    if hashlib.sha256(data[:place]).digest() != data[place : place + 32]:
        refuse("the header has another hash")
    place += 32
    key = next(file_keys(stanzas, options), None)
    if key is None:
        refuse("nothing opens it")
    if hashlib.blake2b(data[:place], digest_size=32, key=subkey(key, 1)).digest() != data[place : place + 32]:
        refuse("the header was changed")
    place += 32
    state = bindings.crypto_secretstream_xchacha20poly1305_state()
    bindings.crypto_secretstream_xchacha20poly1305_init_pull(state, data[place : place + 24], subkey(key, 2))
    place += 24
    tag = None
    while place < len(data):
        sealed = data[place : place + CHUNK + 17]
        place += len(sealed)
        chunk, tag = bindings.crypto_secretstream_xchacha20poly1305_pull(state, sealed)
        if (tag == bindings.crypto_secretstream_xchacha20poly1305_TAG_FINAL) != (place == len(data)):
            refuse("the last chunk is not the last")
        if not chunk:
            refuse("an empty chunk")
        sys.stdout.buffer.write(chunk)
    if tag is None:
        refuse("it is cut off")


main()
