"""What the checks share: the project's files, its commands, and the exceptions that were made."""

import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Exceptions that checks made, each with its reason; they are shown, never silent.
exceptions = []


def files():
    """The project's files, relative to its root: what git knows and does not ignore."""
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, check=False)
    if listing.returncode == 0 and listing.stdout:
        names = listing.stdout.decode().rstrip("\0").split("\0")
    else:  # an unpacked archive
        names = [
            str(path.relative_to(ROOT)) for path in ROOT.rglob("*")
            if not path.relative_to(ROOT).parts[0].startswith(".build")
            and "__pycache__" not in path.parts]
    return sorted(pathlib.Path(name) for name in set(names) if (ROOT / name).is_file())


def text(path):
    """The text of a file."""
    return (ROOT / path).read_text(encoding="utf-8")


def program():
    """The path of the built executable."""
    directory = os.environ.get("REDO_BIN_DIR") or ROOT / ".build/release"
    return pathlib.Path(directory) / "redo"


def ask(*arguments):
    """What `redo` prints."""
    answer = subprocess.run(
        [program(), *arguments], capture_output=True, stdin=subprocess.DEVNULL, check=False)
    return answer.stdout.decode()


# What commands start: the commands of redo-net, which links a network library.
NETWORK = ["remote-firestore", "remote-http", "serve-http"]


def commands():
    """The names of the commands: those of the executable targets."""
    names = {path.name.removeprefix("redo-") for path in (ROOT / "Sources").glob("redo-*")}
    return sorted(names - {"net", "index-sqlite"})
