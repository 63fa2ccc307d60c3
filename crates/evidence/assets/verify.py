#!/usr/bin/env python3
"""Verifies the bundle in whose folder this script lies.

    python3 verify.py [--key VKEY] [--roots FILE.pem] [--report FILE.html]

VKEY is the log's key from elsewhere, FILE.pem has the authorities that you trust, FILE.html is the
report of this folder, written if all holds. Needs Python 3.9, openssl 3 and no network.
Exit code: 0 valid, and an authority confirms the time; 1 invalid; 2 valid, the time is in Bitcoin
or promised to be, which nobody checked; 3 valid, but only by the server's own word; 64 wrong usage,
or no OpenSSL 3. README.txt has a command for each claim alone.
"""
import base64, calendar, datetime, hashlib, json, os, re, shutil, subprocess, sys

ROOT = os.path.dirname(os.path.abspath(__file__))
NUMBER, VERSION = "(0|[1-9][0-9]*)", "([1-9][0-9]{,8})"
ADDED = (".DS_Store", "Thumbs.db", "desktop.ini")  # by macOS and Windows, to any folder
IDS = ("idea", "share", "recipient", "comment", "file", "revision", "view")
FIELDS = {"v", "log", "type", "at", "salt", "discloses", "vkey", "previous", "delivered",
          "download", "abandoned", "mark"}.union(IDS)
ABOUT_LOG = ("log.started", "log.resumed", "key.rotated")
TYPES = set("""revision.recorded idea.published idea.deleted share.created share.revoked
    agreement.offered agreement.delivered agreement.accepted agreement.declined email.confirmed
    view.started visit.closed file.delivered comment.added comment.changed comment.withdrawn
    person.erased""".split()).union(ABOUT_LOG)
SINCE_2 = ("agreement.issued", "access.requested", "access.approved", "access.refused")
TYPES.update(SINCE_2)
EXTENDED = ("agreement", "file", "person")  # disclosures that have more members in version 2
BEFORE = (  # types of events, and of which type another one with the same id stands before them
    ("agreement.delivered agreement.accepted agreement.declined email.confirmed person.erased",
     "recipient", "agreement.offered"),
    ("view.started file.delivered visit.closed comment.added access.requested access.approved "
     "access.refused", "recipient", "agreement.accepted"),
    ("file.delivered", "view", "view.started"),
    ("view.started file.delivered", "revision", "revision.recorded idea.published"),
    ("comment.changed comment.withdrawn", "comment", "comment.added"))
NOT_AFTER = (  # types of events of a reader, and of which none stands before them, unless one of
    ("view.started file.delivered comment.added", "access.requested", "access.approved"),
    ("access.requested", "view.started", None), ("access.refused", "access.approved", None),
    ("access.approved view.started file.delivered comment.added", "access.refused", None))
MEMBERS = {  # of disclosures, and of a file that one lists: texts; with ? where one can be absent
    "content": "title creator sha256 documentId? files", "listed": "name mediaType sha256",
    "file": "name mediaType sha256 original?", "terms": "sha256", "comment": "author sha256",
    "agreement": "template version sha256 kind? language?", "origin": "address browser?",
    "person": "name email phone? identity confirmedAt? company? role? provider?",
    "signatory": "name company? role?", "sources": "files"}
NEW_MEMBERS = {"original", "kind", "company", "provider"}  # and what goes together with them
TOGETHER = (("kind", "language"), ("company", "role"))  # members
FORMS = {"sha256": "[0-9a-f]{64}", "original": "[0-9a-f]{64}", "kind": "one-way|mutual",
         "company": "(?s:.+)", "role": "(?s:.+)", "provider": "(?s:.+)",
         "mark": "IVC(-[0-9A-HJKMNP-TV-Z]{4}){3}",
         "language": "[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*",
         "salt": "[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]",
         "id": "[^\0-\x1f\x7f-\x9f]+", "idea": "[A-Za-z0-9-]{1,64}"}
ENDINGS, DIGEST = (".html", ".json", ".pdf", ".png", ".jpg"), "0" * 64
ENDS = {b"\x05\x88\x96\x0d\x73\xd7\x19\x01": rb"[\x80-\xff]{0,4}[\0-\x7f]",  # height of a block
        b"\x83\xdf\xe3\x0d\x2e\xf9\x0c\x8e": rb"[\x80-\xff]?[\0-\x7f][A-Za-z0-9._/:-]*"}  # promise
