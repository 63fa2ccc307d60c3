#!/usr/bin/env python3
"""Verifies the bundle in whose folder this script lies.

    python3 verify.py [--key VKEY] [--roots FILE.pem]

VKEY is the log's key from elsewhere, FILE.pem has the authorities that you trust. Needs
Python 3.9, openssl 3 and no network. Exit code: 0 valid, and an authority confirms the time;
1 invalid; 2 valid, a confirmation is pending or unchecked; 3 valid, but only by the server's
own word; 64 wrong usage. README.txt has a command for each claim alone.
"""
import base64, datetime, hashlib, json, os, re, subprocess, sys

ROOT = os.path.dirname(os.path.abspath(__file__))
FIELDS = {"v", "log", "type", "at", "idea", "share", "recipient", "comment", "file", "revision",
          "salt", "discloses", "recordedLater", "vkey", "previous", "delivered", "view",
          "download", "abandoned"}
SLACK = datetime.timedelta(minutes=5)  # by which the clocks of servers may differ
OTS = b"\0OpenTimestamps\0\0Proof\0\xbf\x89\xe2\xe8\x84\xe8\x92\x94\1\x08"  # version 1, SHA-256
ABOUT_LOG = ("log.started", "log.resumed", "key.rotated")
failed, confirmed, pending, last_read, ideas = [], [], [], [""], set()

def say(outcome, path, text):
    print(f"{outcome:8} {path}: {text}")

def check(condition, path, holds, fails):
    say("holds" if condition else "FAILS", path, holds if condition else fails)
    if not condition:
        failed.append(path)
    return condition

def read(path):
    last_read[0] = path
    with open(os.path.join(ROOT, path), "rb") as file:
        return file.read()

def openssl(*arguments):
    return subprocess.run(("openssl",) + arguments, cwd=ROOT, capture_output=True, text=True)

def sha(data):
    return hashlib.sha256(data).digest()

def base64s(lines):
    return [base64.b64decode(line, validate=True) for line in lines]

def parse_json(data):
    """Canonical JSON, RFC 8785; evidence has no floating-point numbers."""
    value = json.loads(data)
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    if text.encode() != data or not isinstance(value, dict):
        raise ValueError("it is not in canonical form")
    return value

def numbered(paths, pattern):
    found = filter(None, (re.fullmatch(pattern, path) for path in paths))
    return sorted((int(match[1]), match[0]) for match in found)

def climb(position, last, first, second, proof):
    """Hashes towards the roots of an older tree (first) and a newer one (second)."""
    for other in proof:
        if last == 0:
            return None, None
        if position & 1 or position == last:
            first, second = sha(b"\1" + other + first), sha(b"\1" + other + second)
            while not position & 1 and position:
                position, last = position >> 1, last >> 1
        else:
            second = sha(b"\1" + second + other)
        position, last = position >> 1, last >> 1
    return (first, second) if last == 0 else (None, None)

def included(index, size, event, root, proof):
    """RFC 9162, section 2.1.3.2."""
    leaf = sha(b"\0" + event)
    return index < size and climb(index, size - 1, leaf, leaf, proof)[1] == root

def consistent(old, old_root, new, new_root, proof):
    """RFC 9162, section 2.1.4.2."""
    if not 0 < old < new or not proof:
        return old == new and old_root == new_root and not proof
    if old & (old - 1) == 0:
        proof = [old_root] + proof
    position, last = old - 1, new - 1
    while position & 1:
        position, last = position >> 1, last >> 1
    return climb(position, last, proof[0], proof[0], proof[1:]) == (old_root, new_root)

def checkpoint(path):
    """https://c2sp.org/tlog-checkpoint: body, origin, size, root and lines of signatures."""
    body, signatures = read(path).decode().split("\n\n")
    origin, size, root = body.split("\n")
    (root,) = base64s([root])
    if str(int(size)) != size or len(root) != 32 or signatures[-1:] != "\n":
        raise ValueError("it is not a checkpoint")
    return (body + "\n").encode(), origin, int(size), root, signatures[:-1].split("\n")

