"""Runs the examples of the manual pages and of README.md, and compares what they print.

An example is a literal display (`.Bd -literal`) under EXAMPLES, or a fence marked `console`. A line
`$ ...` is run, its continuation lines begin with `> `, the lines below it are what it must print,
stdout and stderr together; `...` stands for anything within a line, alone for any number of lines.

The pages share a directory with the demo's log as log.ndjson and log.ndjson.gz, and a store `.redo`
into which it was imported; what they do to it they leave as it was. README.md begins with
Demo/log.ndjson.gz and no store.
"""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile

import project

SECONDS = 60


def check():
    """Every example that prints something else."""
    pages = sorted((project.ROOT / "man").glob("*.[157]"))
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        environment = prepare(scratch)
        for page in pages:
            blocks = from_page(page.read_text())
            yield from check_text(page, blocks, scratch / "start", environment)
        readme = project.ROOT / "README.md"
        (scratch / "readme/Demo").mkdir(parents=True)
        shutil.copy(project.ROOT / "Demo/log.ndjson.gz", scratch / "readme/Demo")
        yield from check_text(
            readme, from_readme(readme.read_text()), scratch / "readme", environment)


def prepare(scratch):
    """A directory of programs, and a store to start from."""
    programs = scratch / "bin"
    programs.mkdir()
    for name in ["redo"] + [f"redo-{name}" for name in project.commands()]:
        (programs / name).symlink_to(project.program().resolve())
    for name in project.NETWORK:
        (programs / f"redo-{name}").symlink_to(project.program().resolve().parent / "redo-net")
    environment = {
        "PATH": f"{programs}:{os.environ['PATH']}", "HOME": str(scratch), "LC_ALL": "C.UTF-8",
        "TZ": "UTC", "REDO_CONFIG_NOSYSTEM": "1", "REDO_CONFIG_COUNT": "1",
        "REDO_CONFIG_KEY_0": "core.fsync", "REDO_CONFIG_VALUE_0": "none"}
    start = scratch / "start"
    start.mkdir()
    shutil.copy(project.ROOT / "Demo/log.ndjson.gz", start)
    run("gzip -dk log.ndjson.gz && redo init && redo import log.ndjson", start, environment)
    return environment


def run(command, directory, environment):
    """What a command prints, stdout and stderr together."""
    answer = subprocess.run(
        ["bash", "-c", command], cwd=directory, env=environment, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=SECONDS, check=False)
    return answer.stdout.decode(errors="replace").rstrip("\n").split("\n")


def check_text(path, blocks, directory, environment):
    """Runs the blocks of one text, one after the other."""
    for block in blocks:
        for command, expected in steps(block):
            try:
                printed = run(command, directory, environment)
            except subprocess.TimeoutExpired:
                printed = [f"(nothing after {SECONDS} seconds)"]
            if not matches(expected or [""], printed):
                shown = "\n".join("    " + line for line in printed[:20])
                yield f"{path.relative_to(project.ROOT)}: '{command}' prints\n{shown}"


def from_page(text):
    """The examples of a manual page, without the escapes of roff."""
    section = re.search(r"^\.Sh EXAMPLES$(.*?)(?=^\.Sh |\Z)", text, re.M | re.S)
    if not section:
        return []
    blocks = re.findall(r"^\.Bd -literal.*?\n(.*?)^\.Ed$", section[1], re.M | re.S)
    escapes = {r"\&": "", r"\e": "\\", r"\(ha": "^", r"\(ti": "~", r"\(aq": "'", r"\-": "-"}
    pattern = re.compile("|".join(map(re.escape, escapes)))
    return [pattern.sub(lambda found: escapes[found.group()], block) for block in blocks]


def from_readme(text):
    """The examples of a Markdown text."""
    return re.findall(r"^```console\n(.*?)^```$", text, re.M | re.S)


def steps(block):
    """The commands of an example, each with the lines that it must print."""
    found = []
    for line in block.rstrip("\n").split("\n"):
        if line.startswith("$ "):
            found.append((line[2:], []))
        elif line.startswith("> ") and found and not found[-1][1]:
            found[-1] = (found[-1][0] + "\n" + line[2:], [])
        elif found:
            found[-1][1].append(line)
    return found


def matches(expected, printed):
    """Whether lines are as expected, where `...` stands for anything."""
    parts = [
        r"(?:.*\n)*?" if line == "..." else
        ".*".join(map(re.escape, line.split("..."))) + "\n" for line in expected]
    return re.fullmatch("".join(parts), "\n".join(printed) + "\n") is not None