SLACK = datetime.timedelta(minutes=5)  # by which the clocks of servers may differ
OTS = b"\0OpenTimestamps\0\0Proof\0\xbf\x89\xe2\xe8\x84\xe8\x92\x94\1\x08"  # version 1, SHA-256
# SHA-256 of what all README.txt have in the middle, and of what all report.html begin with
README = "1509dc668f370eb7f9bb2133ba6eec21aebdaeb916a13499bec3b63018f05e4a"
REPORT = "d13c71ee00893e2c2ab2981fe38f507c47ef74a5d8e69eba59b833be0e0a85dd"
SENTENCES = {
    "log.started": "the log began.", "key.rotated": "the log got a new key.",
    "log.resumed": "recording had stopped and began again, in a new log.",
    "revision.recorded": "{version} was put on record.",
    "idea.published": "the idea was published as {version}.",
    "idea.deleted": "the draft was deleted.",
    "share.created": "{link} was made.", "share.revoked": "{link} was revoked.",
    "agreement.offered": "{who} was offered {agreement} by {link}.",
    "agreement.delivered": "{who} was sent the text of the agreement.",
    "agreement.accepted": "{who} accepted {agreement}{role}{for_version}.",
    "agreement.declined": "{who} declined the agreement.",
    "email.confirmed": "{who} confirmed the address by {provider}.",
    "agreement.issued": "{signatory} accepted {agreement}{role} towards all readers of {link}.",
    "access.requested": "{who} asked to read the document.",
    "access.approved": "{signatory} let {who} read{signed}.",
    "access.refused": "the owner declined the request of {who}.",
    "view.started": "{who} opened {version}{copy}.", "visit.closed": "{who} closed the document.",
    "file.delivered": "{who} {received}.", "comment.added": "{who} commented.",
    "comment.changed": "{who} changed a comment.", "comment.withdrawn": "{who} withdrew a comment.",
    "person.erased": "the personal details of {who} were erased."}
failed, confirmed, pending, last_read, ideas, seen, used = [], [], [], [""], set(), set(), set()

def show(text):
    """Prints names that a forger chose: what would hide or reorder them, as code points."""
    print("".join(c if c.isprintable() else f"\\u{{{ord(c):x}}}" for c in text))

def say(outcome, path, text):
    show(f"{outcome:8} {path}: {text}")

def check(condition, path, holds, fails):
    say("holds" if condition else "FAILS", path, holds if condition else fails)
    if not condition:
        failed.append(path)
    return condition

def read(path):
    """Reads a file that a claim is about; what no claim is about does not belong here."""
    last_read[0] = path
    used.add(path)
    with open(os.path.join(ROOT, path), "rb") as file:
        return file.read()

def openssl(*arguments):
    return subprocess.run(("openssl",) + arguments, cwd=ROOT, capture_output=True, text=True)

def sha(data):
    return hashlib.sha256(data).digest()

def base64s(lines):
    return [base64.b64decode(line, validate=True) for line in lines]

def whole(text):
    if abs(int(text)) > 2 ** 53:
        raise ValueError("it has a number that others read as another one")
    return int(text)

def parse_json(data):
    """Canonical JSON, RFC 8785; evidence has no floating-point numbers."""
    value = json.loads(data, parse_int=whole, parse_constant=whole)
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    if text.encode() != data or not isinstance(value, dict):
        raise ValueError("it is not in canonical form")
    return value

def numbered(paths, start, end):
    found = filter(None, (re.fullmatch(start + NUMBER + end, path) for path in paths))
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

def verify_files(options):
    """Compares the files of the folder with bundle.json; what its reader has put there is none."""
    index, given = parse_json(read("bundle.json")), set(map(os.path.abspath, options.values()))
    found, lists = set(), [index.get(name, []) for name in ("withheld", "missing", "pending")]
    check(index["v"] == 2 and type(index["v"]) is int
          and all(isinstance(one, list) for one in lists)
          and set(index) <= {"v", "files", "withheld", "missing", "pending"}, "bundle.json",
          "It lists all files.", "Its version is unknown.")
    for folder, _, names in os.walk(ROOT):
        for full in (os.path.join(folder, name) for name in names
                     if name not in ADDED and not name.startswith("._")):
            path = os.path.relpath(full, ROOT).replace(os.sep, "/")
            if path != "bundle.json" and (path in index["files"] or full not in given):
                found.add(path)
                with open(full, "rb") as file:
                    same = sha(file.read()).hex() == index["files"].get(path)
                check(same and not os.path.islink(full), path, "It is as bundle.json lists it.",
                      "It was changed or added: bundle.json lists no such file.")
    for path in sorted(set(index["files"]) - found):
        check(False, path, "", "bundle.json lists the file, but it is missing.")
    for kind in lists[2]:
        if kind in TYPES:
            say("unknown", "bundle.json", f"An event {kind} had no place in the log yet.")
        else:
            check(False, "bundle.json", "", f"There are no events {kind}.")
    say("unknown", "verify.py", "A script cannot vouch for itself. Read it.")
    used.add("verify.py")
    return sorted(found), set(lists[0]), set(lists[1]), len(lists[2])

