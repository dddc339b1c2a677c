#!/usr/bin/env python3
"""Keys by other people's code (PyNaCl): signatures of raw bytes, and private keys under a passphrase.

  keys.py public            <seed                  the public key
  keys.py sign FILE         <seed                  the signature of the file's bytes
  keys.py verify KEY SIGNATURE FILE                status 0 if it holds, else 1
  keys.py open PASSPHRASE   <wrapped key           the seed; PASSPHRASE is a file
  keys.py wrap PASSPHRASE PASSES KIB <seed         a wrapped key

Keys, seeds and signatures are hex. The form of a wrapped key is that of redo-key(1).
"""

import os
import pathlib
import sys

import nacl.bindings as bindings
import nacl.exceptions
import nacl.pwhash.argon2id as argon2id
import nacl.signing


def signing_key():
    return nacl.signing.SigningKey(bytes.fromhex(sys.stdin.read().strip()))


def wrapping_key(passphrase, salt, passes, kib):
    return argon2id.kdf(
        32, pathlib.Path(passphrase).read_bytes(), salt, opslimit=passes, memlimit=kib * 1024)


def open_wrapped(passphrase):
    lines = [line.split(" ") for line in sys.stdin.read().rstrip("\n").split("\n")]
    assert lines[0] == ["redo-key", "1"] and lines[1][0] == "public", lines
    public = bytes.fromhex(lines[1][1])
    name, passes, kib, salt = lines[2]
    assert name == "argon2id"
    name, nonce, sealed = lines[3]
    assert name == "xchacha20-poly1305"
    key = wrapping_key(passphrase, bytes.fromhex(salt), int(passes), int(kib))
    return bindings.crypto_aead_xchacha20poly1305_ietf_decrypt(
        bytes.fromhex(sealed), public, bytes.fromhex(nonce), key).hex()


def wrap(passphrase, passes, kib):
    key = signing_key()
    salt, nonce, public = os.urandom(16), os.urandom(24), key.verify_key.encode()
    sealed = bindings.crypto_aead_xchacha20poly1305_ietf_encrypt(
        key.encode(), public, nonce, wrapping_key(passphrase, salt, passes, kib))
    return (f"redo-key 1\npublic {public.hex()}\nargon2id {passes} {kib} {salt.hex()}\n"
            f"xchacha20-poly1305 {nonce.hex()} {sealed.hex()}")


def main(verb, *arguments):
    if verb == "public":
        print(signing_key().verify_key.encode().hex())
    elif verb == "sign":
        print(signing_key().sign(pathlib.Path(arguments[0]).read_bytes()).signature.hex())
    elif verb == "verify":
        key = nacl.signing.VerifyKey(bytes.fromhex(arguments[0]))
        try:
            key.verify(pathlib.Path(arguments[2]).read_bytes(), bytes.fromhex(arguments[1]))
        except nacl.exceptions.BadSignatureError:
            return 1
    elif verb == "open":
        print(open_wrapped(arguments[0]))
    elif verb == "wrap":
        print(wrap(arguments[0], int(arguments[1]), int(arguments[2])))
    else:
        return 129
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
