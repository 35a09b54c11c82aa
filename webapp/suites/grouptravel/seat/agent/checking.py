"""What is wrong with a plan that is not posted yet: the scorer's own rules, at its places."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from benchmark.core.view import AGENT
from benchmark.suites.grouptravel.conversation.record import run_record
from benchmark.suites.grouptravel.preferences import descend
from benchmark.suites.grouptravel.scoring import Catalogue, differences, scores_by_profile
from benchmark.suites.grouptravel.scoring.trip import prepare
from benchmark.suites.grouptravel.scoring.utility import trip_cost
from webapp.pages import Desk
from webapp.plans.mapping import places_of
from webapp.suites.grouptravel.wording.issues import IssueLine, issue_lines, unchecked_words


@dataclass(frozen=True)
class Check:
    """issues: by the published rules, then those that only the paper's find. unchecked_parts: what could not be
    looked at.

    costs: CNY by traveller, as their budgets count it.
    """

    issues: Sequence[IssueLine]
    unchecked_parts: Sequence[str]
    costs: Sequence[tuple[str, float]]

    @property
    def published(self) -> int:
        """How many issues make it invalid."""
        return sum(line.times for line in self.issues if not line.stricter)

    @property
    def stricter(self) -> int:
        return sum(line.times for line in self.issues if line.stricter)


def check(desk: Desk, plan: dict[str, Any]) -> Check:
    """The plan as if it were posted now."""
    users = [member.name for member in desk.fold.opening.travellers]
    trip = prepare(plan, users, Catalogue({}))
    costs = [(user, trip_cost(user, trip)) for user in users]
    scores = scores_by_profile(_record(desk, plan), _catalogue(desk))
    published, paper = (scores[name]["evidence"] for name in ("published", "paper"))
    if "validity" not in published:
        return Check((), (), costs)
    more = [d.second for d in differences(published, paper) if d.part == "validity" and d.first is None]
    issues = issue_lines(published["validity"]) + issue_lines(more, stricter=True)
    unchecked = dict.fromkeys(unchecked_words(entry) for entry in paper.get("not_checkable", ()))
    return Check(issues, list(unchecked), costs)


def _record(desk: Desk, plan: dict[str, Any]) -> dict[str, Any]:
    """The record that the session would leave, without anybody's table: validity needs none."""
    record = run_record(desk.log)
    definition = desk.session.task.definition
    opened = desk.fold.opening
    said = f"```json\n{json.dumps(plan, ensure_ascii=False)}\n```"
    message = {"type": "message", "role": AGENT, "content": said}
    tables = {member.name: {"role": member.role, "preference": {}} for member in opened.travellers}
    return {
        **record,
        "success": True,
        "plan_generated": True,
        "effective_preferences": tables,
        "original_preferences": {},
        "agent_preference_table": {},
        "compromise_log": [],
        "conversation_history": [*record["conversation_history"], message],
        "child_members": [{"user": child.name, "role": child.role} for child in opened.companions],
        "departure_city": descend(definition, ("metadata", "departure_city")),
    }


def _catalogue(desk: Desk) -> Catalogue:
    """The places of the session's world; opening hours are not checked without it."""
    places = places_of(desk.session)
    return places if isinstance(places, Catalogue) else Catalogue({})
