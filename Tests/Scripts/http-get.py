#!/usr/bin/env python3
"""http-get.py <url>: the body goes to the file 'body', the status to standard output, as `curl -s -o body -w '%{http_code}'`."""

import sys
import urllib.error
import urllib.request

try:
    answer = urllib.request.urlopen(sys.argv[1])
except urllib.error.HTTPError as error:
    answer = error
with open("body", "wb") as file:
    file.write(answer.read())
print(answer.status if hasattr(answer, "status") else answer.code, end="")
