"""What has to hold of all sessions once everything is over; it runs inside the installation."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any


def look(question: str) -> str:
    """Inside: by session what is wrong with it, and how it ended; what is wrong with words and labels.

    question: JSON of the sessions, of what was acknowledged, and of the viewers' last events.
    """
    from benchmark.suites import suite_named
    from webapp.labelling.models import Label
    from webapp.seats.models import InboxMessage
    from webapp.sessions.log import whole_log
    from webapp.sessions.models import ENDED_STATUSES, Session

    asked = json.loads(question)
    wrong: dict[str, list[str]] = {}
    ends: dict[str, str] = {}
    logs: dict[str, Any] = {}
    found = Session.objects.in_bulk(asked["sessions"])
    for pk in asked["sessions"]:
        faults = wrong.setdefault(pk, [])
        if (session := found.get(pk)) is None:
            faults.append("it is gone")
            continue
        log = logs[pk] = whole_log(pk)
        ends[pk] = session.completion_reason
        seqs = [event.seq for event in log]
        if session.status not in ENDED_STATUSES:
            faults.append(f"it has not ended: {session.status}")
        if seqs != list(range(1, session.last_seq + 1)):
            faults.append("its log has gaps")
        finishes = [event.seq for event in log if event.body.type == "session_finished"]
        if finishes != seqs[-1:]:
            faults.append(f"it finished {len(finishes)} times")
        if (scores := session.scores.count()) != len(suite_named(session.suite).scoring.profiles):
            faults.append(f"it has {scores} scores")
        if pk in asked["chains"] and asked["chains"][pk] != session.last_seq:
            faults.append(f"a viewer saw it to {asked['chains'][pk]} of {session.last_seq}")
    unread = 0
    for pk, mark in asked["words"]:
        inbox = list(InboxMessage.objects.filter(seat__session_id=pk, client_id=mark))
        said = sum(f"#{mark}#" in getattr(event.body, "content", "") for event in logs.get(pk, ()))
        unread += bool(inbox) and inbox[0].taken_at_seq is None
        if len(inbox) != 1 or said != (inbox[0].taken_at_seq is not None):
            wrong.setdefault(pk, []).append(
                f"{mark} is {len(inbox)} times in the inbox, {said} times in the log"
            )
    labels = Counter(
        Label.objects.filter(assignment__in=asked["labels"]).values_list("assignment", flat=True)
    )
    counts = {str(assignment): count for assignment, count in labels.items()}
    lost = [label for label in asked["labels"] if counts.get(label) != 1]
    kept = {pk: faults for pk, faults in wrong.items() if faults}
    return json.dumps({"wrong": kept, "ends": ends, "unread": unread, "lost_labels": lost})