def verify_readme(paths, missing, vkey):
    """The commands follow from the files, and the middle is the same in all bundles."""
    start = (f"Evidence of the idea {''.join(ideas)}\n\nTo check it, drop this folder or its zip "
             f"file on the page {vkey.split('/')[0]}/verify, in a browser, or on\nthat page of any "
             "vault that you trust.\n\n").encode()
    lines = [f"Key in this folder: {vkey}"] + [f"Missing: {path}" for path in sorted(missing)]
    for path in paths:
        at, stem = path.rpartition("log/checkpoint.sig")[0], path.rpartition(".")[0]
        if re.match(r"idea/|(log[0-9]+/)?(agreements|disclosures)/", path):
            lines.append(f"  sha256sum {path}")
        elif path == at + "log/checkpoint.sig":
            lines.append(f"  openssl pkeyutl -verify -pubin -inkey {at}log/key.pem -rawin -in "
                         f"{at}log/checkpoint.body -sigfile {path}")
        elif path.endswith(".tsr"):
            lines.append(f"  openssl ts -verify -data {stem}.checkpoint -in {path} "
                         "-CAfile ROOTS.pem")
        elif path.endswith(".ots"):
            stamped = "" if path.endswith(".json.ots") else f"-f {stem}.checkpoint "
            lines.append(f"  ots verify {stamped}{path}")
    text, end = read("README.txt"), ("\n".join(lines) + "\n").encode()
    check(text.startswith(start) and text.endswith(end)
          and sha(text[len(start):-len(end)]).hex() == README, "README.txt",
          "Its commands are for these files.", "These are not the instructions for these files.")

def verify_checkpoint(at):
    """The signature, by the files that README.txt gives to openssl."""
    body, origin, size, root, signatures = checkpoint(at + "log/checkpoint")
    if at:
        check(origin.endswith("/" + at[:-1]), at + "log/checkpoint", "Its folder has its name.",
              "Its folder has the name of another log.")
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

def is_id(text):
    return is_text("id", text) and len(text.encode()) <= 200

def names_log(other, log):
    return (isinstance(other, dict) and set(other) == {"log", "checkpoint"} and other["log"] != log
            and is_id(other["log"]) and is_text("sha256", other["checkpoint"]))

def well_formed(event, place, origins):
    kind = event["type"]
    ids = [event[name] for name in IDS if name in event]
    named = sorted(event["discloses"])
    extended = set(named).intersection(EXTENDED)
    return (set(event) <= FIELDS and kind in TYPES and event["log"] in origins
            and type(event["v"]) is int and (event["v"] == since(event)
                                             or event["v"] == 2 and bool(extended))
            and named in {"agreement.issued": (["agreement", "signatory"],),
                          "access.approved": ([], ["signatory", "terms"])
                          }.get(kind, ([],) if kind in SINCE_2 else (named,))
            and all(re.fullmatch("[a-z]{1,32}", name) for name in named)
            and ("signatory" not in named or kind in SINCE_2)
            and ("sources" not in named or kind == "revision.recorded")
            and (kind not in SINCE_2 or "share" in event)
            and (kind not in SINCE_2 or ("recipient" in event) == (kind != SINCE_2[0]))
            and ("previous" in event) == (kind == "log.resumed")
            and ("abandoned" not in event or kind == "log.resumed")
            and all(names_log(event[name], event["log"])
                    for name in ("previous", "abandoned") if name in event)
            and ("mark" not in event or kind == "view.started" and is_text("mark", event["mark"]))
            and len(event["at"]) == 27 and (kind in ABOUT_LOG[:2]) == (place == 0)
            and ("idea" in event) == ("vkey" not in event) == (kind not in ABOUT_LOG)
            and all(is_text("sha256", digest) for digest in event["discloses"].values())
            and all(map(is_id, [event["log"], *ids]))
            and is_text("idea", event.get("idea", "0"))
            and ("delivered" in event) == (kind == "agreement.accepted")
            and (event.get("delivered") is False
                 or is_text("sha256", event.get("delivered", DIGEST)))
            and ("view" in event) == (kind in ("view.started", "file.delivered"))
            and event.get("download", True) is True
            and ("download" not in event or kind == "file.delivered")
            and is_text("salt", event.get("salt")))

def since(event):
    """Returns the version that has first what the event has, but for what disclosures say."""
    return 2 if (event["type"] in SINCE_2 or "mark" in event or "signatory" in event["discloses"]
                 or "sources" in event["discloses"]) else 1

