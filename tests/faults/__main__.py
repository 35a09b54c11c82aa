"""`make test-faults`: everything that can fail fails once, and one oracle looks at all sessions afterwards.

    python -m tests.faults [--seed N] [--only NAME …] [--keep]

Real processes: PostgreSQL, Valkey, web processes, workers, the launcher, a worker on another host (a network
namespace). The seed orders the faults and chooses their victims, so that a run can be repeated. Exit code 1: the
oracle found something.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import socket
import sys
import tempfile
import time
import traceback
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from tests.faults.crowd import Crowd
from tests.faults.kinds import FAULTS, Fault, breaking
from tests.faults.site import Site

SESSIONS, WATCHED_COUNT = 5, 2
"""New ones for each fault, and those of them that somebody watches."""
PATIENCE_S = 180.0
END_S = 240.0
ANNOTATORS, ITEMS = 2, 200
ROLLING_S = 4.0
HEAD = f"{'fault':26} {'at':>6} {'held':>6} {'lived':>6} {'recovered':>10}  outcome"


@dataclass
class FaultPassage:
    """A fault that was gone through. sessions: those that were open; slow: those that did not go on afterwards."""

    fault: Fault
    at_s: float
    held_s: float = 0.0
    sessions: list[str] = field(default_factory=list)
    recovered_s: float = 0.0
    wrong: list[str] = field(default_factory=list)


class Trial:
    """One schedule over one site."""

    def __init__(self, site: Site, crowd: Crowd, seed: int) -> None:
        self.site, self.crowd, self.seed = site, crowd, seed
        self.chance = random.Random(seed)
        self.session_ids, self.deleted_ids, self.poisoned_ids = list[str](), list[str](), list[str]()
        self.passages = list[FaultPassage]()
        self.start_time = time.monotonic()

    def go_through(self, fault: Fault) -> None:
        """Have new sessions run, let the fault happen to them, and wait until all of them go on."""
        number = len(self.passages)
        self.crowd.seat_people(number)
        made = self.site.make_sessions(SESSIONS, 100 * self.seed + 10 * number, fault.poison)
        self.session_ids += made
        if fault.poison:
            self.poisoned_ids += made[:2]
        kept = made[SESSIONS // 2 :] if fault.loses else made
        for place, session in enumerate(kept[-WATCHED_COUNT:]):
            self.crowd.watch(session, number + place)
        time.sleep(ROLLING_S)
        passed = FaultPassage(fault, time.monotonic() - self.start_time)
        self.passages.append(passed)
        if fault.loses:
            self._delete(made[: SESSIONS // 2])
        passed.sessions = list(self.site.open_sessions())
        began = time.monotonic()
        with breaking(fault, self.site, self.chance):
            time.sleep(fault.hold_s)
            passed.held_s = time.monotonic() - began
        self._wait_for_recovery(passed)
        print(
            f"{passed.at_s:6.0f} s  {fault.name}: {len(passed.sessions)} sessions open, all well after "
            f"{passed.recovered_s:.1f} s{'; ' + '; '.join(passed.wrong) if passed.wrong else ''}",
            flush=True,
        )

    def _wait_for_recovery(self, passed: FaultPassage) -> None:
        over = time.monotonic()
        before = self.site.open_sessions()
        while True:
            now = self.site.open_sessions()
            still = [
                pk for pk, seq in before.items() if now.get(pk, -1) == seq and pk not in self.poisoned_ids
            ]
            passed.recovered_s = time.monotonic() - over
            silent = [] if still else self.site.silent_web()
            if not still and not silent:
                return
            if passed.recovered_s > PATIENCE_S:
                passed.wrong.append(f"{len(still)} sessions stand still: {still[:3]}; silent ports: {silent}")
                return
            time.sleep(0.3)

    def _delete(self, sessions: list[str]) -> None:
        self.deleted_ids += sessions
        self.site.python(
            "from webapp.runs.deletion import delete_session\nfrom webapp.sessions.models import Session\n"
            f"for session in Session.objects.filter(pk__in={sessions}): delete_session(session)"
        )

    def finish(self) -> list[str]:
        """Wait until all has ended, ask the oracle, and print the table; gives what is wrong."""
        end = time.monotonic() + END_S
        while (still := self.site.open_sessions()) and time.monotonic() < end:
            time.sleep(1)
        people_left = self.crowd.wait_for_tables(max(10.0, end - time.monotonic()))
        self.crowd.stop_labelling()
        jobs = (
            "from webapp.jobs.models import Job, State\nprint(Job.objects.filter(state=State.OPEN).count())"
        )
        while int(self.site.python(jobs)) and time.monotonic() < end:
            time.sleep(1)
        told = self.crowd.receipts
        sessions = [pk for pk in self.session_ids if pk not in self.deleted_ids]
        sessions += [pk for pk in {session for session, _ in told.words} if pk not in sessions]
        question = json.dumps(
            {"sessions": sessions, "chains": told.chains, "words": told.words, "labels": told.labels}
        )
        code = f"from tests.faults import oracle\nprint(oracle.look({question!r}))"
        found = json.loads(self.site.python(code))
        print(f"\n{HEAD}")
        for passed in self.passages:
            bad = [pk for pk in passed.sessions if pk in found["wrong"]]
            outcome = "; ".join(passed.wrong + [f"{pk}: {', '.join(found['wrong'][pk])}" for pk in bad[:2]])
            print(
                f"{passed.fault.name:26} {passed.at_s:5.0f}s {passed.held_s:5.0f}s {len(passed.sessions):6} "
                f"{passed.recovered_s:9.1f}s  {outcome or 'whole'}"
            )
        ends = Counter(found["ends"].values())
        print(
            f"\n{len(sessions)} sessions, {dict(ends)}; {len(told.words)} words acknowledged, {found['unread']} of "
            f"them unread at the end; {len(told.labels)} labels acknowledged; {len(told.chains)} viewers, "
            f"{told.reconnections} connections lost, {told.repeated} requests sent again"
        )
        wrong = [f"{pk}: {', '.join(faults)}" for pk, faults in found["wrong"].items()]
        wrong += [f"label {label} is lost or there twice" for label in found["lost_labels"]]
        wrong += told.chain_faults + [f"{p.fault.name}: {text}" for p in self.passages for text in p.wrong]
        wrong += [f"{pk} has not ended" for pk in still]
        wrong += [f"{people_left} people still sit at a table"] if people_left else []
        wrong += [
            f"{pk} ended as {found['ends'].get(pk)}"
            for pk in sessions
            if (found["ends"].get(pk) == "runtime_error") != (pk in self.poisoned_ids)
        ]
        if not told.words or not told.labels:
            wrong.append("nobody's words or labels were acknowledged")
        return wrong


def main() -> int:
    """Go through all faults; 0 where all held."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--only", nargs="*", default=[], metavar="NAME")
    parser.add_argument("--keep", action="store_true", help="keep the folder with all logs")
    given = parser.parse_args()
    seed = random.randrange(10_000) if given.seed is None else given.seed
    if unknown := set(given.only) - {fault.name for fault in FAULTS}:
        parser.error(f"--only: no fault is named {', '.join(sorted(unknown))}")
    socket.setdefaulttimeout(20)
    folder = Path(tempfile.mkdtemp(prefix="caravan-faults-"))
    folder.chmod(0o755)
    schedule = [fault for fault in FAULTS if not given.only or fault.name in given.only]
    random.Random(seed).shuffle(schedule)
    print(
        f"seed {seed}: `python -m tests.faults --seed {seed}` repeats it; load {os.getloadavg()[0]:.1f}",
        flush=True,
    )
    site = Site(folder)
    try:
        site.start()
        crowd = Crowd(site)
        crowd.begin_labelling(ANNOTATORS, ITEMS)
        trial = Trial(site, crowd, seed)
        for fault in schedule:
            why = {"namespaces": site.why_no_far, "disk": site.why_no_disk}.get(fault.needs, "")
            if why:
                print(f"skipped: {fault.name}, which needs {fault.needs}: {why}")
                continue
            trial.go_through(fault)
        wrong = trial.finish()
    except Exception:
        wrong = [traceback.format_exc()]
    finally:
        site.stop()
    for each in wrong:
        print(f"FAIL  {each}")
    print(f"\n{len(wrong)} things wrong; seed {seed}; logs: {folder if wrong or given.keep else 'removed'}")
    if not wrong and not given.keep:
        shutil.rmtree(folder, ignore_errors=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
