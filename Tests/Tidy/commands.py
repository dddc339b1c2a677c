"""Every command has its page, its script, and each of its options on the page."""

import re
import subprocess

import project

# The options that every command has stand in redo(1).
COMMON = {"-C", "-c", "--redo-dir", "--archive", "-q", "--quiet"}
SECTIONS = [
    "NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "OUTPUT", "EXIT STATUS", "EXAMPLES", "SEE ALSO"]


def check():
    """Every command that lacks something."""
    listed = project.ask("--list-commands").split()
    for name in sorted(set(listed) ^ set(project.commands())):
        yield f"Package.swift and CommandTable.swift do not agree about {name}"
    table = option_table()
    for name in project.commands():
        page = project.ROOT / f"man/redo-{name}.1"
        if page.exists():
            words = [command for command in table if command.split()[0] == name]
            yield from check_page(page, name, words, set().union(*(table[word] for word in words)))
        else:
            yield f"man/redo-{name}.1 is missing"
        if not (project.ROOT / f"Tests/Scripts/redo-{name}.sh").exists():
            yield f"Tests/Scripts/redo-{name}.sh is missing"
    for name in project.NETWORK:
        yield from check_network(name)
    overview = project.text("man/redo.1")
    for option in sorted(COMMON - page_options(overview)):
        yield f"man/redo.1: {option} has no line"
    for name in project.commands():
        if f".It Xr redo-{name} 1" not in overview:
            yield f"man/redo.1: redo-{name}(1) has no line"
    for path in sorted((project.ROOT / "man").glob("*.[157]")):
        yield from check_references(path)


def option_table():
    """command, or command and subcommand -> its options as they are spelled, from the
    executable's own listing."""
    rows = subprocess.run(
        [project.ROOT / "completions/make", "--table"], check=True, capture_output=True)
    table = {}
    for row in rows.stdout.decode().splitlines():
        command, letter, name, *_ = row.split("\t")
        options = table.setdefault(command, set())
        options.update(["-" + letter] if letter else [])
        options.update(["--" + name] if name else [])
    return table


def page_options(text):
    """The options with a line of their own on a page."""
    options = set()
    for line in text.splitlines():
        if line.startswith(".It Fl"):
            options.update("-" + option for option in re.findall(r"Fl (?!Ns |Ar )(-?[A-Za-z0-9][\w-]*)", line))
    return options


def check_page(page, name, words, options):
    where = f"man/{page.name}"
    text = page.read_text()
    sections = re.findall(r"^\.Sh (.+)$", text, re.M)
    for section in SECTIONS:
        if section not in sections:
            yield f"{where}: no section {section}"
    if [section for section in sections if section in SECTIONS] != SECTIONS:
        yield f"{where}: the sections are not in the usual order"
    for word in words:
        subcommand = word.partition(" ")[2]
        if subcommand and not re.search(rf"^\.It Cm {subcommand}\b", text, re.M):
            yield f"{where}: the subcommand {subcommand} has no line"
    shown = page_options(text)
    for option in sorted(options - shown - COMMON):
        yield f"{where}: {option} has no line"
    for option in sorted(shown - options):
        yield f"{where}: redo {name} knows no {option}"


def check_network(name):
    """What a command starts is one of redo-net, and has a page with its options, and a script."""
    page = project.ROOT / f"man/redo-{name}.1"
    if not (project.ROOT / f"Tests/Scripts/redo-{name}.sh").exists():
        yield f"Tests/Scripts/redo-{name}.sh is missing"
    if not page.exists():
        yield f"man/redo-{name}.1 is missing"
        return
    usage = subprocess.run(
        [project.program().parent / "redo-net", name, "-h"], capture_output=True, check=False)
    options = re.findall(r"^ +--(?:\[no-\])?([a-z][a-z-]*)", usage.stdout.decode(), re.M)
    yield from check_page(page, name, [name], {"--" + option for option in options})


def check_references(path):
    for name, section in re.findall(r"^\.(?:It )?Xr (redo\S*) (\d)", path.read_text(), re.M):
        if not (project.ROOT / f"man/{name}.{section}").exists():
            yield f"man/{path.name}: there is no {name}({section})"
