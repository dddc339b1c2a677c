#!/usr/bin/env python3
"""Reads and writes age files (age-encryption.org/v1), with X25519, ssh-ed25519 and scrypt recipients.

Written from the specification (C2SP, age.md), with hashlib, hmac and PyNaCl; it shares no code with the sources.

  age_file.py decrypt [--identity TEXT | --seed HEX | --passphrase TEXT] FILE     the contents, to standard output
  age_file.py encrypt [--recipient TEXT | --passphrase TEXT]... [--armor] FILE    an age file, to standard output
  age_file.py public --identity TEXT                                              age1...
  age_file.py public --seed HEX                                                   ssh-ed25519 ...
  age_file.py keygen                                                              AGE-SECRET-KEY-1...
  age_file.py forge KIND FILE --recipient TEXT                                    a hostile file, see `FORGERIES`
"""
import argparse
import base64
import hashlib
import hmac
import os
import struct
import sys

from nacl import bindings
from nacl.exceptions import CryptoError

CHUNK = 65_536
FIRST = b"age-encryption.org/v1\n"
LETTERS = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
PRIME = 2**255 - 19


def refuse(why):
    sys.exit(f"refused: {why}")


def b64(data):
    return base64.b64encode(data).rstrip(b"=")


def unb64(text):
    data = base64.b64decode(text + b"=" * (-len(text) % 4), validate=True)
    if b64(data) != text:
        refuse("Base64 that is not canonical")
    return data


def hkdf(secret, salt, info):
    """RFC 5869, one block."""
    extracted = hmac.digest(salt, secret, "sha256")
    return hmac.digest(extracted, info + b"\x01", "sha256")


class ChaCha20Poly1305:
    def __init__(self, key):
        self.key = key

    def encrypt(self, nonce, text):
        return bindings.crypto_aead_chacha20poly1305_ietf_encrypt(text, None, nonce, self.key)

    def decrypt(self, nonce, sealed):
        return bindings.crypto_aead_chacha20poly1305_ietf_decrypt(sealed, None, nonce, self.key)


# --- Bech32 (BIP 173)


def polymod(values):
    total = 1
    for value in values:
        top = total >> 25
        total = (total & 0x1FFFFFF) << 5 ^ value
        for bit, generator in enumerate((0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)):
            total ^= generator if top >> bit & 1 else 0
    return total


def expand(name):
    return [ord(c) >> 5 for c in name] + [0] + [ord(c) & 31 for c in name]


def regroup(values, source, target, pad):
    waiting = bits = 0
    out = []
    for value in values:
        waiting, bits = waiting << source | value, bits + source
        while bits >= target:
            bits -= target
            out.append(waiting >> bits & (1 << target) - 1)
    if pad and bits:
        out.append(waiting << target - bits & (1 << target) - 1)
    elif bits >= source or waiting & (1 << bits) - 1 and not pad:
        refuse("bits are left over")
    return out


def bech32(name, data):
    values = regroup(data, 8, 5, True)
    check = polymod(expand(name) + values + [0] * 6) ^ 1
    return name + "1" + "".join(LETTERS[v] for v in values + [check >> 5 * (5 - i) & 31 for i in range(6)])


def unbech32(text, name):
    text = text.lower()
    place = text.rindex("1")
    values = [LETTERS.index(c) for c in text[place + 1 :]]
    if text[:place] != name or polymod(expand(name) + values) != 1:
        refuse(f"no {name}")
    return bytes(regroup(values[:-6], 5, 8, False))


# --- Keys


def shared(private, point):
    return bindings.crypto_scalarmult(private, point)


def point_of(private):
    return bindings.crypto_scalarmult_base(private)


def signer(seed):
    return bindings.crypto_sign_seed_keypair(bytes.fromhex(seed))[0]


def montgomery(ed25519):
    """u = (1 + y) / (1 - y), RFC 7748, section 4.1."""
    y = int.from_bytes(ed25519, "little") & (1 << 255) - 1
    return ((1 + y) * pow(1 - y, -1, PRIME) % PRIME).to_bytes(32, "little")


def ssh_blob(ed25519):
    return b"".join(struct.pack(">I", len(part)) + part for part in (b"ssh-ed25519", ed25519))


def tweaked(secret, blob):
    return shared(hkdf(b"", blob, b"age-encryption.org/v1/ssh-ed25519"), secret)