def lacks(event):
    """Returns what has to stand before an event and does not, or what must not."""
    kind, delivered = event["type"], event.get("delivered")
    for kinds, name, before in BEFORE:
        if kind in kinds.split() and name in event:
            if not any((other, name, event[name]) in seen for other in before.split()):
                return f"No event before it is the {before} with this {name}."
    for kinds, other, unless in NOT_AFTER:
        reader = event.get("recipient")
        if kind in kinds.split() and (other, "recipient", reader) in seen \
                and (unless, "recipient", reader) not in seen:
            return f"It cannot follow the {other} of this reader."
    if ("view.started", "mark", event.get("mark", "")) in seen:
        return "Another view has the same copy number."
    if delivered and ("delivered", delivered, event.get("recipient")) not in seen:
        return "No event before it is the agreement.delivered that it names."
    return None

def verify_events(paths, at, origin, size, root, vkey):
    """Each event's place, and what events say about each other."""
    events, key, latest = {}, None, {}
    origins = {origin}  # events that waited when a log stopped are in the one that continues it
    for place, path in numbered(paths, at + "events/", r"\.json"):
        event = events[place] = parse_json(read(path))
        event_digest, proof_path = sha(read(path)), f"{at}events/{place}.tlog-proof"
        proof, head = read(proof_path).decode().split("\n\n", 1)
        header, index, *hashes = proof.split("\n")
        check((header, index) == ("c2sp.org/tlog-proof@v1", f"index {place}")
              and head.encode() == read(at + "log/checkpoint")
              and included(place, size, event_digest, root, base64s(hashes)),
              proof_path, f"The log holds {path}.", f"It does not prove {path}.")
        origins.add(event.get("previous", {}).get("log", origin))
        time = datetime.datetime.strptime(event["at"], "%Y-%m-%dT%H:%M:%S.%fZ")
        began = latest.setdefault("", time)
        ideas.update([event["idea"]] if "idea" in event else [])
        check(well_formed(event, place, origins) and len(ideas) < 2
              and time + SLACK >= latest.get(event["log"], time)
              # what waited for a log stands before what that recorded
              and (event["log"] == origin or latest[origin] <= began + SLACK),
              path, f"{event['at']} {event['type']}", "It is malformed or contradicts others.")
        lacking = lacks(event)
        if lacking:
            check(False, path, "", lacking)
        seen.update((event["type"], name, event[name]) for name in (*IDS, "mark") if name in event)
        if event["type"] == "agreement.delivered":
            seen.add(("delivered", event_digest.hex(), event.get("recipient")))
        key = event.get("vkey", key)
        latest[event["log"]] = time  # what waited is older than place 0
    check(0 in events and key == vkey, at + "log/vkey", "The log names this key.",
          f"The log names another key, or {at}events/0.json, which began it, is missing.")
    return events

def verify_links(logs, origins):
    """Each older log against the one that continues it. Returns those that are vouched for."""
    vouched, named = {""}, {}
    for at, events in logs.items():
        previous = events[0].get("previous", {})
        for older in (older for older in logs if origins[older] == previous.get("log")):
            if sha(read(older + "log/checkpoint")).hex() == previous["checkpoint"]:
                say("holds", f"{at}events/0.json", f"It continues {older}log/checkpoint.")
                named[at] = older
            else:
                say("unknown", f"{older}log/checkpoint", f"{at}events/0.json continues a later "
                    "state, which is lost. Nothing but this bundle vouches for this one.")
        if at:
            continues = [events[0].get("previous", {}).get("log") for events in logs.values()]
            check(origins[at] in continues, f"{at}log/checkpoint", "Another log continues it.",
                  "No other log of the bundle continues it.")
    at = ""
    while at in named:
        at = named.pop(at)
        vouched.add(at)
    return vouched

def verify_consistency(paths, at, origin, new, new_root):
    """Returns the checkpoints that the newest one extends and so vouches for, by size."""
    heads = {new: (origin, new, new_root)}
    for size, path in numbered(paths, at + "log/checkpoint-", ""):
        head, proof = checkpoint(path)[1:4], f"{at}log/consistency-{size}-{new}.txt"
        hashes = base64s(read(proof).decode().split("\n")[:-1])
        if check(head[:2] == (origin, size) and consistent(size, head[2], new, new_root, hashes),
                 path, "The log has only grown since.", f"{proof} does not prove that."):
            heads[size] = head
    return heads

def is_text(member, value):
    return isinstance(value, str) and bool(re.fullmatch(FORMS.get(member, "(?s:.*)"), value))

def has_members(name, value):
    members = MEMBERS[name].split() + ["salt"] * (name != "listed")
    names, needed = {one.rstrip("?") for one in members}, {one for one in members if one[-1] != "?"}
    return isinstance(value, dict) and needed <= set(value) <= names and all(
        is_text(member, found) if member != "files" else isinstance(found, list)
        and all(has_members("listed", file) for file in found)
        for member, found in value.items()) and all(
        (one in value) == (other in value) for one, other in TOGETHER) \
        and ("provider" in value) == (value.get("identity") == "provider-confirmed")

