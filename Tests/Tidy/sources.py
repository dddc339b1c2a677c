"""The walls of the house: imports, printing, exits, system calls; and which files are long.

The table says who may import whom; a folder's row holds instead of that of the folder around it.
"""

import re

import project

# A file that is longer is named, for people to decide: one long file with one subject is better than two.
LONG_LINES = 400

IMPORTS = {
    "CanonicalJSON": set(),
    "DAGCBOR": set(),
    "RedoCrypto": {"CSodium", "COpenSSL"},
    "RedoObject": {"CanonicalJSON", "DAGCBOR", "RedoCrypto"},
    "FirestoreModel": {"CanonicalJSON", "RedoCrypto", "RedoObject"},
    "RedoHistory": {"CanonicalJSON", "RedoObject"},
    "RedoRemote": {"RedoObject", "RedoCrypto"},
    "RedoNIO": {"RedoRemote", "NIOCore", "NIOConcurrencyHelpers"},
    "RedoHTTP": {
        "RedoCrypto", "RedoNIO", "RedoRemote", "RedoRepository", "RedoStore", "AsyncHTTPClient",
        "NIOConcurrencyHelpers", "NIOCore", "NIOHTTP1", "NIOPosix", "NIOSSL"},
    "RedoFirestore": {
        "CanonicalJSON", "FirestoreModel", "RedoCrypto", "RedoHTTP", "RedoObject", "RedoRemote",
        "RedoRepository", "RedoStore", "AsyncHTTPClient", "NIOCore", "NIOHTTP1"},
    "RedoServer": {
        "CanonicalJSON", "FirestoreModel", "RedoCrypto", "RedoNIO", "RedoObject", "RedoRemote",
        "RedoRepository", "RedoStore",
        "NIOConcurrencyHelpers", "NIOCore", "NIOHTTP1", "NIOPosix", "NIOSSL"},
    "RedoIndex": {"CSQLite", "CanonicalJSON", "GRDB", "Glibc"},
    "redo-index-sqlite": {"Glibc", "RedoIndex"},
    "RedoStore": {"CanonicalJSON", "RedoObject", "RedoCrypto", "Synchronization"},
    "RedoStore/System": {"RedoObject", "RedoCrypto", "Synchronization", "Glibc", "CLinux"},
    "RedoStore/Loose": {"RedoObject", "RedoCrypto", "Synchronization", "CZlib"},
    "RedoStore/Gzip": {"CZlib"},
    "RedoRepository": {
        "CanonicalJSON", "DAGCBOR", "RedoCrypto", "RedoObject", "RedoHistory", "RedoRemote", "RedoStore",
        "Synchronization"},
    "RedoShell": {
        "CanonicalJSON", "RedoCrypto", "RedoObject", "RedoHistory", "RedoRemote", "RedoRepository",
        "RedoStore", "Synchronization", "Glibc"},
    "RedoCommands": {"RedoReadCommands", "RedoShell", "RedoWriteCommands"},
    "RedoReadCommands": {
        "CanonicalJSON", "DAGCBOR", "RedoCrypto", "RedoObject", "RedoHistory", "RedoRepository", "RedoShell",
        "RedoStore", "Synchronization"},
    "RedoWriteCommands": {
        "CanonicalJSON", "RedoCrypto", "RedoObject", "RedoHistory", "RedoRemote", "RedoRepository",
        "RedoShell", "RedoStore", "Synchronization"},
    "redo-net": {
        "FirestoreModel", "RedoFirestore", "RedoHTTP", "RedoRemote", "RedoRepository", "RedoServer",
        "RedoShell", "RedoStore", "AsyncHTTPClient"},
}
# The executables.
EXECUTABLE = {"RedoCommands"}

IMPORT = re.compile(r"^ *(?:@\w+(?:\([^)]*\))? +)*(?:\w+ +)?import +(?:\w+ +)?(\w+)", re.M)
PRINT = re.compile(r"(?<![.\w])(?:print|debugPrint|dump|puts|fputs|printf|perror|putchar)\(")
STREAM = re.compile(r"\b(?:STDOUT_FILENO|STDERR_FILENO|stdout|stderr|FileHandle)\b")
EXIT = re.compile(r"(?<![.\w])(?<!case )(?:exit|_exit|quick_exit|abort|fatalError)\(")
# The environment is for the shell and the commands; these files set variables of the programs that they start.
VARIABLE = re.compile(
    r'"(?:REDO_[A-Z_]+|HOME|PATH|TMPDIR|XDG_[A-Z_]+|SUDO_UID|CREDENTIALS_DIRECTORY|FIRESTORE_EMULATOR_HOST)"|\bgetenv\b')
KNOWS_VARIABLES = {"RedoShell", "RedoReadCommands", "RedoWriteCommands", "redo-net"}
SETS_VARIABLES = {"BoundSecret.swift", "HookProcess.swift", "Connection+Start.swift"}
STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')
COMMENT = re.compile(r"//.*")


def check():
    """Every line of Sources that breaks a wall."""
    for path in project.files():
        if path.parts[0] == "Sources" and path.suffix == ".swift":
            yield from check_source(path)
        if path.suffix in {".swift", ".py", ".sh"} and lines(path) > LONG_LINES:
            project.exceptions.append(f"{path}: long, {lines(path)} lines")


def lines(path):
    return project.text(path).count("\n")


def check_source(path):
    text = project.text(path)
    code = COMMENT.sub("", STRING.sub('""', text))
    module, folder = path.parts[1], "/".join(path.parts[1:3])
    allowed = IMPORTS.get(folder, IMPORTS.get(module))
    if allowed is None:
        allowed = EXECUTABLE if module == "redo" or module.startswith("redo-") else set()

    for name in IMPORT.findall(code):
        if name not in allowed:
            yield f"{path}: {folder if folder in IMPORTS else module} may not import {name}"
    if module not in KNOWS_VARIABLES and path.name not in SETS_VARIABLES:
        for number, line in enumerate(COMMENT.sub("", text).splitlines(), 1):
            if VARIABLE.search(line):
                yield f"{path}:{number}: the environment below RedoShell"
    for number, line in enumerate(code.splitlines(), 1):
        if PRINT.search(line):
            yield f"{path}:{number}: printing; commands write to their context's output"
        if STREAM.search(line) and module != "RedoShell":
            yield f"{path}:{number}: a standard stream outside RedoShell"
        if EXIT.search(line) and path.name != "Shell+Main.swift" and module != "redo-index-sqlite":
            yield f"{path}:{number}: only the shell's main ends the process"
    if not text.startswith("//"):
        yield f"{path}: does not open with what it is"