class Stanza:
    def __init__(self, args, body):
        self.args, self.body = args, body

    def text(self):
        body = b64(self.body)
        lines = [body[i : i + 64] for i in range(0, len(body) + 1, 64)]
        return b"-> " + b" ".join(self.args) + b"\n" + b"".join(line + b"\n" for line in lines)


ZERO = bytes(12)


def wrap(text, file_key):
    ephemeral = os.urandom(32)
    share = point_of(ephemeral)
    if text.startswith("age1"):
        point = unbech32(text, "age")
        key = hkdf(shared(ephemeral, point), share + point, b"age-encryption.org/v1/X25519")
        return Stanza([b"X25519", b64(share)], ChaCha20Poly1305(key).encrypt(ZERO, file_key))
    blob = base64.b64decode(text.split()[1])
    point = montgomery(blob[-32:])
    secret = tweaked(shared(ephemeral, point), blob)
    key = hkdf(secret, share + point, b"age-encryption.org/v1/ssh-ed25519")
    tag = b64(hashlib.sha256(blob).digest()[:4])
    return Stanza([b"ssh-ed25519", tag, b64(share)], ChaCha20Poly1305(key).encrypt(ZERO, file_key))


def scrypt(passphrase, salt, log_n):
    salt = b"age-encryption.org/v1/scrypt" + salt
    n = 1 << log_n
    return hashlib.scrypt(passphrase.encode(), salt=salt, n=n, r=8, p=1, dklen=32, maxmem=(1 << 20) + 2 * 128 * 8 * n)


def wrap_passphrase(passphrase, file_key, log_n):
    salt = os.urandom(16)
    body = ChaCha20Poly1305(scrypt(passphrase, salt, log_n)).encrypt(ZERO, file_key)
    return Stanza([b"scrypt", b64(salt), str(log_n).encode()], body)


def unwrap(stanza, options):
    args, body = stanza.args, stanza.body
    if args[0] == b"X25519" and options.identity:
        private = unbech32(options.identity, "age-secret-key-")
        share, own = unb64(args[1]), point_of(private)
        key = hkdf(shared(private, share), share + own, b"age-encryption.org/v1/X25519")
    elif args[0] == b"ssh-ed25519" and options.seed:
        seed = bytes.fromhex(options.seed)
        public = signer(options.seed)
        blob = ssh_blob(public)
        if unb64(args[1]) != hashlib.sha256(blob).digest()[:4]:
            return None
        private, share = hashlib.sha512(seed).digest()[:32], unb64(args[2])
        own = point_of(private)
        secret = tweaked(shared(private, share), blob)
        key = hkdf(secret, share + own, b"age-encryption.org/v1/ssh-ed25519")
    elif args[0] == b"scrypt" and options.passphrase:
        key = scrypt(options.passphrase[0], unb64(args[1]), int(args[2]))
    else:
        return None
    try:
        return ChaCha20Poly1305(key).decrypt(ZERO, body)
    except CryptoError:
        return None


# --- Files


def mac(header, file_key):
    return hmac.digest(hkdf(file_key, b"", b"header"), header, "sha256")


def nonce(number, last):
    return number.to_bytes(11, "big") + bytes([last])


def payload(file_key, salt, contents):
    cipher = ChaCha20Poly1305(hkdf(file_key, salt, b"payload"))
    chunks = [contents[i : i + CHUNK] for i in range(0, len(contents), CHUNK)] or [b""]
    return b"".join(cipher.encrypt(nonce(i, i == len(chunks) - 1), chunk) for i, chunk in enumerate(chunks))


def encrypt(contents, stanzas, file_key):
    header = FIRST + b"".join(stanza.text() for stanza in stanzas) + b"---"
    salt = os.urandom(16)
    return header + b" " + b64(mac(header, file_key)) + b"\n" + salt + payload(file_key, salt, contents)


def armor(data):
    text = base64.b64encode(data)
    lines = [text[i : i + 64] for i in range(0, len(text), 64)]
    return b"-----BEGIN AGE ENCRYPTED FILE-----\n" + b"\n".join(lines) + b"\n-----END AGE ENCRYPTED FILE-----\n"


