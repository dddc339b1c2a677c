"""json/numbers.tsv: doubles by their bits, a literal for each, and the text RFC 8785 gives them."""

import random
import struct
from decimal import Decimal, getcontext

from .common import canonical

COUNT = 3000
getcontext().prec = 1200  # exact sums of the longest expansions (about 770 digits)


def bits_of(value):
    return struct.unpack(">Q", struct.pack(">d", value))[0]


def from_bits(bits):
    return struct.unpack(">d", struct.pack(">Q", bits))[0]


def is_integer_literal(literal):
    return not any(c in literal for c in ".eE")


def edges():
    """The places where parsers and printers go wrong, by value."""
    yield from (0.0, -0.0, 5e-324, -5e-324, 1e-323, 2.225073858507201e-308, 2.2250738585072014e-308,
                1.7976931348623157e308, -1.7976931348623157e308, 9007199254740991.0, 9007199254740992.0,
                9007199254740994.0, 4503599627370495.5, 4503599627370496.5, 0.1, 0.2, 0.30000000000000004, 1 / 3, 2 / 3,
                333333333.3333333, 9.5e-7, 1e23, 9.999999999999999e22, 1.0000000000000001e23, 295147905179352830000.0,
                2.7000000476837158, 1424953923781206.2, 5e-324 * 3, 6.02214076e23, 1.2345e-7, 4.35, 0.000001, 0.0000001)
    for power in range(-30, 31):
        value = float(f"1e{power}")
        yield from (value, from_bits(bits_of(value) - 1), from_bits(bits_of(value) + 1))
    for power in range(-1074, 1024, 23):
        yield 2.0**power
    for power in (52, 53, 54, 60, 63, 64, 69, 70):
        yield from (2.0**power, -(2.0**power), from_bits(bits_of(2.0**power) - 1), from_bits(bits_of(2.0**power) + 1))


def spellings(value, rnd):
    """One literal of `value`, in a form chosen by chance; never an integer literal that is inexact."""
    exact = Decimal(value)
    choice = rnd.randrange(6)
    if choice == 0:
        literal = "%.17g" % value
    elif choice == 1:
        literal = "%.16e" % value
    elif choice == 2:
        literal = "%.20E" % value
    elif choice == 3 and len(format(exact, "f")) < 400:
        literal = format(exact, "f")
        literal += "" if "." in literal else ".0"
    elif choice == 4:
        sign, digits, exponent = Decimal(repr(value)).as_tuple()
        shift = rnd.randint(0, 3)
        literal = ("-" if sign else "") + "".join(map(str, digits)) + "0" * shift + "e%d" % (exponent - shift)
        literal = literal.replace("e", rnd.choice(["e", "E"]))
    else:
        literal = repr(value)
    literal = literal.replace("inf", "")
    if is_integer_literal(literal) and Decimal(literal) != Decimal(canonical(value).decode()):
        literal += ".0"
    return literal


def midpoints(rnd):
    """Literals at, just below and just above the middle of two doubles, with all their digits."""
    for _ in range(80):
        low = from_bits(rnd.randrange(1, 0x7FE0000000000000))
        if not 1e-290 < low < 1e290 and rnd.random() < 0.7:
            low = rnd.random() * 10 ** rnd.randint(-20, 20)
        high = from_bits(bits_of(low) + 1)
        middle = (Decimal(low) + Decimal(high)) / 2
        text = format(middle, "e") if abs(middle.adjusted()) > 30 else format(middle, "f")
        mantissa, mark, exponent = text.partition("e")
        mantissa += "" if "." in mantissa else ".0"
        last = mantissa.rstrip("0")
        if not last[-1].isdigit():
            continue
        yield mantissa + mark + exponent
        yield mantissa + "1" + mark + exponent
        yield last[:-1] + str(int(last[-1]) - 1) + "9" + mark + exponent


def make(folder):
    rnd = random.Random(8785)
    rows, seen = [], set()

    def add(value, literal):
        assert bits_of(float(literal)) == bits_of(value), (value, literal)
        if (bits_of(value), literal) not in seen:
            seen.add((bits_of(value), literal))
            rows.append(("%016x" % bits_of(value), literal, canonical(value).decode()))

    for value in edges():
        add(value, repr(value) if not value.is_integer() or abs(value) > 1e15 else "%d" % value if value or bits_of(value) == 0 else "-0")
        add(value, spellings(value, rnd))
    for literal in midpoints(rnd):
        add(float(literal), literal)
    for _ in range(400):  # few digits, the notations' borders
        literal = "%s%d.%de%d" % (rnd.choice(["", "-"]), rnd.randint(0, 9), rnd.randint(0, 10 ** rnd.randint(1, 6)), rnd.randint(-12, 25))
        if float(literal):
            add(float(literal), literal)
    for _ in range(300):  # whole numbers
        value = float(rnd.randrange(2 ** rnd.randint(1, 80)))
        add(value, spellings(value, rnd))
    while len(rows) < COUNT:
        bits = rnd.getrandbits(64)
        if (bits >> 52) & 0x7FF != 0x7FF:
            value = from_bits(bits)
            add(value, spellings(value, rnd))
    for row in rows[:COUNT]:
        folder.row(*row)
    folder.finish("bits", "literal", "canonical", table="numbers.tsv", keep_order=True)
