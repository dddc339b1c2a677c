#!/usr/bin/env python3
"""What chains of receipts come to, from lines {"cbor","cid","received"} of one author whose name holds its key.

  receipt_chains.py list causal|received|claimed     the CIDs in this order
  receipt_chains.py shown                            `<root> <shown> <heads>` for each chain

Written from the page alone, with dag_cbor; it shares no code with the sources.
"""
import base64
import json
import sys

import dag_cbor


def read(stream):
    rows = {}
    for line in stream:
        row = json.loads(line)
        receipt = dag_cbor.decode(base64.b64decode(row["cbor"]))
        payload = receipt["payload"]
        if isinstance(payload, bytes):
            payload = dag_cbor.decode(payload)
        rows[row["cid"]] = {
            "parent": receipt.get("parentCID"), "type": receipt["receiptType"], "received": row["received"],
            "claimed": payload.get("claimed_time_ms", float("-inf"))}
    return rows


def listed(rows, order):
    key = lambda cid: (rows[cid]["claimed" if order == "claimed" else "received"], cid)
    if order != "causal":
        return sorted(rows, key=key)
    left, done = sorted(rows, key=key), []
    while left:
        ready = next(cid for cid in left if rows[cid]["parent"] not in left)
        left.remove(ready)
        done.append(ready)
    return done


def digest(cid):
    return base64.b32decode(cid[1:].upper() + "=" * (-len(cid[1:]) % 8))


def main():
    rows = read(sys.stdin)
    if sys.argv[1] == "list":
        print("\n".join(listed(rows, sys.argv[2])))
        return
    parents = {row["parent"] for row in rows.values()}

    def depth(cid):
        count = 0
        while rows[cid]["parent"]:
            cid, count = rows[cid]["parent"], count + 1
        return count, cid

    chains = {}
    for cid in rows:
        count, root = depth(cid)
        chains.setdefault(root, []).append((count, digest(cid), cid))
    sessions = tuple(f"app.buds.session.{word}/v1" for word in ("created", "edited", "updated"))
    for root in sorted(chains):
        members = [m for m in chains[root] if rows[root]["type"] not in sessions or rows[m[2]]["type"] in sessions]
        heads = sorted((m[1], m[2]) for m in chains[root] if m[2] not in parents)
        print(root, max(members)[2], ",".join(cid for _, cid in heads))


if __name__ == "__main__":
    main()
