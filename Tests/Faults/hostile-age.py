"""hostile-age.py <key> <archive> <points>: alters age files one thing at a time, and opens them in each way that there is.

Whether a file is a good one is decided here, by the letter of C2SP's age.md, with the primitives of Tests/Oracle/age_file.py:

- a good file gives its contents, with status 0;
- any other is refused: on standard output stands a beginning of the contents and no more, and no file is made;
- an archive or a backup in such a file lists what it lists in a good one, or it is refused, and no store is made of it.
"""

import base64
import hashlib
import hmac
import os
import random
import re
import shutil
import sys

sys.dont_write_bytecode = True
sys.path[:0] = [os.path.dirname(os.path.abspath(__file__)), os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Oracle")]
import age_file as age  # noqa: E402
import kept  # noqa: E402
from kept import SEED, die, run, turn  # noqa: E402

KEY, ARCHIVE, POINTS = sys.argv[1:]
random = random.Random(f"age {SEED}")
with open(KEY) as file:
    IDENTITY = next(line.strip() for line in file if line.startswith("AGE-SECRET-KEY-1"))
PRIVATE = age.unbech32(IDENTITY, "age-secret-key-")
PUBLIC = age.point_of(PRIVATE)
RECIPIENT = age.bech32("age", PUBLIC)
PASSPHRASE = "a passphrase of words"
with open("pass", "w") as file:
    file.write(PASSPHRASE + "\n")
POINT = next(name for name in sorted(os.listdir(POINTS)) if name.endswith("-full.redobackup"))


def read(path):
    with open(path, "rb") as file:
        return file.read()


def opened(data):
    """What is in a good file."""
    return b"".join(age.decrypt(data, type("Options", (), {"identity": IDENTITY, "seed": None, "passphrase": None})))


# --- What is a good file


class Bad(Exception):
    """Not an age file, and what of its contents was proved before that showed."""

    def __init__(self, why, proved=b""):
        super().__init__(why)
        self.proved = proved


class Closed(Exception):
    """An age file that this key or passphrase does not open."""


class Either(Exception):
    """A file on which implementations may differ: its stanza that opens it comes before one that nobody makes."""


def unpadded(text):
    if re.fullmatch(rb"[A-Za-z0-9+/]*", text) is None or len(text) % 4 == 1:
        raise Bad("Base64")
    data = base64.b64decode(text + b"=" * (-len(text) % 4))
    if age.b64(data) != text:
        raise Bad("Base64 that is not canonical")
    return data


def unarmored(data):
    """The bytes in an armor, and what is wrong with it, if anything, behind these bytes."""
    text = data.lstrip(b" \t\n\v\f\r")
    lines = [line.removesuffix(b"\r") for line in text.split(b"\n")]
    if lines[0] != b"-----BEGIN AGE ENCRYPTED FILE-----":
        raise Bad("the first line of the armor")
    out, was_short = b"", False
    for number, line in enumerate(lines[1:], 1):
        if line == b"-----END AGE ENCRYPTED FILE-----":
            # A block ends with its line: what may follow is blank, and begins behind the line.
            return out, "something behind the armor" if b"".join(lines[number + 1:]).strip(b" \t\v\f\r") else None
        if was_short or not 0 < len(line) <= 64 or re.fullmatch(rb"[A-Za-z0-9+/]+={0,2}", line) is None or len(line) % 4:
            return out, "a line of the armor"
        part = base64.b64decode(line)
        if base64.b64encode(part) != line:
            return out, "Base64 that is not canonical"
        was_short = len(part) < 48
        out += part
    return out, "no last line of the armor"


def stanzas_of(data):
    """The stanzas, and where their end and the payload begin."""
    if not data.startswith(age.FIRST):
        raise Bad("the first line")
    place, found = len(age.FIRST), []

    def line():
        nonlocal place
        end = data.find(b"\n", place)
        if end < 0:
            raise Bad("cut off")
        text, place = data[place:end], end + 1
        return text

    while True:
        start = place
        text = line()
        if text.startswith(b"---"):
            break
        words = text.split(b" ")
        if words[0] != b"->" or len(words) < 2 or any(re.fullmatch(rb"[\x21-\x7e]+", word) is None for word in words[1:]):
            raise Bad("the line of a stanza")
        body = b""
        while True:
            part = line()
            if len(part) > 64:
                raise Bad("a long line")
            body += unpadded(part)
            if len(part) < 64:
                break
        found.append((words[1:], body))
    if text[:4] != b"--- " or not found:
        raise Bad("the last line")
    code = unpadded(text[4:])
    if len(code) != 32:
        raise Bad("the code")
    return found, data[:start + 3], code, place


def file_key_of(stanzas, passphrase):
    """The file key, as a key or a passphrase finds it."""
    kinds = [words[0] for words, _ in stanzas]
    if b"scrypt" in kinds and len(kinds) > 1:
        raise Bad("a passphrase and something else")
    key, wrong = None, False
    for words, body in stanzas:
        try:
            if words[0] == b"X25519":
                if len(words) != 2 or len(unpadded(words[1])) != 32 or len(body) != 32:
                    raise Bad("a stanza for a key")
                if passphrase is None and key is None:
                    share = unpadded(words[1])
                    try:
                        secret = age.shared(PRIVATE, share)
                    except Exception as error:
                        raise Bad("a share of low order") from error
                    if secret == bytes(32):
                        raise Bad("a share of low order")
                    wrapping = age.hkdf(secret, share + PUBLIC, b"age-encryption.org/v1/X25519")
                    try:
                        key = age.ChaCha20Poly1305(wrapping).decrypt(age.ZERO, body)
                    except age.CryptoError:
                        pass
            elif words[0] == b"ssh-ed25519":
                if len(words) != 3 or len(unpadded(words[1])) != 4 or len(unpadded(words[2])) != 32 or len(body) != 32:
                    raise Bad("a stanza for a key of SSH")
            elif words[0] == b"scrypt":
                if len(words) != 3 or len(unpadded(words[1])) != 16 or len(body) != 32:
                    raise Bad("a stanza for a passphrase")
                if re.fullmatch(rb"[1-9][0-9]*", words[2]) is None or len(words[2]) > 2 or int(words[2]) > 22:
                    raise Bad("a work factor")
                if passphrase is not None:
                    try:
                        wrapping = age.scrypt(passphrase, unpadded(words[1]), int(words[2]))
                        key = age.ChaCha20Poly1305(wrapping).decrypt(age.ZERO, body)
                    except age.CryptoError:
                        pass
        except Bad:
            if passphrase is None and words[0] == b"ssh-ed25519" or key is not None:
                wrong = True
                continue
            raise
    if wrong:
        raise Either()
    if key is None:
        raise Closed()
    return key


def ended(cipher, number, sealed):
    """What a chunk has that says of itself that it is the last one, and is not, or the other way round."""
    for is_last in (True, False):
        try:
            return cipher.decrypt(age.nonce(number, is_last), sealed)
        except (age.CryptoError, ValueError, TypeError):
            pass
    return b""


def contents_of(data, passphrase=None):
    if data.lstrip(b" \t\n\v\f\r").startswith(b"-----BEGIN AGE"):
        data, wrong = unarmored(data)
        if wrong:
            try:
                proved = contents_of(data, passphrase)
            except Bad as error:
                proved = error.proved
            except (Closed, Either):
                proved = b""
            raise Bad(wrong, proved)
    stanzas, header, code, place = stanzas_of(data)
    if len(header) > 1 << 20:
        raise Bad("a long header")
    key = file_key_of(stanzas, passphrase)
    if not hmac.compare_digest(age.mac(header, key), code):
        raise Bad("the code of the header")
    salt, place = data[place:place + 16], place + 16
    if len(salt) < 16:
        raise Bad("cut off")
    cipher = age.ChaCha20Poly1305(age.hkdf(key, salt, b"payload"))
    out, number = b"", 0
    while True:
        sealed = data[place:place + age.CHUNK + 16]
        place += len(sealed)
        is_last = place == len(data)
        try:
            chunk = cipher.decrypt(age.nonce(number, is_last), sealed)
        except (age.CryptoError, ValueError, TypeError) as error:
            raise Bad("a chunk", out + ended(cipher, number, sealed)) from error
        if not chunk and number:
            raise Bad("an empty chunk", out)
        out, number = out + chunk, number + 1
        if is_last:
            return out


# --- Files that are made


class Made:
    """The parts of a file, which are put together with the code of what they then are."""

    def __init__(self, contents, stanzas=None):
        self.key = random.randbytes(16)
        self.first = age.FIRST
        self.stanzas = [stanza.text() for stanza in (stanzas or [age.wrap(RECIPIENT, self.key)])]
        self.end, self.code, self.behind, self.salt = b"---", None, b"\n", random.randbytes(16)
        self.cipher = age.ChaCha20Poly1305(age.hkdf(self.key, self.salt, b"payload"))
        parts = [contents[i:i + age.CHUNK] for i in range(0, len(contents), age.CHUNK)] or [b""]
        self.chunks = [self.sealed(i, i == len(parts) - 1, part) for i, part in enumerate(parts)]
        self.parts = parts

    def sealed(self, number, is_last, part, byte=None):
        """A chunk; `byte` stands where 0 or 1 says whether it is the last one."""
        nonce = age.nonce(number, is_last) if byte is None else number.to_bytes(11, "big") + bytes([byte])
        return self.cipher.encrypt(nonce, part)

    def data(self):
        header = self.first + b"".join(self.stanzas) + self.end
        code = b" " + age.b64(age.mac(header, self.key)) if self.code is None else self.code
        return header + code + self.behind + self.salt + b"".join(self.chunks)


def wrapped(file_key, share=None, kind=b"X25519", body=None, words=None):
    """A stanza for the key, with one thing of it as it is said."""
    ephemeral = random.randbytes(32)
    own = age.point_of(ephemeral)
    key = age.hkdf(age.shared(ephemeral, PUBLIC), own + PUBLIC, b"age-encryption.org/v1/X25519")
    sealed = age.ChaCha20Poly1305(key).encrypt(age.ZERO, file_key)
    return age.Stanza(words or [kind, age.b64(own if share is None else share)], sealed if body is None else body)


def scrypt_stanza(file_key, log=b"4", salt=None, work=4, label=True):
    salt = random.randbytes(16) if salt is None else salt
    body = age.ChaCha20Poly1305(age.scrypt(PASSPHRASE, salt, work)).encrypt(age.ZERO, file_key)
    return age.Stanza([b"scrypt", age.b64(salt), log], body)


def headers(contents):
    """The lines before the payload."""
    def made(**parts):
        one = Made(contents)
        for name, value in parts.items():
            setattr(one, name, value(one) if callable(value) else value)
        return one.data()

    for first in (b"age-encryption.org/v2\n", b"age-encryption.org/v1", b"age-encryption.org/v1 \n", b"age-encryption.org/v1\r\n", b"",
                  b"\n" + age.FIRST, age.FIRST * 2, b"AGE-encryption.org/v1\n", b"\xef\xbb\xbf" + age.FIRST, b"age-encryption.org/v10\n",
                  age.FIRST + b"\n", b"age-encryption.org/v1\x00\n", b"age-encryption.org/\x1b[2J\n"):
        yield f"the first line is {first!r}", made(first=first)
    for end in (b"--", b"----", b" ---", b"---\n---", b"-- -", b"\n---", b"--- AAAA\n---"):
        yield f"the stanzas end with {end!r}", made(end=end)
    good = made()
    at = good.index(b"--- ") + 4
    code = good[at:good.index(b"\n", at)]
    for what, new in (("padded", b" " + code + b"="), ("short", b" " + code[:-1]), ("long", b" " + code + b"A"), ("none", b""), ("empty", b" "),
                      ("after two blanks", b"  " + code), ("before a blank", b" " + code + b" "), ("zeros", b" " + age.b64(bytes(32))),
                      ("of 31 bytes", b" " + age.b64(bytes(31))), ("of 33 bytes", b" " + age.b64(bytes(33))), ("twice", b" " + code + b" " + code),
                      ("URL-safe", b" " + age.b64(b"\xff" * 32).replace(b"/", b"_")), ("with CR", b" " + code + b"\r")):
        one = Made(contents)
        one.code = new
        yield f"the code is {what}", one.data()
    one = Made(contents)
    header = one.data()[:one.data().index(b"--- ") + 3]
    for what, new in (("not canonical", lambda c: c[:-1] + bytes([c[-1] + 1])), ("padded and right", lambda c: c + b"="),
                      ("with a tab", lambda c: b"\t" + c)):
        one.code = b" " + new(age.b64(age.mac(header, one.key)))
        yield f"the right code is {what}", one.data()
    for what, behind in (("nothing", b""), ("two line feeds", b"\n\n"), ("CR LF", b"\r\n"), ("a blank", b" \n")):
        yield f"behind the code is {what}", made(behind=behind)
    for place in range(0, len(good) if len(good) < 400 else 260, 1):
        yield f"bit {place % 8} of byte {place}", good[:place] + bytes([good[place] ^ 1 << place % 8]) + good[place + 1:]
    for length in range(0, min(len(good), 260), 3):
        yield f"its first {length} bytes", good[:length]


def stanzas(contents):
    """Stanzas, with a code that fits them."""
    def made(change):
        one = Made(contents)
        one.stanzas = change(one)
        return one.data()

    def text(one):
        return one.stanzas[0]

    lines = (
        ("no stanza", lambda one: []),
        ("it twice", lambda one: [text(one)] * 2),
        ("a blank more", lambda one: [text(one).replace(b"-> X25519 ", b"-> X25519  ")]),
        ("a blank behind it", lambda one: [text(one).replace(b"\n", b" \n", 1)]),
        ("a tab", lambda one: [text(one).replace(b"-> X25519 ", b"-> X25519\t")]),
        ("CR LF", lambda one: [text(one).replace(b"\n", b"\r\n")]),
        ("no blank before its kind", lambda one: [text(one).replace(b"-> ", b"->")]),
        ("two blanks before its kind", lambda one: [text(one).replace(b"-> ", b"->  ")]),
        ("another arrow", lambda one: [text(one).replace(b"-> ", b"=> ")]),
        ("no arguments at all", lambda one: [b"-> \n\n", text(one)]),
        ("nothing but an arrow", lambda one: [b"->\n\n", text(one)]),
        ("no line of a body", lambda one: [b"-> grease\n", text(one)]),
        ("a body of two empty lines", lambda one: [b"-> grease\n\n\n", text(one)]),
        ("a body of a full line and no other", lambda one: [b"-> grease\n" + b"A" * 64 + b"\n", text(one)]),
        ("a body of a full line and an empty one", lambda one: [b"-> grease\n" + b"A" * 64 + b"\n\n", text(one)]),
        ("a body of a short line and another", lambda one: [b"-> grease\nAAAA\nAAAA\n", text(one)]),
        ("a line of 65", lambda one: [b"-> grease\n" + b"A" * 65 + b"\n\n", text(one)]),
        ("a line of 68", lambda one: [b"-> grease\n" + b"A" * 68 + b"\n\n", text(one)]),
        ("a padded body", lambda one: [text(one)[:-1] + b"=\n"]),
        ("a body that is not canonical", lambda one: [b"-> grease\nAB\n", text(one)]),
        ("a body of one letter", lambda one: [b"-> grease\nA\n", text(one)]),
        ("a body of other letters", lambda one: [b"-> grease\nAA-_\n", text(one)]),
        ("a body with a blank", lambda one: [b"-> grease\nAA AA\n", text(one)]),
        ("a control in a kind", lambda one: [b"-> gre\x1b[2Jase\n\n", text(one)]),
        ("a letter beyond ASCII in a kind", lambda one: ["-> gr\u00e4se\n\n".encode(), text(one)]),
        ("DEL in an argument", lambda one: [b"-> grease \x7f\n\n", text(one)]),
        ("NUL in an argument", lambda one: [b"-> grease a\0\n\n", text(one)]),
        ("a tilde and a mark", lambda one: [b"-> ! ~\n\n", text(one)]),
        ("a kind of 100,000 letters", lambda one: [b"-> " + b"g" * 100_000 + b"\n\n", text(one)]),
        ("100,000 arguments", lambda one: [b"-> g" + b" a" * 100_000 + b"\n\n", text(one)]),
        ("300 others before it", lambda one: [b"-> g-%d\n\n" % i for i in range(300)] + [text(one)]),
        ("300 others behind it", lambda one: [text(one)] + [b"-> g-%d\n\n" % i for i in range(300)]),
        ("9,000 for others", lambda one: [wrapped(one.key).text()[:-43] + b"A" * 42 + b"A\n"] * 9000 + [text(one)]),
        ("a header of 2 MB", lambda one: [b"-> grease\n" + (b"A" * 64 + b"\n") * 32_000 + b"\n", text(one)]),
        ("the last line of a header in a body", lambda one: [b"-> grease\n---\n", text(one)]),
        ("another kind before it", lambda one: [b"-> X25519x " + text(one)[10:], text(one)]),
        ("its kind in small letters alone", lambda one: [text(one).replace(b"X25519", b"x25519")]),
        ("a kind that is longer", lambda one: [text(one).replace(b"X25519", b"X25519 X25519")]),
        ("ssh-rsa before it", lambda one: [b"-> ssh-rsa abcd\n" + b"A" * 64 + b"\n\n", text(one)]),
        ("a post-quantum one before it", lambda one: [b"-> mlkem768x25519 AAAA\nAAAA\n", text(one)]),
        ("a plugin before it", lambda one: [b"-> yubikey a b c\nAAAA\n", text(one)]),
        ("a kind that is a path", lambda one: [b"-> ../../../bin/sh a\nAAAA\n", text(one)]),
        ("piv-p256 alone", lambda one: [b"-> piv-p256 AAAA BBBB\nAAAA\n"]),
        ("for another key alone", lambda one: [age.wrap(age.bech32("age", age.point_of(random.randbytes(32))), one.key).text()]),
        ("for another key before it", lambda one: [age.wrap(age.bech32("age", age.point_of(random.randbytes(32))), one.key).text(), text(one)]),
        ("for another key behind it", lambda one: [text(one), age.wrap(age.bech32("age", age.point_of(random.randbytes(32))), one.key).text()]),
        ("a passphrase before it", lambda one: [scrypt_stanza(one.key).text(), text(one)]),
        ("a passphrase behind it", lambda one: [text(one), scrypt_stanza(one.key).text()]),
        ("a passphrase and grease", lambda one: [scrypt_stanza(one.key).text(), b"-> grease\n\n"]),
        ("two passphrases", lambda one: [scrypt_stanza(one.key).text(), scrypt_stanza(one.key).text()]),
        ("grease alone", lambda one: [b"-> grease\n\n"]),
        ("another file key in a second one", lambda one: [text(one), wrapped(random.randbytes(16)).text()]),
        ("another file key in the first one", lambda one: [wrapped(random.randbytes(16)).text(), text(one)]),
    )
    for what, change in lines:
        yield f"stanzas: {what}", made(change)
    low = [bytes(32), b"\1" + bytes(31), (2**255 - 19).to_bytes(32, "little"), (2**255 - 20).to_bytes(32, "little"),
           (2**255 - 18).to_bytes(32, "little"), b"\xff" * 32,
           bytes.fromhex("e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800"),
           bytes.fromhex("5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157")]
    for share in low:
        yield f"a share of {share.hex()[:12]}", made(lambda one: [wrapped(one.key, share).text()])
        yield f"a share of {share.hex()[:12]} before the right one", made(lambda one: [wrapped(one.key, share).text(), text(one)])
        yield f"a share of {share.hex()[:12]} behind the right one", made(lambda one: [text(one), wrapped(one.key, share).text()])
    for length in (0, 1, 31, 33, 64):
        yield f"a share of {length} bytes", made(lambda one: [wrapped(one.key, words=[b"X25519", age.b64(b"a" * length)]).text()
                                                             if length else b"-> X25519\n" + age.b64(bytes(32)) + b"\n"])
        yield f"a body of {length} bytes", made(lambda one: [wrapped(one.key, body=b"a" * length).text()])
    for length in (0, 1, 15, 17, 32):
        yield f"a file key of {length} bytes", made(lambda one: [wrapped(random.randbytes(length)).text()])
    yield "an argument more", made(lambda one: [text(one).replace(b"\n", b" AAAA\n", 1)])
    yield "a share that is not canonical", made(lambda one: [re.sub(rb"^(-> X25519 .*)(.)$", lambda m: m[1] + bytes([m[2][0] + 1]), text(one), count=1, flags=re.M)])
    yield "a share with padding", made(lambda one: [re.sub(rb"^(-> X25519 .*)$", rb"\1=", text(one), count=1, flags=re.M)])
    for words in ([b"ssh-ed25519"], [b"ssh-ed25519", b"AAAA"], [b"ssh-ed25519", b"AAAAAA", age.b64(bytes(32))],
                  [b"ssh-ed25519", b"AAAAA", age.b64(bytes(32))], [b"ssh-ed25519", b"AAAAAA", age.b64(bytes(31))],
                  [b"ssh-ed25519", b"AAAAAA", age.b64(bytes(32)), b"x"]):
        stanza = age.Stanza(words, bytes(32)).text()
        yield f"{b' '.join(words)[:30]} behind it", made(lambda one: [text(one), stanza])
        yield f"{b' '.join(words)[:30]} before it", made(lambda one: [stanza, text(one)])


def passphrases(contents):
    for log in (b"1", b"4", b"5", b"10", b"04", b"+4", b"-4", b"0", b"", b"4x", b"x", b"0x4", b"4.0", b"23", b"63", b"64", b"99", b"100",
                b"18446744073709551616", b"4294967300", b"9" * 5000, b"\xef\xbc\x94"):
        one = Made(contents)
        work = int(log) if log in (b"1", b"4", b"5", b"10") else 4
        one.stanzas = [scrypt_stanza(one.key, log, work=work).text()]
        yield f"a work factor of {log[:20]!r}", one.data()
    for length in (0, 15, 17, 32):
        one = Made(contents)
        one.stanzas = [scrypt_stanza(one.key, salt=bytes(length)).text()]
        yield f"a salt of {length} bytes", one.data()
    for length in (0, 16, 31, 33, 48):
        one = Made(contents)
        stanza = scrypt_stanza(one.key)
        one.stanzas = [age.Stanza(stanza.args, (stanza.body + bytes(16))[:length]).text()]
        yield f"a body of {length} bytes", one.data()
    for words in (lambda w: w[:2], lambda w: w + [b"x"], lambda w: [w[0], w[2], w[1]]):
        one = Made(contents)
        stanza = scrypt_stanza(one.key)
        one.stanzas = [age.Stanza(words(stanza.args), stanza.body).text()]
        yield f"arguments {words(stanza.args)!r:.40}", one.data()
    for change in (lambda t: t + t, lambda t: t + b"-> grease\n\n", lambda t: b"-> grease\n\n" + t, lambda t: t.replace(b"scrypt", b"Scrypt")):
        one = Made(contents)
        one.stanzas = [change(scrypt_stanza(one.key).text())]
        yield f"stanzas {one.stanzas[0][:30]!r}", one.data()
    one = Made(contents)
    one.stanzas = [scrypt_stanza(one.key).text()]
    good = one.data()
    yield "a good one", good
    yield "a chunk cut short", good[:-1]


def chunks(contents):
    """The payload, every chunk of it sealed with its key."""
    def made(change):
        one = Made(contents)
        one.chunks = change(one)
        return one.data()

    count = len(Made(contents).chunks)
    last = count - 1
    yield "as it is", made(lambda one: one.chunks)
    yield "no chunk", made(lambda one: [])
    for length in (0, 1, 15):
        one = Made(contents)
        data = one.data()
        yield f"{length} bytes of the nonce", data[:data.index(b"\n", data.index(b"\n---") + 1) + 1 + length]
    for number in range(count):
        yield f"without chunk {number}", made(lambda one: one.chunks[:number] + one.chunks[number + 1:])
        yield f"chunk {number} twice", made(lambda one: one.chunks[:number + 1] + one.chunks[number:])
        yield f"chunk {number} as the last one", made(lambda one: [
            *one.chunks[:number], one.sealed(number, True, one.parts[number]), *one.chunks[number + 1:]])
        yield f"chunk {number} as one that is not the last", made(lambda one: [
            *one.chunks[:number], one.sealed(number, False, one.parts[number]), *one.chunks[number + 1:]])
        yield f"chunk {number} with the next number", made(lambda one: [
            *one.chunks[:number], one.sealed(number + 1, number == last, one.parts[number]), *one.chunks[number + 1:]])
        yield f"chunk {number} with a flag of 2", made(lambda one: [
            *one.chunks[:number], one.sealed(number, False, one.parts[number], byte=2), *one.chunks[number + 1:]])
        yield f"chunk {number} is shorter", made(lambda one: [
            *one.chunks[:number], one.sealed(number, number == last, one.parts[number][:-1]), *one.chunks[number + 1:]])
        yield f"chunk {number} is longer", made(lambda one: [
            *one.chunks[:number], one.sealed(number, number == last, one.parts[number] + b"x"), *one.chunks[number + 1:]])
        yield f"chunk {number} is empty", made(lambda one: [
            *one.chunks[:number], one.sealed(number, number == last, b""), *one.chunks[number + 1:]])
        for place in (0, 1, -1, -16, -17):
            def flipped(one, place=place, number=number):
                chunk = bytearray(one.chunks[number])
                if len(chunk) < 17:
                    place = 0
                chunk[place] ^= 0x80
                return [*one.chunks[:number], bytes(chunk), *one.chunks[number + 1:]]
            yield f"another byte at {place} of chunk {number}", made(flipped)
        for other in range(number + 1, count):
            def swapped(one, number=number, other=other):
                parts = list(one.chunks)
                parts[number], parts[other] = parts[other], parts[number]
                return parts
            yield f"chunks {number} and {other} exchanged", made(swapped)
    yield "an empty chunk as the last one", made(lambda one: [
        *[one.sealed(i, False, part) for i, part in enumerate(one.parts)], one.sealed(count, True, b"")])
    yield "an empty chunk behind the last one", made(lambda one: [*one.chunks, one.sealed(count, True, b"")])
    yield "two last chunks", made(lambda one: [*one.chunks, one.sealed(count, True, b"more")])
    yield "a chunk of 65,535 and one of one byte", made(lambda one: [one.sealed(0, False, b"a" * 65_535), one.sealed(1, True, b"b")])
    yield "a chunk of 65,537", made(lambda one: [one.sealed(0, True, b"a" * 65_537)])
    yield "two chunks of 65,536", made(lambda one: [one.sealed(0, False, b"a" * 65_536), one.sealed(1, True, b"b" * 65_536)])
    for length in (1, 15, 16, 17):
        yield f"{length} bytes too many", made(lambda one: [*one.chunks, bytes(length)])
        yield f"{length} bytes too few", made(lambda one: [*one.chunks[:-1], one.chunks[-1][:-length]])
    other = Made(contents)
    yield "a payload of another file", made(lambda one: other.chunks)

    def salted(one):
        one.salt = random.randbytes(16)
        return one.chunks
    yield "another nonce", made(salted)


def armors(contents):
    good = age.armor(Made(contents).data())
    body = good.split(b"\n")[1:-2]
    begin, end = b"-----BEGIN AGE ENCRYPTED FILE-----", b"-----END AGE ENCRYPTED FILE-----"

    def lines(*parts):
        return b"\n".join(parts) + b"\n"
    yield "armor as it is", good
    yield "armor with CR LF", good.replace(b"\n", b"\r\n")
    yield "armor without the last line feed", good[:-1]
    yield "armor with CR alone", good.replace(b"\n", b"\r")
    for what, blank in (("blanks", b"  "), ("line feeds", b"\n\n"), ("tabs", b"\t"), ("a form feed", b"\f"), ("NUL", b"\0"), ("a letter", b"x"),
                        ("a no-break space", b"\xc2\xa0"), ("a mark of order", b"\xef\xbb\xbf"), ("a thousand blanks", b" " * 1000)):
        yield f"{what} before the armor", blank + good
        yield f"{what} behind the armor", good + blank
    for what, first in (("small", begin.lower()), ("of six dashes", b"-" + begin + b"-"), ("of another kind", b"-----BEGIN AGE FILE-----"),
                        ("with a blank", begin + b" "), ("of a message", b"-----BEGIN PGP MESSAGE-----"), ("short", begin[:-1])):
        yield f"the first line is {what}", lines(first, *body, end)
    for what, final in (("small", end.lower()), ("missing", b""), ("of another kind", b"-----END AGE FILE-----"), ("with a blank", end + b" "),
                        ("after a blank", b" " + end), ("short", end[:-1]), ("the first one", begin)):
        yield f"the last line is {what}", lines(begin, *body, final)
    yield "a header in the armor", lines(begin, b"Comment: x", b"", *body, end)
    yield "an empty line first", lines(begin, b"", *body, end)
    yield "an empty line last", lines(begin, *body, b"", end)
    yield "an empty line between", lines(begin, *body[:1], b"", *body[1:], end)
    yield "a checksum", lines(begin, *body, b"=AAAA", end)
    yield "lines of 76", lines(begin, *[b"".join(body)[i:i + 76] for i in range(0, len(b"".join(body)), 76)], end)
    yield "lines of 60", lines(begin, *[b"".join(body)[i:i + 60] for i in range(0, len(b"".join(body)), 60)], end)
    yield "one line", lines(begin, b"".join(body), end)
    yield "a blank in a line", lines(begin, body[0][:10] + b" " + body[0][10:], *body[1:], end)
    yield "a blank behind a line", lines(begin, body[0] + b" ", *body[1:], end)
    yield "padding within", lines(begin, body[0][:-1] + b"=", *body[1:], end)
    yield "three padding marks", lines(begin, *body[:-1], body[-1].rstrip(b"=")[:1] + b"===", end)
    yield "no padding", lines(begin, *body[:-1], body[-1].rstrip(b"="), end)
    yield "letters of URLs", good.replace(b"+", b"-").replace(b"/", b"_")
    yield "nothing in it", lines(begin, end)
    yield "it twice", good + good
    yield "armor in armor", age.armor(good)
    yield "the binary form behind it", good + Made(contents).data()
    for cut in (1, 10, 34, 35, 36, 100, len(good) - 40, len(good) - 2):
        yield f"{cut} bytes of armor", good[:cut]
    text = b"".join(body)
    if text.endswith(b"="):
        letters = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        stripped = text.rstrip(b"=")
        other = stripped[:-1] + letters[letters.index(stripped[-1]) + 1:][:1] + text[len(stripped):]
        yield "bits that are left over", lines(begin, *[other[i:i + 64] for i in range(0, len(other), 64)], end)


# --- Opening


def verdict(data, passphrase=None):
    """`good` and the contents, `bad` and what may have been printed of it, `closed` or `either`."""
    try:
        return "good", contents_of(data, passphrase)
    except Bad as error:
        return "bad", error.proved
    except Closed:
        return "closed", b""
    except Either:
        return "either", b""


def decrypted(what, data, with_passphrase):
    """Opens it with `redo age`, to a stream and to a file."""
    judged, contents = verdict(data, PASSPHRASE if with_passphrase else None)
    words = ["redo", "age", "-d", "--passphrase-file=pass"] if with_passphrase else ["redo", "age", "-d", "-i", KEY]
    kilobytes = 200_000 + 3 * len(data) // 1000
    with open("given.age", "wb") as file:
        file.write(data)
    for stream in (False, True):
        end = run(what, [*words] if stream else [*words, "given.age"], given=data if stream else b"", data=True, kilobytes=kilobytes)
        said = f"{what}, which is {judged} ({'a stream' if stream else 'a file'}): {end}"
        if end.status == 0 and (judged not in ("good", "either") or judged == "good" and end.out != contents):
            die(said)
        if end.status != 0 and (judged == "good" or not contents.startswith(end.out)):
            die(said)
        if judged == "closed" and end.status != 77 or judged == "bad" and end.status not in (77, 128):
            die(said)
    with open("kept", "wb") as file:
        file.write(b"what was there before")
    end = run(what, [*words, "-o", "kept", "given.age"], kilobytes=kilobytes)
    found = read("kept")
    if found != (contents if end.status == 0 and judged == "good" else found if end.status == 0 else b"what was there before"):
        die(f"{what}, which is {judged}: the file that was to be written has changed: {end}")
    if (end.status == 0) != (judged == "good") and judged != "either":
        die(f"{what}, which is {judged}: into a file: {end}")
    if sorted(name for name in os.listdir(".") if "tmp" in name):
        die(f"{what}: something is left")
    return judged


def told(end):
    """What is printed of an archive, without the bytes of its file."""
    return re.sub(rb"^([0-9a-f]{64} [0-9]+) [0-9]+", rb"\1", end.out)


def listed(what, data):
    """Opens it as an archive."""
    judged, contents = verdict(data)
    with open("given.redopack", "wb") as file:
        file.write(data)
    for words in (["archive", "list", "-i", KEY, "given.redopack"], ["archive", "verify", "-i", KEY, "given.redopack"]):
        end = run(f"an archive: {what}", ["redo", *words], kilobytes=200_000 + 3 * len(data) // 1000)
        is_right = end.status == 0 and told(end) == EXPECTED[words[1]]
        if (end.status == 0) != is_right or end.status == 0 and judged not in ("good", "either") and words[1] == "verify":
            die(f"an archive: {what}, which is {judged}: {end}")
        # What an archive is shows at its beginning: many blanks before an armor hide it.
        if judged == "good" and contents == PACK and not is_right and data[:64].strip():
            die(f"an archive: {what}, which is good: {end}")


def restored(what, data):
    """Opens it as a point of a backup."""
    judged, contents = verdict(data)
    shutil.rmtree("given", ignore_errors=True)
    os.mkdir("given")
    with open(os.path.join("given", POINT), "wb") as file:
        file.write(data)
    # Armor is for letters: points have none.
    is_same = judged == "good" and contents == TAR and data.startswith(age.FIRST)
    end = run(f"a backup: {what}", ["redo", "backup", "check", "-i", KEY, "given"], kilobytes=200_000 + 3 * len(data) // 1000)
    if (end.status == 0) != is_same and judged != "either":
        die(f"a backup: {what}, which is {judged}: check: {end}")
    end = run(f"a backup: {what}", ["redo", "backup", "list", "-i", KEY, "given"])
    if end.status == 0 and end.out != EXPECTED["points"] and judged != "good":
        if b"whole" in end.out and data[:len(POINT_DATA)] != POINT_DATA and is_same:
            die(f"a backup: {what}, which is {judged}: list: {end}")
    shutil.rmtree("back", ignore_errors=True)
    end = run(f"a backup: {what}", ["redo", "backup", "restore", "-q", "-i", KEY, "-o", "back", "given"])
    if (end.status == 0) != is_same and judged != "either":
        die(f"a backup: {what}, which is {judged}: restore: {end}")
    if end.status != 0 and os.path.exists("back"):
        die(f"a backup: {what}, which is {judged}: a store is made: {end}")
    if read(os.path.join("given", POINT)) != data or len(os.listdir("given")) > 2:
        die(f"a backup: {what}: the directory has changed: {os.listdir('given')}")


PACK, POINT_DATA = read(ARCHIVE), read(os.path.join(POINTS, POINT))
TAR = opened(POINT_DATA)
with open("good.redopack", "wb") as file:
    file.write(Made(PACK).data())
EXPECTED = {"points": run("the sound backup", ["redo", "backup", "list", "-i", KEY, POINTS]).out}
with open("given.redopack", "wb") as file:
    file.write(Made(PACK).data())
for word in ("list", "verify"):
    end = run("the sound archive", ["redo", "archive", word, "-i", KEY, "given.redopack"])
    if end.status != 0:
        die(f"the sound archive: {end}")
    EXPECTED[word] = told(end)

counts, number, verdicts = {}, 0, {}
TEXT = random.randbytes(70_000)
for name, makers, sizes in (
        ("text", (headers, stanzas, chunks, armors, passphrases), None), ("archive", (headers, stanzas, chunks, armors), None),
        ("backup", (headers, stanzas, chunks, armors), None)):
    bodies = {"text": [b"", b"x", TEXT[:65_536], TEXT, TEXT * 2], "archive": [PACK], "backup": [TAR]}[name]
    for body in bodies:
        for maker in makers:
            if maker in (headers, armors, passphrases) and name == "text" and len(body) not in (1, len(TEXT)):
                continue
            for what, data in maker(body):
                number += 1
                if not turn(number, what) or maker is headers and name != "text" and number % 4:
                    continue
                what = f"{what} ({len(body)} bytes)"
                if name == "text":
                    judged = decrypted(what, data, maker is passphrases)
                    verdicts[judged] = verdicts.get(judged, 0) + 1
                elif name == "archive":
                    listed(what, data)
                else:
                    restored(what, data)
                counts[name] = counts.get(name, 0) + 1
print(f"{sum(counts.values())} altered age files ({', '.join(f'{count} of {name}' for name, count in counts.items())}), {kept.runs} runs;"
      f" of the text {', '.join(f'{count} are {name}' for name, count in sorted(verdicts.items()))}")