def verify_files():
    """Compares the files of the folder with bundle.json."""
    index, found = parse_json(read("bundle.json")), set()
    check(index["v"] == 1, "bundle.json", "It lists all files.", "Its version is unknown.")
    for folder, _, names in os.walk(ROOT):
        for full in (os.path.join(folder, name) for name in names):
            path = os.path.relpath(full, ROOT).replace(os.sep, "/")
            if path != "bundle.json":
                found.add(path)
                same = sha(read(path)).hex() == index["files"].get(path)
                check(same and not os.path.islink(full), path, "It is as bundle.json lists it.",
                      "bundle.json lists no such file.")
    for path in sorted(set(index["files"]) - found):
        check(False, path, "", "bundle.json lists the file, but it is missing.")
    return sorted(found), index.get("withheld", []), index.get("missing", [])

def verify_checkpoint(at):
    """The signature, by the files that README.txt gives to openssl."""
    body, origin, size, root, signatures = checkpoint(at + "log/checkpoint")
    vkey = read(at + "log/vkey").decode()[:-1]
    name, key_id, key = vkey.split("+", 2)
    (key,) = base64s([key])
    check(len(key) == 33 and key[0] == 1 and name == origin
          and read(at + "log/vkey")[-1:] == b"\n"
          and sha(name.encode() + b"\n" + key)[:4].hex() == key_id, at + "log/vkey",
          "It is a key of this log.", "It is not an Ed25519 key of this log.")
    der = base64.b64encode(bytes.fromhex("302a300506032b6570032100") + key[1:]).decode()
    pem = f"-----BEGIN PUBLIC KEY-----\n{der}\n-----END PUBLIC KEY-----\n".encode()
    named = base64s(line.split(" ")[2] for line in signatures if line.startswith(f"\u2014 {name} "))
    signature = next((found[4:] for found in named if found[:4].hex() == key_id), b"")
    for path, data, source in (("log/key.pem", pem, "log/vkey"),
                               ("log/checkpoint.body", body, "log/checkpoint"),
                               ("log/checkpoint.sig", signature, "log/checkpoint")):
        check(read(at + path) == data, at + path, f"It agrees with {at}{source}.",
              f"It contradicts {at}{source}.")
    check(not openssl("pkeyutl", "-verify", "-pubin", "-inkey", at + "log/key.pem", "-rawin",
                      "-in", at + "log/checkpoint.body", "-sigfile",
                      at + "log/checkpoint.sig").returncode,
          at + "log/checkpoint", f"{at}log/key.pem signed it.", f"{at}log/key.pem did not sign it.")
    return origin, size, root, vkey

def well_formed(event, place, origins):
    kind = event["type"]
    return (set(event) <= FIELDS and event["v"] == 1 and event["log"] in origins
            and len(event["at"]) == 27 and ("idea" in event) == (kind not in ABOUT_LOG)
            and ("vkey" in event) == (kind in ABOUT_LOG)
            and (kind in ABOUT_LOG[:2]) == (place == 0))

