#!/usr/bin/env python3
"""Writes the vectors of this folder anew, with the Python package `cryptography`.

The key is the one of RFC 7515, appendix A.2.1, which everybody knows; so it proves nothing of anybody.
RSASSA-PKCS1-v1_5 has one signature for a key and a message, and RFC 7515 prints it.
"""

import base64
import pathlib

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ed25519, padding, rsa

HERE = pathlib.Path(__file__).parent
KEY = {
    "n": "ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4Ql"
    "L-yRT-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e"
    "-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_"
    "h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ",
    "e": "AQAB",
    "d": "Eq5xpGnNCivDflJsRQBXHx1hdR1k6Ulwe2JZD50LpXyWPEAeP88vLNO97IjlA7_GQ5sLKMgvfTeXZx9SE-7YwVol2NXOoAJe"
    "46sui395IW_GO-pWJ1O0BkTGoVEn2bKVRUCgu-GjBVaYLU6f3l9kJfFNS3E0QbVdxzubSu3Mkqzjkn439X0M_V51gfpRLI9JYanr"
    "C4D4qAdGcopV_0ZHHzQlBjudU2QvXt4ehNYTCBr6XCLQUShb1juUO1ZdiYoFaFQT5Tw8bGUl_x_jTj3ccPDVZFD9pIuhLhBOneuf"
    "uBiB4cS98l2SR_RQyGWSeWjnczT0QU91p1DhOVRuOopznQ",
}
MESSAGE = (
    b"eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19y"
    b"b290Ijp0cnVlfQ"
)
# RFC 7515, appendix A.2.1, at its end.
SIGNATURE = (
    "cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9"
    "uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB"
    "_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rq"
    "Vt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw"
)


def decode(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def number(text):
    return int.from_bytes(decode(text), "big")


def pem(key, form="PKCS8", passphrase=None):
    return key.private_bytes(
        serialization.Encoding.PEM,
        getattr(serialization.PrivateFormat, form),
        serialization.BestAvailableEncryption(passphrase)
        if passphrase
        else serialization.NoEncryption(),
    )


def main():
    n, e, d = (number(KEY[name]) for name in "ned")
    p, q = rsa.rsa_recover_prime_factors(n, e, d)
    numbers = rsa.RSAPrivateNumbers(
        p, q, d, rsa.rsa_crt_dmp1(d, p), rsa.rsa_crt_dmq1(d, q), rsa.rsa_crt_iqmp(p, q),
        rsa.RSAPublicNumbers(e, n),
    )
    key = numbers.private_key()
    signature = key.sign(MESSAGE, padding.PKCS1v15(), hashes.SHA256())
    assert signature == decode(SIGNATURE)
    small = rsa.generate_private_key(public_exponent=65537, key_size=1024)
    for name, data in {
        "pkcs8.pem": pem(key),
        "pkcs1.pem": pem(key, "TraditionalOpenSSL"),
        "encrypted.pem": pem(key, passphrase=b"a passphrase"),
        "small.pem": pem(small),
        "ed25519.pem": pem(ed25519.Ed25519PrivateKey.generate()),
        "message": MESSAGE + b"\n",
        "signature": signature.hex().encode() + b"\n",
    }.items():
        (HERE / name).write_bytes(data)


if __name__ == "__main__":
    main()