def verify_disclosures(paths, logs, withheld, missing):
    """Disclosures against their events. Returns what they say, by their digests."""
    facts, named, known, offered, have = {}, {}, set(), set(), set(paths)
    for at, events in logs.items():
        for place, event in events.items():
            known.add(event.get("revision"))
            named.update((f"{at}disclosures/{place}-{name}.json", digest)
                         for name, digest in event["discloses"].items())
            offered.update([f"{at}agreements/{place}.txt"] if "terms" in event["discloses"] else [])
    for path in (path for path in paths if path in named):
        digest, value = sha(read(path)).hex(), parse_json(read(path))
        name = path[:-5].rpartition("-")[2]
        fits = has_members(name, value) if name in MEMBERS else is_text("salt", value.get("salt"))
        if check(digest == named[path] and digest not in facts and fits, path,
                 "Its event names it.", "Its event names another, or it is doubled or malformed."):
            facts[digest] = name, value
    for path, digest in named.items():
        if digest not in facts and path not in withheld and path not in missing:
            check(False, path, "", "Its event names it, but it is missing.")
    for path in sorted(withheld | missing):
        # Where the content itself is lost, its ending is not known.
        lost = re.fullmatch(rf"idea/version-{VERSION}(\.html|\.json|"
                            rf"(-{VERSION})?(\.pdf|\.png|\.jpg))?", path)
        fits = path in named or path in missing and (path in offered or lost and lost[1] in known)
        if have.intersection([path] + [path + ending for ending in ENDINGS]) or not fits \
                or path in withheld and path not in named:
            check(False, path, "", "It is said to be left out, but is there, or no event names it.")
        else:
            say("unknown", path, "It was withheld from the holder of this bundle, or erased."
                if path in withheld else "It was lost or damaged in the vault that made this "
                "bundle, or is beside it in an export.")
    return facts

def verify_told(logs, facts):
    """Events against what they disclose. What is left out is None."""
    issued, offered = {}, {}  # by link; by reader: link, agreement, whether it binds both, text
    for at, place, event in ((at, *one) for at, events in logs.items() for one in events.items()):
        told, path = told_by(event, facts), f"{at}events/{place}.json"
        reader, share, named = event.get("recipient"), event.get("share"), event["discloses"]
        later = any(NEW_MEMBERS.intersection(told.get(name, {})) for name in EXTENDED)
        version = 2 if later else since(event)
        is_open = any(name in named and name not in told for name in EXTENDED)
        if event["v"] < version or event["v"] > version and not is_open:
            check(False, path, "", "Its version is not that of what it has.")
        agreement, text = told.get("agreement", {}), told.get("terms", {}).get("sha256")
        digest, both = agreement.get("sha256"), agreement and agreement.get("kind") == "mutual"
        if event["type"] == "agreement.issued":
            issued[share] = digest
        if "agreement" in named:
            _, *known = offered.get(reader, [None] * 5)
            if differ(known[2], text):
                known = [None] * 4
            offered[reader] = [share, digest or known[0], both if agreement else known[1],
                               text or known[2], known[3]]
        link, digest, both, accepted, signed = offered.get(reader, [None, None, False, None, None])
        if "signatory" in named:
            if both is False:
                check(False, path, "", "Its text does not bind the owner, who accepted it.")
            if reader and differ(accepted, text):
                check(False, path, "", "Its text is another one than the reader accepted.")
            if reader in offered:
                offered[reader][4] = True
        if event["type"] == "view.started" and reader and both and not signed and (
                link not in issued or differ(issued[link], digest)):
            check(False, path, "", "No event before it says that the owner accepted the text, "
                  "which binds both.")

def differ(one, other):
    return None not in (one, other) and one != other

def ending(file):
    return {"application/pdf": ".pdf", "image/png": ".png"}.get(file["mediaType"], ".jpg")

def verify_contents(paths, logs, facts):
    """Files against disclosures, which decide what has which name."""
    terms, contents, have = {}, {}, set(paths)
    for at, place, event in ((at, *one) for at, events in logs.items() for one in events.items()):
        told = told_by(event, facts)
        if "terms" in told:
            terms[f"{at}agreements/{place}.txt"] = told["terms"]["sha256"]
        if "content" in told and "revision" in event:
            digest = event["discloses"]["content"]
            contents.setdefault(event["revision"], {})[digest] = told["content"]
    each = {digest: one for by_digest in contents.values() for digest, one in by_digest.items()}
    is_file = {digest: any(file["sha256"] == content["sha256"] for file in content["files"])
               for digest, content in each.items()}

    def is_named(path, digest):
        match = re.fullmatch(rf"idea/version-{VERSION}(?:-{VERSION})?(\.[a-z]+)", path)
        if not match:
            return terms.get(path) == digest
        revision, number, end = match.groups()
        for by, content in contents.get(revision, {}).items():
            files, is_content = content["files"], content["sha256"] == digest
            if number and not is_file[by]:
                files = files[int(number) - 1:int(number)]
            elif number or not is_content or not is_file[by]:
                files = []
            is_text = not number and not is_file[by] and end in ENDINGS[:2]
            if is_text and is_content or any(file["sha256"] == digest and ending(file) == end
                                             for file in files):
                return True
        return False

    for path in (path for path in paths if re.match(r"idea/|(log[0-9]+/)?agreements/", path)):
        twice = path.endswith(".json") and path[:-4] + "html" in have
        check(is_named(path, sha(read(path)).hex()) and not twice, path,
              "A disclosure names it.", "No disclosure names this file by this name.")

