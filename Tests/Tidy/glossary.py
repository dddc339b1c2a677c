"""Every word of the vocabulary is explained once in redo-glossary(7)."""

import collections
import re

import project

WORDS = """
action ancestors author blob body cache canonical change checkpoint content corrupt descendants device digest
fingerprint have heads held|back
history index invalid kind lamport loose malformed merge|base missing node object object|directory object|ID pack
profile quarantine receipt received ref refused remote replay rule schema sealed signature snapshot state store task tips
todo tombstone total|order unavailable unsupported user|id verdict wall want
""".split()


def check():
    """Every word that is explained never or twice."""
    page = project.text("man/redo-glossary.7")
    told = collections.Counter()
    for line in re.findall(r"^(?:\.It )?\.?Cm (.+)$", page, re.M):
        told.update(word.strip() for word in line.split(" , "))
    for word in WORDS:
        word = word.replace("|", " ")
        # `missing` is a word of history and a way to be wrong.
        if told[word] == 0:
            yield f"man/redo-glossary.7: '{word}' is not explained"
        elif told[word] > (2 if word == "missing" else 1) and word not in {"node", "blob", "receipt", "schema"}:
            yield f"man/redo-glossary.7: '{word}' is explained {told[word]} times"
