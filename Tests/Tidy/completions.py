"""The completions are those of the executable's option tables, and shells can read them."""

import pathlib
import shutil
import subprocess
import tempfile

import project

SHELLS = {"redo.bash": ["bash", "-n"], "_redo": ["zsh", "-n"], "redo.fish": ["fish", "-n"]}


def check():
    """Every file that is not current."""
    with tempfile.TemporaryDirectory() as directory:
        subprocess.run([project.ROOT / "completions/make", directory], check=True)
        for name, reader in SHELLS.items():
            path = project.ROOT / "completions" / name
            if not path.exists() or path.read_bytes() != pathlib.Path(directory, name).read_bytes():
                yield f"completions/{name}: not what completions/make writes; run 'make generate'"
            elif shutil.which(reader[0]) is None:
                project.exceptions.append(f"completions/{name}: no {reader[0]} here to read it with")
            elif subprocess.run([*reader, path], check=False).returncode:
                yield f"completions/{name}: {reader[0]} cannot read it"