def told_by(event, facts):
    return {name: facts[digest][1] for name, digest in event["discloses"].items()
            if digest in facts and facts[digest][0] == name}

def plain(text):
    """Makes a typed text safe: no markup, no quotation marks, nothing that hides or reorders."""
    text = text[:500] + "\u2026" * (len(text) > 500)
    text = re.sub("[\"\u201c-\u201f\xab\xbb\uff02]", "'", text)
    text = re.sub("[\0-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e"
                  "\u2060-\u206f\ufeff\U000e0000-\U000e007f]", "\ufffd", text)
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")

def marked(text):
    return f"<bdi>{plain(text)}</bdi>"

def quoted(text):
    return f'"{marked(text)}"'

def role_of(person):
    return [f"{quoted(person['role'])} of {quoted(person['company'])}"] if "role" in person else []

def tell(event, told, who, link):
    """Returns when and what, the agreement, and the version."""
    version = f"version {plain(event['revision'])}" if "revision" in event else None
    agreement, file = "the agreement", "a file of the idea"
    if "agreement" in told:
        name = f"{told['agreement']['template']} {told['agreement']['version']}"
        mutual = "mutual " if told["agreement"].get("kind") == "mutual" else ""
        agreement = f"the {mutual}agreement {quoted(name)}"
    if "file" in told:
        file = quoted(told["file"]["name"])
        file += ", a marked copy" if "original" in told["file"] else ""
    signatory, person = told.get("signatory", {}), told.get("person", {})
    role = "".join(f" as {role}" for role in role_of(signatory or person))
    received = (f"was shown the edited {version}" if version
                else f"{'downloaded' if event.get('download') else 'was sent'} {file}")
    text = SENTENCES[event["type"]].format(
        who=who, link=link, version=version or "a version", agreement=agreement, received=received,
        role=role, copy=f", copy {event['mark']}" if "mark" in event else "",
        provider=marked(person["provider"]) if "provider" in person else "a code",
        signatory=quoted(signatory["name"]) if signatory else "the owner",
        signed=f" and accepted the agreement{role}" if "signatory" in event["discloses"] else "",
        for_version=f" for {version}" if version else "")
    if event.get("delivered") is False:
        text += " The vault has no record that its text was sent to the reader."
    if "origin" in told:
        text += f" From the network address {marked(told['origin']['address'])}."
    time = f"{event['at'][:10]} {event['at'][11:19]}"
    return time, text[0].upper() + text[1:], agreement, version or "a version"

