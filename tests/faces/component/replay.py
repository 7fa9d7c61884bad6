"""Repeats on wasmtime what was recorded of sessions of the component in Node, and compares every answer.

    python3 tests/faces/component/replay.py TRANSCRIPT…

The form of a transcript stands in transcript.mjs. Some sessions are also written down when they end, and taken up by
another one, which has to have the same state. The last line of the output counts the cases.
"""

import base64
import json
import sys
from pathlib import Path

from wasmtime import Engine, Store
from wasmtime.component import Component, Linker, Record, Variant

COMPONENT = Path(__file__).parents[3] / "target" / "component" / "handrail.component.wasm"
INTERFACE = "handrail:agent/session@0.1.0"

# Of so many sessions one is restored: bytes cross one by one here, which takes its time.
RESTORED = 10


class Host:
    """An instance of the component. It is given no imports at all."""

    def __init__(self):
        engine = Engine()
        self.store = Store(engine)
        component = Component.from_file(engine, str(COMPONENT))
        self.instance = Linker(engine).instantiate(self.store, component)
        self.interface = self.instance.get_export_index(self.store, INTERFACE)

    def call(self, name, *values):
        place = self.instance.get_export_index(self.store, name, self.interface)
        function = self.instance.get_func(self.store, place)
        answer = function(self.store, *values)
        function.post_return(self.store)
        return answer

    def session(self):
        return Session(self, self.call("[constructor]session"))


class Session:
    """A session resource, called by the names of its methods."""

    def __init__(self, host, resource):
        self.host = host
        self.resource = resource

    def call(self, name, *values):
        return self.host.call(f"[method]session.{name}", self.resource, *values)

    def drop(self):
        self.resource.drop(self.host.store)


def answer(name, value):
    """What a call gave, as a transcript writes it. wasmtime gives the two sides of most results as they are."""
    tag = None
    if isinstance(value, Variant) and value.tag in ("ok", "err"):
        tag, value = value.tag, value.payload
    is_fault = isinstance(value, Record) and hasattr(value, "code")
    is_refusal = name.startswith("port-") and isinstance(value, str)
    refuses = tag == "err" or (tag is None and (is_fault or is_refusal))
    return ("refuses" if refuses else "gives"), plain(value)


def plain(value):
    if isinstance(value, bytes):
        return {"bytes": base64.b64encode(value).decode()}
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, Record):
        return {name: plain(member) for name, member in vars(value).items() if member is not None} or None
    return value


def given(value):
    return base64.b64decode(value["bytes"]) if isinstance(value, dict) else value


def is_same_after_restore(host, session):
    """Whether another session, given what this one wrote down, has the same state."""
    state = session.call("snapshot")
    other = host.session()
    for digest in session.call("snapshot-blobs"):
        other.call("put-blob", session.call("blob", digest))
    restored = answer("restore", other.call("restore", state))
    same = restored == ("gives", None) and other.call("snapshot") == state
    same = same and other.call("in-flight") == session.call("in-flight")
    other.drop()
    return same


def replay(host, transcript):
    """The cases of a transcript, each with what was wrong, if anything was."""
    sessions, problems, case = {}, {}, "before the first case"
    for line in map(json.loads, transcript.splitlines()):
        if "case" in line:
            case = line["case"]
        elif "opens" in line:
            problems.setdefault(case, None)
            sessions[line["opens"]] = host.session()
        elif "drops" in line:
            session = sessions.pop(line["drops"])
            if line["drops"] % RESTORED == 1 and not is_same_after_restore(host, session):
                problems[case] = problems[case] or "the session is another one after a restore"
            session.drop()
        else:
            name = line["call"]
            kind, value = answer(name, sessions[line["on"]].call(name, *map(given, line["values"])))
            if kind not in line or line[kind] != value:
                wanted = {key: line[key] for key in ("gives", "refuses") if key in line}
                problems[case] = problems[case] or f"{name}: expected {short(wanted)}, got {kind} {short(value)}"
    return problems


def short(value):
    text = json.dumps(value)
    return text if len(text) <= 600 else f"{text[:600]}…"


def main(paths):
    host = Host()
    passed = failed = 0
    for path in paths:
        for case, problem in replay(host, Path(path).read_text(encoding="utf-8")).items():
            if problem is None:
                passed += 1
            else:
                failed += 1
                print(f"failed  {case} in wasmtime: {problem}")
    if passed == 0:
        failed += 1
        print("failed  the transcript holds no case")
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
