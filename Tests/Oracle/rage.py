#!/usr/bin/env python3
"""Reads and writes age files with the library of rage (pyrage), by the options of rage(1) that the tests use.

  rage.py -d -i FILE FILE                          the contents, to standard output
  rage.py -d --passphrase TEXT FILE
  rage.py --passphrase TEXT FILE
  rage.py [-a] [-r RECIPIENT]... [-R FILE] FILE    an age file, to standard output
  rage.py keygen -o FILE                           a new key
  rage.py keygen -y FILE                           its public key
"""
import argparse
import pathlib
import sys

import pyrage


def recipient(text):
    kind = pyrage.ssh if text.startswith("ssh-") else pyrage.x25519
    return kind.Recipient.from_str(text)


def identity(path):
    data = pathlib.Path(path).read_bytes()
    if data.startswith(b"-----BEGIN OPENSSH"):
        return pyrage.ssh.Identity.from_buffer(data)
    lines = [line for line in data.decode().splitlines() if line and not line.startswith("#")]
    return pyrage.x25519.Identity.from_str(lines[0])


def keygen(words):
    parser = argparse.ArgumentParser()
    parser.add_argument("-o", dest="output")
    parser.add_argument("-y", dest="key")
    options = parser.parse_args(words)
    if options.key:
        print(identity(options.key).to_public())
        return
    key = pyrage.x25519.Identity.generate()
    pathlib.Path(options.output).write_text(f"# public key: {key.to_public()}\n{key}\n")


def main(words):
    parser = argparse.ArgumentParser()
    parser.add_argument("-d", dest="decrypts", action="store_true")
    parser.add_argument("-i", dest="identities", action="append", default=[])
    parser.add_argument("-a", dest="armors", action="store_true")
    parser.add_argument("-r", dest="recipients", action="append", default=[])
    parser.add_argument("-R", dest="file")
    parser.add_argument("--passphrase")
    parser.add_argument("input")
    options = parser.parse_args(words)
    data = pathlib.Path(options.input).read_bytes()
    if options.passphrase:
        work = pyrage.passphrase.decrypt if options.decrypts else pyrage.passphrase.encrypt
        sys.stdout.buffer.write(work(data, options.passphrase))
        return
    if options.decrypts:
        sys.stdout.buffer.write(pyrage.decrypt(data, [identity(path) for path in options.identities]))
        return
    names = options.recipients + (pathlib.Path(options.file).read_text().splitlines() if options.file else [])
    sys.stdout.buffer.write(pyrage.encrypt(data, [recipient(name) for name in names], options.armors))


if sys.argv[1:2] == ["keygen"]:
    keygen(sys.argv[2:])
else:
    main(sys.argv[1:])