def report(paths, logs, origin, size, facts, confirmed, left_out):
    """Tells the events in words: docs/evidence.md, 'The report'."""
    left_out = ("{} facts that the holder does not get or that were erased, {} files that the "
                "vault has lost or has elsewhere, {} events that had no place yet"
                .format(*left_out) if any(left_out) else "nothing")
    events = [(at, place, event, told_by(event, facts))
              for at, events in logs.items() for place, event in events.items()]
    readers, links, lines, content, paths = {}, {}, [], None, set(paths)
    for _, _, event, told in events:
        if "recipient" in event:
            reader = readers.setdefault(event["recipient"], {
                "name": f"Reader {len(readers) + 1}", "address": [], "answers": [], "texts": [],
                "opened": {}})
            if "person" in told:
                person = told["person"]
                confirmed_by = ("email-confirmed", "provider-confirmed")
                known = "" if person["identity"] in confirmed_by else " not"
                by = f" by {marked(person['provider'])}" if "provider" in person else ""
                reader["name"] = quoted(person["name"])
                reader["address"] = [*role_of(person), marked(person["email"]),
                                     f"address{known} confirmed{by}"]
        if "share" in event:
            links.setdefault(event["share"], f"link {len(links) + 1}")
        content = told.get("content", content)
    for at, place, event, told in events:
        author, reader = told.get("comment", {}).get("author"), readers.get(event.get("recipient"))
        who = reader["name"] if reader else "the owner" if author is None else quoted(author)
        link = links.get(event.get("share"), "a link")
        time, text, agreement, version = tell(event, told, who, link)
        lines.append(f"<li><time>{time}</time>{text}<small>No. {place}"
                     f"{' of ' + at[:-1] if at else ''}, SHA-256 "
                     f"{sha(read(f'{at}events/{place}.json')).hex()}"
                     f"{'' if at in confirmed else ', not confirmed by the newest log'}"
                     "</small></li>")
        if reader and event["type"] == "agreement.accepted":
            reader["answers"].append(f"{time}: {agreement}")
        elif reader and event["type"] == "agreement.declined":
            reader["answers"].append(f"{time}: declined")
        elif reader and (event["type"] == "view.started"
                         or event["type"] == "file.delivered" and "revision" in event):
            reader["opened"].setdefault(version, f"{time}: {version}")
        if reader and "terms" in told and f"{at}agreements/{place}.txt" in paths:
            reader["texts"].append(f"text: {at}agreements/{place}.txt")
    rows = []
    for reader in readers.values():
        cells = ([reader["name"], *reader["address"]],
                 (reader["answers"] or ["no"]) + reader["texts"],
                 list(reader["opened"].values()) or ["no"])
        rows.append("<tr>" + "".join(f"<td>{'<br>'.join(cell)}</td>" for cell in cells) + "</tr>")
    title, owner = (quoted(content[name]) if content else "not told here"
                    for name in ("title", "creator"))
    head = ["<dl>", f"<dt>Idea</dt><dd>{title}, number {plain(''.join(ideas))}</dd>",
            f"<dt>Owner</dt><dd>{owner}</dd>",
            f"<dt>Log</dt><dd>{plain(origin)}, {size} events</dd>",
            f"<dt>Told here</dt><dd>{len(events)} events; the numbers between are those of other "
            "ideas, or not part of this bundle</dd>",
            f"<dt>Listed as left out</dt><dd>{left_out}</dd>", "</dl>", "<h2>Readers</h2>"]
    table = ["<table><thead><tr><th>Reader</th><th>Agreed</th><th>Opened</th></tr></thead><tbody>",
             *rows, "</tbody></table>"] if rows else ["<p>None are recorded here.</p>"]
    lines = [*head, *table, "<h2>What happened</h2>", "<ol>", *lines, "</ol>\n"]
    return "\n".join(lines).encode()

def follow(data, at, message, ends):
    """Follows an OpenTimestamps proof from a message to its ends. Returns where it is over."""
    def number(at):
        value, shift = data[at] & 127, 0
        while data[at] & 128:
            at, shift = at + 1, shift + 7
            value |= (data[at] & 127) << shift
        return value, at + 1
    more = True
    while more:
        more = data[at] == 0xFF  # another branch follows this one
        at += more
        step, at, operand = data[at], at + 1, b""
        if step in (0xF0, 0xF1):  # append, prepend
            length, at = number(at)
            operand, at = data[at:at + length], at + length
        elif step == 0:
            length, end = number(at + 8)
            tag, text, at = data[at:at + 8], data[end:end + length], end + length
            if not re.fullmatch(ENDS.get(tag, b"(?s).*"), text):
                raise ValueError("it is no end")
            ends.append((tag, text, message))
            continue
        elif step != 8:
            raise ValueError("an unknown operation")
        if at > len(data) or len(message) > 4096 or (step != 8 and not operand):
            raise ValueError("it is cut off, or too long")
        after = {0xF0: message + operand, 0xF1: operand + message}.get(step) or sha(message)
        at = follow(data, at, after, ends)
    return at

def is_sequence(data):
    """Whether bytes are one SEQUENCE in DER, with nothing behind it."""
    if data[:1] != b"\x30" or len(data) < 4 or data[1] in (128, 255):
        return False
    long = max(0, data[1] - 128)
    return len(data) == 2 + long + (int.from_bytes(data[2:2 + long], "big") if long else data[1])

