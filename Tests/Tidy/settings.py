"""Every key that a command reads stands in redo-config(1), with its values and what holds without it."""

import re

import project

# Keys whose page says more than the table: how a number is written there.
NUMBERS = {"86400000": "86,400,000", "10000": "10,000"}


def check():
    """Every key that the table, the page and the sources do not agree about."""
    rows = [line.split("\t") for line in project.ask("config", "keys").splitlines()]
    table = {row[0]: row[1:] for row in rows if len(row) == 5}
    if len(table) != len(rows) or not table:
        yield "redo config keys: a line that is not a key, its values, a default, a meaning and who may say it"
    page = project.text("man/redo-config.1")
    section = re.search(r"^\.Ss Keys$(.*?)^\.Sh ", page, re.M | re.S)[1]
    items = re.split(r"^\.It Cm ", section, flags=re.M)[1:]
    told = {item.split("\n", 1)[0]: item.split("\n", 1)[1] for item in items}
    for key in sorted(table.keys() ^ told.keys()):
        yield f"man/redo-config.1: {key} stands in the table or on the page only"
    if list(told) != sorted(told):
        yield "man/redo-config.1: the keys are not in order"
    for key in table.keys() & told.keys():
        values, standard, meaning, speaker = table[key]
        if not re.search(rf"^\.Pq {speaker}$", told[key], re.M) or told[key].count("\n.Pq ") > 1:
            yield f"man/redo-config.1: {key} does not end with '.Pq {speaker}': who may say it"
        text = re.sub(r"^\.Cm ", "", told[key], flags=re.M).replace("\n", " ")
        words = values.split("|") if "|" in values else values.split("-") if values[0].isdigit() else []
        for word in words + ([standard] if standard else []):
            if not re.search(rf"(?<![\w,]){re.escape(NUMBERS.get(word, word))}(?![\w,]\d)", text):
                yield f"man/redo-config.1: {key} does not tell of '{word}'"
        if not text.lower().startswith(meaning.lower().split(" that ")[0][:20]):
            yield f"man/redo-config.1: {key} does not begin with '{meaning}'"
    yield from check_readers(table)


def check_readers(table):
    """A key that a source asks for must be in the table, in the spelling that people write."""
    known = {key.lower() for key in table}
    asked = re.compile(r'\.(?:entry|get|bool|int|all)\(\s*"([a-z]+\.[A-Za-z.]+)"')
    for path in project.files():
        if path.parts[0] == "Sources" and path.suffix == ".swift":
            for key in asked.findall(project.text(path)):
                if key.lower() not in known and key != "a.b":
                    yield f"{path}: asks for '{key}', which no table knows"