def decrypt(data, options):
    """The contents, chunk by chunk: each is handed on once it is known to be whole."""
    if data.lstrip().startswith(b"-----BEGIN AGE"):
        data = base64.b64decode(b"".join(data.strip().split()[4:-4]), validate=True)
    if not data.startswith(FIRST):
        refuse("it does not begin as an age file does")
    place, stanzas = len(FIRST), []
    while not data.startswith(b"---", place):
        end = data.index(b"\n", place)
        args, place = data[place:end].split(b" ")[1:], end + 1
        body = b""
        while True:
            end = data.index(b"\n", place)
            line, place = data[place:end], end + 1
            body += line
            if len(line) < 64:
                break
        stanzas.append(Stanza(args, unb64(body)))
    header, end = data[: place + 3], data.index(b"\n", place)
    file_key = next((key for key in (unwrap(stanza, options) for stanza in stanzas) if key), None)
    if file_key is None:
        refuse("nothing opens it")
    if mac(header, file_key) != unb64(data[place + 4 : end]):
        refuse("the header was changed")
    place = end + 17
    cipher = ChaCha20Poly1305(hkdf(file_key, data[end + 1 : place], b"payload"))
    number = 0
    while True:
        sealed = data[place : place + CHUNK + 16]
        place += len(sealed)
        last = place == len(data)
        chunk = cipher.decrypt(nonce(number, last), sealed)
        if not chunk and number:
            refuse("an empty chunk")
        yield chunk
        number += 1
        if last:
            return


def forge(kind, contents, recipient):
    """Files that nobody honest writes, for a key that opens them."""
    file_key = os.urandom(16)
    stanza = wrap(recipient, file_key)
    good = encrypt(contents, [stanza], file_key)
    if kind == "double-scrypt":
        return encrypt(contents, [wrap_passphrase("x", file_key, 1), wrap_passphrase("y", file_key, 1)], file_key)
    if kind == "scrypt-and-key":
        return encrypt(contents, [stanza, wrap_passphrase("x", file_key, 1)], file_key)
    if kind == "work-23":
        made = wrap_passphrase("x", file_key, 1)
        return encrypt(contents, [Stanza(made.args[:2] + [b"23"], made.body)], file_key)
    if kind == "low-order":
        return encrypt(contents, [Stanza([b"X25519", b64(bytes(32))], stanza.body)], file_key)
    if kind == "long-key":
        return encrypt(contents, [Stanza(stanza.args, stanza.body + bytes(16))], file_key)
    if kind == "many":
        grease = [Stanza([b"grease-%d" % i], os.urandom(200)) for i in range(300)]
        return encrypt(contents, grease + [stanza], file_key)
    if kind == "endless-header":
        return FIRST + b"-> grease\n" + (b"A" * 64 + b"\n") * 40_000
    if kind == "added-stanza":
        head, tail = good[: good.index(b"---")], good[good.index(b"---") :]
        return head + Stanza([b"grease"], b"x").text() + tail
    if kind == "swapped-chunks":
        start = len(good) - len(payload(file_key, b"", contents))
        chunks = [good[i : i + CHUNK + 16] for i in range(start, len(good), CHUNK + 16)]
        chunks[0], chunks[1] = chunks[1], chunks[0]
        return good[:start] + b"".join(chunks)
    if kind == "dropped-end":
        start = len(good) - len(payload(file_key, b"", contents))
        return good[: start + CHUNK + 16]
    refuse(f"no such forgery: {kind}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--identity")
    parser.add_argument("--seed")
    parser.add_argument("--passphrase", action="append")
    parser.add_argument("--recipient", action="append", default=[])
    parser.add_argument("--work", type=int, default=10)
    parser.add_argument("--armor", action="store_true")
    parser.add_argument("action")
    parser.add_argument("rest", nargs="*")
    options = parser.parse_args()
    if options.action == "keygen":
        print(bech32("age-secret-key-", os.urandom(32)).upper())
        return
    if options.action == "public":
        if options.identity:
            print(bech32("age", point_of(unbech32(options.identity, "age-secret-key-"))))
        else:
            print("ssh-ed25519", base64.b64encode(ssh_blob(signer(options.seed))).decode())
        return
    data = open(options.rest[-1], "rb").read()
    if options.action == "decrypt":
        try:
            for chunk in decrypt(data, options):
                sys.stdout.buffer.write(chunk)
        except (CryptoError, ValueError) as error:
            refuse(f"it is damaged: {error}")
        return
    if options.action == "forge":
        out = forge(options.rest[0], data, options.recipient[0])
    else:
        file_key = os.urandom(16)
        stanzas = [wrap(text, file_key) for text in options.recipient]
        stanzas += [wrap_passphrase(text, file_key, options.work) for text in options.passphrase or []]
        out = encrypt(data, stanzas, file_key)
    sys.stdout.buffer.write(armor(out) if options.armor else out)


if __name__ == "__main__":
    main()
