"""redo-exchange(7) says what the matrix of exchanges says."""

import subprocess

import project


def check():
    """Whether the page is not what its generator writes."""
    page = subprocess.run([project.ROOT / "man/make-exchange"], capture_output=True, check=True).stdout.decode()
    if page != project.text("man/redo-exchange.7"):
        yield "man/redo-exchange.7: not what man/make-exchange writes; run 'make generate'"
