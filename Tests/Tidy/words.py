"""Words that have no place in the project: paths of one machine, hosts of registries, notes to self."""

import re

import project

# Written so that they do not find themselves.
WORDS = {
    r"/[w]ork/": "a path of one machine",
    r"(?<![-\w}])/[t]mp/(?!redo-)\w": "a path of one machine; scripts ask mktemp",
    r"(?<![\w.])/(?:home|root|[U]sers)/\w": "a path of one machine",
    r"\b(?:[L]LM|[C]laude|[C]opilot|[C]hatGPT)\b": "how it was made is not part of it",
    r"\b(?:[p]ypi\.org|[p]ythonhosted|[n]pmjs|[c]rates\.io|[r]egistry\.|[p]roxy\.golang)": "a registry",
    r"(?:#|//|<!--|\\\").*\b(?:[T]ODO|[F]IXME)\b": "something left for later",
}
PATTERNS = [(re.compile(pattern), reason) for pattern, reason in WORDS.items()]
# Data, and a text that is not ours.
DATA = {".note", ".proof", ".tlog-proof", ".gz", ".json", ".ndjson", ".canonical", ".tsv", ".cbor"}
FOREIGN = {"LICENSE"}


def check():
    """Every line with such a word."""
    for path in project.files():
        if path.suffix in DATA or str(path) in FOREIGN:
            continue
        try:
            text = project.text(path)
        except UnicodeDecodeError:
            yield f"{path}: neither text nor known data"
            continue
        for number, line in enumerate(text.splitlines(), 1):
            for pattern, reason in PATTERNS:
                found = pattern.search(line)
                if found:
                    yield f"{path}:{number}: '{found.group()}': {reason}"
            if line != line.rstrip() and path.suffix != ".md":
                yield f"{path}:{number}: blanks at the end of the line"
        if text and not text.endswith("\n"):
            yield f"{path}: no line feed at the end"
