#!/usr/bin/env python3
"""Writes the document of an account again and again over Firestore's REST API.

  document-writer.py <port> <account> <bytes> <word> [<count>]

The document has a text of so many bytes, and the word with a number, from 1 up to the count (1), or with the count 0 for as
long as it is answered. Prints the number of each write that was answered well, after it was read again, or else status and
answer, and ends.
"""

import http.client
import json
import sys


def main():
    port, account, size, word = int(sys.argv[1]), sys.argv[2], int(sys.argv[3]), sys.argv[4]
    count = int(sys.argv[5]) if len(sys.argv) > 5 else 1
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=300)
    path = f"/v1/projects/demo/databases/(default)/documents/users/{account}"
    fields = {"Authorization": f"Bearer {account}-token", "Content-Type": "application/json"}

    def ask(method, more, body=None):
        connection.request(method, path + more, body, fields)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()

    number = 0
    while number != count or count == 0:
        number += 1
        values = {"word": {"stringValue": f"{word}-{number}"}, "text": {"stringValue": "x" * size}}
        status, answer = ask("PATCH", "", json.dumps({"fields": values}))
        if status != 200:
            print(status, answer[:400].replace("\n", " "))
            return
        status, answer = ask("GET", "?mask.fieldPaths=word")
        if f"{word}-{number}" not in answer:
            print(status, answer[:400])
            return
        print(number, flush=True)


try:
    main()
except (OSError, http.client.HTTPException) as error:
    print(repr(error), file=sys.stderr)
