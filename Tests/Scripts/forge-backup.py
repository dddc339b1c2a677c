#!/usr/bin/env python3
"""Changes a point of a backup, and makes all hashes right again, in it and in the points that follow.

  forge-backup.py DIRECTORY FILE CODE     CODE works on `manifest`, and on `members`: the bytes of the files by their names
"""
import hashlib
import io
import json
import os
import sys
import tarfile


def sha(data):
    return hashlib.sha256(data).hexdigest()


def block(name, data, mtime):
    info = tarfile.TarInfo(name)
    info.size, info.mtime = len(data), mtime
    return info.tobuf(tarfile.USTAR_FORMAT) + data + b"\0" * (-len(data) % 512)


def read(path):
    with tarfile.open(path) as archive:
        infos = list(archive)
        members = {info.name: archive.extractfile(info).read() for info in infos}
    del members["sha256"]
    return json.loads(members.pop("manifest")), members, infos[0].mtime


def write(path, manifest, members, mtime):
    manifest["members"] = [{"name": name, "sha256": sha(data), "size": len(data)} for name, data in members.items()]
    text = json.dumps(manifest, sort_keys=True, separators=(",", ":")).encode() + b"\n"
    out = block("manifest", text, mtime) + b"".join(block(name, data, mtime) for name, data in members.items())
    out += block("sha256", sha(out).encode() + b"\n", mtime) + b"\0" * 1024
    with open(path, "wb") as file:
        file.write(out)


def main():
    directory, chosen, code = sys.argv[1:]
    digests = {}
    for name in sorted(name for name in os.listdir(directory) if name.endswith(".redobackup")):
        if name < chosen:
            continue
        path = os.path.join(directory, name)
        manifest, members, mtime = read(path)
        if name == chosen:
            exec(code, {"manifest": manifest, "members": members, "sha": sha})
        for need in manifest["needs"]:
            need["sha256"] = digests.get(need["name"], need["sha256"])
        write(path, manifest, members, mtime)
        digests[name] = sha(open(path, "rb").read())


if __name__ == "__main__":
    main()