def verify_anchors(paths, at, events, heads, roots):
    attested, answers = set(), 0
    names = [re.fullmatch(f"{at}(?:anchors/{NUMBER}-[A-Za-z0-9_.@-]+|events/{NUMBER}\\.json)"
                          r"\.(ots|tsr|cosigned)", path) for path in paths]
    for match in filter(None, names):  # anchors first: they say where the stamps of events lead
        path, size, place, kind = match[0], match[1], match[2], match[3]
        stamped = path[:-4] if place else path.rpartition(".")[0] + ".checkpoint"
        data, note, digest = read(path), read(stamped), sha(read(stamped))
        if size:
            head = checkpoint(stamped)[1:4]
            check(heads.get(head[1]) == head and size == str(head[1]), stamped,
                  "It is a state of this log.", f"Nothing connects it with {at}log/checkpoint, or "
                  "it is of another size than its name says.")
        ends, answers = [], answers + (kind == "tsr")
        try:
            fits = {"ots": data.startswith(OTS + digest) and len(data) < 1 << 20
                           and follow(data, len(OTS) + 32, digest, ends) == len(data),
                    "tsr": is_sequence(data) and b"\4\x20" + digest in data,
                    "cosigned": data.startswith(note + "\u2014 ".encode())}[kind]
        except (IndexError, ValueError, RecursionError):
            fits = False
        attested.update(ends if size else [])
        fits = check(fits and (size or set(ends) <= attested), path, f"It names {stamped}.",
                     f"It does not stamp {stamped}.")
        if fits and kind == "ots":
            say("unknown", path, "Bitcoin is not checked. Run: ots verify "
                + (f"-f {stamped} {path}" if size else path))
            if any(end[0] in ENDS for end in ends):
                pending.append(path)
        elif fits and kind == "cosigned":
            say("unknown", path, "A witness's signature. Run: ideavault verify --witness VKEY")
        elif fits and not roots:
            say("unknown", path, "An authority's answer; you gave no --roots.")
        elif fits:
            text = openssl("ts", "-reply", "-in", path, "-text").stdout
            time = re.search(r"Time stamp: (\w+ +\d+ [\d:]+)[.\d]* (\d{4} GMT)", text)
            time = datetime.datetime.strptime(" ".join(time.groups()), "%b %d %H:%M:%S %Y %Z")
            end = (time + SLACK).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
            late = any(event["at"] > end for n, event in events.items() if n < head[1])
            end = str(calendar.timegm(time.timetuple()))
            if check(not late and not openssl("ts", "-verify", "-data", stamped, "-in", path,
                                              "-CAfile", roots, "-attime", end).returncode,
                     path, f"An authority confirms {time} UTC.",
                     "openssl refuses it, or it covers an event that claims to be later."):
                confirmed.append(path)
    for number, path in numbered(paths, at + "anchors/roots/", r"\.pem"):
        if 0 < number <= answers:
            used.add(path)
            say("unknown", path, "Nobody has signed it here: compare it with the published one.")

def main(arguments):
    options = dict(zip(arguments[::2], arguments[1::2]))
    if len(arguments) % 2 or not set(options) <= {"--key", "--roots", "--report"}:
        print(__doc__)
        return 64
    sys.stdout.reconfigure(errors="backslashreplace")
    version = shutil.which("openssl") and openssl("version").stdout or ""
    if not re.match("OpenSSL ([3-9]|[1-9][0-9])", version):
        print("Install OpenSSL 3: without it, nothing can be checked here.")
        return 64
    if not os.path.isfile(options.get("--roots", __file__)):
        print("There is no such file for --roots.")
        return 64
    try:
        paths, withheld, missing, waiting = verify_files(options)
        roots = "--roots" in options and os.path.abspath(options["--roots"])
        older = [f"log{number}/" for number, _ in numbered(paths, "log", "/log/checkpoint")]
        logs, origins = {}, {}
        for at in older + [""]:  # logs that stopped before this one, in folders of their own
            origin, size, root, vkey = verify_checkpoint(at)
            logs[at], origins[at] = verify_events(paths, at, origin, size, root, vkey), origin
            heads = verify_consistency(paths, at, origin, size, root)
            verify_anchors(paths, at, logs[at], heads, roots)
        vouched = verify_links(logs, origins)
        verify_readme(paths, missing, vkey)
        facts = verify_disclosures(paths, logs, withheld, missing)
        verify_told(logs, facts)
        verify_contents(paths, logs, facts)
        page = read("report.html")
        if not failed:  # what is false cannot be told
            told = report(paths, logs, origin, size, facts, vouched,
                          (len(withheld), len(missing), waiting))
            check(page.endswith(told) and sha(page[:-len(told)]).hex() == REPORT, "report.html",
                  "It says what the events say.", "It does not say what the events say.")
        for path in sorted(set(paths) - used):
            check(False, path, "", "Nothing accounts for it: a bundle has no such file.")
        if "--key" in options:
            check(vkey == options["--key"], "log/vkey", "You trust it.", "You gave another key.")
        else:
            say("unknown", "log/vkey", "Compare it with one from elsewhere, by --key.")
    except (ValueError, LookupError, TypeError, AttributeError, OSError, OverflowError,
            RecursionError) as error:
        check(False, last_read[0], "", f"It cannot be verified: {error!r}")
    if failed:
        show("INVALID: " + ", ".join(sorted(set(failed))))
        return 1
    if "--report" in options:
        try:
            with open(options["--report"], "wb") as file:
                file.write(page)
        except OSError as error:
            show(f"The report cannot be written: {error}")
            return 64
        show(f"The report is in {options['--report']}.")
    if "--key" not in options or vouched != set(logs) or not confirmed + pending:
        print("Valid, but only by the server's own word.")
        return 3
    print("Valid." if confirmed else "Valid, but whether Bitcoin confirms the time is not checked.")
    return 0 if confirmed else 2

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
