"""The makers of the test vectors, one module a folder."""