def verify_events(paths, at, origin, size, root, vkey):
    """Each event's place, and what events say about each other."""
    events, known, first, key, latest = {}, set(), {}, None, {}
    origins = {origin}  # events that waited when a log stopped are in the one that continues it
    for place, path in numbered(paths, at + r"events/(\d+)\.json"):
        event = events[place] = parse_json(read(path))
        event_digest, proof_path = sha(read(path)), f"{at}events/{place}.tlog-proof"
        proof, head = read(proof_path).decode().split("\n\n", 1)
        header, index, *hashes = proof.split("\n")
        check((header, index) == ("c2sp.org/tlog-proof@v1", f"index {place}")
              and head.encode() == read(at + "log/checkpoint")
              and included(place, size, event_digest, root, base64s(hashes)),
              proof_path, f"The log holds {path}.", f"It does not prove {path}.")
        kind, reader, delivered = (event.get(name) for name in ("type", "recipient", "delivered"))
        if reader and kind in ("agreement.accepted", "view.started", "file.delivered"):
            first.setdefault(reader, kind)  # the acceptance, and then what it allows
        origins.add(event.get("previous", {}).get("log", origin))
        later = event.get("recordedLater")  # what happened before recording began says so
        time = datetime.datetime.strptime(event["at"], "%Y-%m-%dT%H:%M:%S.%fZ")
        began = latest.setdefault("", time)
        ideas.update([event["idea"]] if "idea" in event else [])
        check(well_formed(event, place, origins) and len(ideas) < 2
              and (later or time + SLACK >= latest.get(event["log"], time))
              # what waited for a log stands before what that recorded
              and (event["log"] == origin or latest[origin] <= began + SLACK)
              and (kind != "agreement.accepted" or first.get(reader, kind) == kind)
              and (not delivered or len(origins) > 1
                   or ("agreement.delivered", delivered, reader) in known),
              path, f"{event['at']} {event['type']}", "It is malformed or contradicts others.")
        known.add((kind, event_digest.hex(), reader))
        key = event.get("vkey", key)
        latest.update({} if later else {event["log"]: time})  # what waited is older than place 0
    check(0 in events and key == vkey, at + "log/vkey", "The log names this key.",
          f"The log names another key, or {at}events/0.json, which began it, is missing.")
    return events

def verify_links(logs, origins):
    """Each older log against the one that continues it. Returns whether all are vouched for."""
    vouched = {""}
    for at, events in logs.items():
        previous = events[0].get("previous", {})
        for older in (older for older in logs if origins[older] == previous.get("log")):
            if sha(read(older + "log/checkpoint")).hex() == previous["checkpoint"]:
                say("holds", f"{at}events/0.json", f"It continues {older}log/checkpoint.")
                vouched.add(older)
            else:
                say("unknown", f"{older}log/checkpoint", f"{at}events/0.json continues a later "
                    "state, which is lost. Nothing but this bundle vouches for this one.")
        if at:
            continues = [events[0].get("previous", {}).get("log") for events in logs.values()]
            check(origins[at] in continues, f"{at}log/checkpoint", "Another log continues it.",
                  "No other log of the bundle continues it.")
    return vouched == set(logs)

def verify_consistency(paths, at, origin, new, new_root):
    """Returns the checkpoints that the newest one extends and so vouches for, by size."""
    heads = {new: (origin, new, new_root)}
    for size, path in numbered(paths, at + r"log/checkpoint-(\d+)"):
        head, proof = checkpoint(path)[1:4], f"{at}log/consistency-{size}-{new}.txt"
        hashes = base64s(read(proof).decode().split("\n")[:-1])
        if check(head[:2] == (origin, size) and consistent(size, head[2], new, new_root, hashes),
                 path, "The log has only grown since.", f"{proof} does not prove that."):
            heads[size] = head
    return heads

def verify_contents(paths, logs, withheld, missing):
    """Disclosures against their events, and files against disclosures."""
    named, shown = set(), set()
    for path in paths:
        match = re.fullmatch(r"(log\d+/)?disclosures/(\d+)-([a-z]+)\.json", path)
        if match:
            digest, value = sha(read(path)).hex(), parse_json(read(path))
            event = logs.get(match[1] or "", {}).get(int(match[2]), {})
            check(digest == event.get("discloses", {}).get(match[3]) and digest not in shown, path,
                  "Its event names it.", "No event names it here, or it is doubled.")
            shown.add(digest)
            named |= {item.get("sha256") for item in [value] + value.get("files", [])}
    named_here = [(f"{at}disclosures/{place}-{name}.json", digest)
                  for at, events in logs.items() for place, event in events.items()
                  for name, digest in event["discloses"].items()]
    for path, digest in named_here:
        if digest not in shown and path in withheld:
            say("unknown", path, "It was withheld from the holder of this bundle, or erased.")
        elif digest not in shown and path not in missing:
            check(False, path, "", "Its event names it, but it is missing.")
    for path in missing:
        if path not in paths:
            say("unknown", path, "It was lost or damaged in the vault that made this bundle, "
                "or is beside it in an export.")
    for path in paths:
        if path.startswith(("idea/", "agreements/")):
            check(sha(read(path)).hex() in named, path, "A disclosure names it.",
                  "No disclosure names it.")

