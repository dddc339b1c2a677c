"""profile/: small logs that are right under `v1` and break one rule of `sync` or `genesis`, and their neighbours."""

from .common import Folder
from .history import History, missing, ndjson, wall_at

LAMPORT, JUMP = "/timestamp/lamport", 1_000_000


def start(**more):
    h = History()
    return h, h.add("CREATE", {"title": "Profiles"}, **more)


def make(root):
    folder = Folder(root, "profile")

    def log(profile, rule, case, h, pointer=None, at=-1):
        verdict = "valid" if pointer is None else "invalid"
        name = f"{profile}/{verdict}/{rule}--{case}.ndjson"
        folder.write(name, ndjson(h.nodes))
        folder.row(name, profile, verdict, *(["-", "-", "-"] if pointer is None else [rule, pointer, h.nodes[at]["id"]]))

    def second(profile, rule, case, pointer=None, **more):
        h, first = start()
        h.add("UPDATE", {"priority": 1}, [first], **more)
        log(profile, rule, case, h, pointer)

    # sync
    second("sync", "signature-missing", "signed")
    second("sync", "signature-missing", "unsigned", "/signature", form=None)
    second("sync", "key-unknown", "key-in-an-earlier-node", keep_key=False)
    h = History()
    h.add("CREATE", {"title": "Profiles"}, keep_key=False)
    log("sync", "key-unknown", "no-key", h, "/signature")
    second("sync", "parent-missing", "present")
    h, first = start()
    h.add("UPDATE", {"priority": 1}, [missing()], lamport=2)
    log("sync", "parent-missing", "only-parent", h, "/parents/0")
    h, first = start()
    node = h.add("UPDATE", {"priority": 1}, [first, missing()])
    log("sync", "parent-missing", "one-of-two", h, "/parents/%d" % node["parents"].index(missing()))
    second("sync", "lamport-not-increasing", "by-one", lamport=2)
    second("sync", "lamport-not-increasing", "equal", LAMPORT, lamport=1)
    h, first = start(lamport=9)
    h.add("UPDATE", {"priority": 1}, [first], lamport=8)
    log("sync", "lamport-not-increasing", "less", h, LAMPORT)
    h, first = start()
    left, right = h.add("UPDATE", {"priority": 1}, [first]), h.add("UPDATE", {"priority": 2}, [first], lamport=7)
    h.add("MERGE", {}, [left, right], lamport=7)
    log("sync", "lamport-not-increasing", "as-the-larger-of-two-parents", h, LAMPORT)
    second("sync", "lamport-jump", "by-1000000", lamport=1 + JUMP)
    second("sync", "lamport-jump", "by-1000001", LAMPORT, lamport=2 + JUMP)
    log("sync", "lamport-jump", "root-at-1000000", start(lamport=JUMP)[0])
    log("sync", "lamport-jump", "root-at-1000001", start(lamport=JUMP + 1)[0], LAMPORT)
    h, first = start()
    left, right = h.add("UPDATE", {"priority": 1}, [first]), h.add("UPDATE", {"priority": 2}, [first], lamport=JUMP)
    h.add("MERGE", {}, [left, right], lamport=2 * JUMP)
    log("sync", "lamport-jump", "from-the-larger-of-two-parents", h)

    # genesis
    second("genesis", "wall-precision", "with-fraction")
    second("genesis", "wall-precision", "without-fraction", "/timestamp/wall", wall="2025-03-01T08:01:00Z")
    log("genesis", "genesis-create", "root-at-1", start()[0])
    log("genesis", "genesis-create", "root-at-2", start(lamport=2)[0], LAMPORT)
    h, first = start()
    h.add("CREATE", {"title": "Other"}, [first], task=2)
    log("genesis", "genesis-create", "parents", h, "/parents")
    second("genesis", "genesis-lamport", "parent-plus-1")
    second("genesis", "genesis-lamport", "parent-plus-2", LAMPORT, lamport=3)
    h, first = start()
    h.add("CREATE", {"title": "Other"}, task=2)
    log("genesis", "genesis-create-duplicate", "two-tasks", h)
    h, first = start()
    h.add("CREATE", {"title": "Again"}, wall=wall_at(5))
    log("genesis", "genesis-create-duplicate", "one-task", h, "/action")
    h, first = start()
    h.add("DELETE", {"deletedChain": [first["id"]]}, [first])
    log("genesis", "payload-missing", "with-deletedchain", h)
    h, first = start()
    h.add("DELETE", {}, [first])
    log("genesis", "payload-missing", "without-deletedchain", h, "/data/fields/deletedChain")
    second("genesis", "member-missing", "with-publickey")
    second("genesis", "member-missing", "without-publickey", "/author/publicKey", keep_key=False)
    folder.finish("file", "profile", "verdict", "rule", "pointer", "id")