def verify_anchors(paths, at, heads, roots):
    for path in (path for path in paths if re.match(at + "(anchors|events)/", path)):
        stamped = path[:-4] if path.endswith(".json.ots") else (
            path.rpartition(".")[0] + ".checkpoint")
        if path.endswith((".ots", ".cosigned", ".tsr")):  # whose form is checked here
            pending.append(path)
            data, note, digest = read(path), read(stamped), sha(read(stamped))
            fits = {"ots": data.startswith(OTS + digest), "tsr": b"\4\x20" + digest in data,
                    "cosigned": data.startswith(note + "\u2014 ".encode())}
            check(fits[path.rpartition(".")[2]], path, f"It names {stamped}.",
                  f"It does not stamp {stamped}.")
        if path.endswith(".checkpoint"):
            head = checkpoint(path)[1:4]
            check(heads.get(head[1]) == head, path, "It is a state of this log.",
                  f"Nothing connects it with {at}log/checkpoint.")
        elif path.endswith(".ots"):
            say("unknown", path, f"Bitcoin is not checked. Run: ots verify -f {stamped} {path}")
        elif path.endswith(".cosigned"):
            say("unknown", path, "A witness's signature. Run: ideavault verify --witness VKEY")
        elif path.endswith(".tsr") and not roots:
            say("unknown", path, "An authority's answer; you gave no --roots.")
        elif path.endswith(".tsr"):
            text = openssl("ts", "-reply", "-in", path, "-text").stdout
            time = re.search(r"Time stamp: (\w+ +\d+ [\d:]+)[.\d]* (\d{4} GMT)", text)
            time = datetime.datetime.strptime(" ".join(time.groups()), "%b %d %H:%M:%S %Y %Z")
            seconds = int(time.replace(tzinfo=datetime.timezone.utc).timestamp())
            if check(not openssl("ts", "-verify", "-data", stamped, "-in", path, "-CAfile", roots,
                                 "-attime", str(seconds)).returncode, path,
                     f"An authority confirms {time} UTC.", "openssl refuses it."):
                confirmed.append(path)

def main(arguments):
    options = dict(zip(arguments[::2], arguments[1::2]))
    if len(arguments) % 2 or not set(options) <= {"--key", "--roots"}:
        print(__doc__)
        return 64
    try:
        paths, withheld, missing = verify_files()
        roots = "--roots" in options and os.path.abspath(options["--roots"])
        older = [path[:-14] for path in paths if re.fullmatch(r"log\d+/log/checkpoint", path)]
        logs, origins = {}, {}
        for at in older + [""]:  # logs that stopped before this one, in folders of their own
            origin, size, root, vkey = verify_checkpoint(at)
            logs[at], origins[at] = verify_events(paths, at, origin, size, root, vkey), origin
            heads = verify_consistency(paths, at, origin, size, root)
            verify_anchors(paths, at, heads, roots)
        vouched = verify_links(logs, origins)
        verify_contents(paths, logs, withheld, missing)
        if "--key" in options:
            check(vkey == options["--key"], "log/vkey", "You trust it.", "You gave another key.")
        else:
            say("unknown", "log/vkey", "Compare it with one from elsewhere, by --key.")
    except (ValueError, LookupError, TypeError, AttributeError, OSError, RecursionError) as error:
        check(False, last_read[0], "", f"It cannot be verified: {error!r}")
    if failed:
        print("INVALID:", ", ".join(sorted(set(failed))))
        return 1
    if "--key" not in options or not vouched or not confirmed + pending:
        print("Valid, but only by the server's own word.")
        return 3
    print("Valid." if confirmed else "Valid, but confirmations of the time are not checked.")
    return 0 if confirmed else 2

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
