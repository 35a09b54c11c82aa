"""HyperTree (TripScore appendix D.2): the trip is divided by rules, level by level, before it is planned.

Levels: the plan, its destinations and the way back, then the legs, stay and sights of each, then leaves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from benchmark.agents.briefing import Briefing
from benchmark.agents.direct import DirectAgent
from benchmark.agents.history import History, WithdrawnDraft
from benchmark.agents.transcript import Transcript
from benchmark.core.actions import Action, Redo
from benchmark.core.view import Draft, View
from benchmark.models import Model, Reply
from benchmark.suites.tripscore.tasks import Task

MOST_NODES: Final = 40
DEEPEST: Final = 4
LEVEL, LEAF = "tree_level", "tree_leaf"
"""Why an answer is no message: it picked rules, or filled a leaf."""
RULES: Final[Mapping[str, tuple[str, ...]]] = {
    "plan": ("in_order", "turned"),
    "destination": ("stay_over", "pass_through"),
    "way_back": ("travel",),
    "legs": ("train", "flight", "road"),
    "stay": ("area_and_hotel", "hotel_alone"),
    "sights": ("day_by_day", "all_days"),
}
"""By kind of node, the first is taken where the model picks none; other kinds are leaves."""


@dataclass(slots=True)
class Node:
    """number: from 1, in the order of making. day: of a leaf that is about one. text: what the model filled in."""

    number: int
    kind: str
    depth: int
    city: str = ""
    day: int = 0
    rule: str = ""
    text: str = ""
    children: list[Node] = field(default_factory=list)

    def walk(self) -> Iterator[Node]:
        """It and all below it, in reading order."""
        yield self
        for child in self.children:
            yield from child.walk()


class Tree:
    """The tree as far as drafts have brought it. open: the nodes of the level to be divided, None when all are."""

    def __init__(self, task: Task, drafts: Sequence[Draft], picks_of: Picks) -> None:
        self._task, self.root, self.count = task, Node(1, "plan", 0), 1
        self.open = [self.root]
        texts = [draft.content for draft in drafts if draft.why == LEAF]
        for draft in drafts:
            if draft.why == LEVEL:
                self._divide(picks_of(draft.content))
        for leaf, text in zip(self.leaves, texts, strict=False):
            leaf.text = text

    @property
    def leaves(self) -> list[Node]:
        """Nodes without any below them; none before all levels are divided."""
        return [] if self.open else [node for node in self.root.walk() if not node.children]

    def _divide(self, picks: Mapping[str, str]) -> None:
        """Divide each open node by the rule that was picked, as far as there is room."""
        made = list[Node]()
        for node in self.open:
            rules = self.rules(node)
            picked = picks.get(str(node.number), "")
            node.rule = picked if picked in rules else rules[0]
            below = list(self._children(node))
            if self.count + len(below) > MOST_NODES:
                node.rule = ""
                continue
            for kind, city, day in below:
                self.count += 1
                node.children.append(Node(self.count, kind, node.depth + 1, city, day))
            made += node.children
        self.open = [node for node in made if node.kind in RULES and node.depth + 1 < DEEPEST]

    def rules(self, node: Node) -> tuple[str, ...]:
        """Those by which a node can be divided."""
        fixed = node.kind == "plan" and (self._task.query.fixed_order or len(self._task.query.cities) < 2)
        return RULES[node.kind][:1] if fixed else RULES[node.kind]

    def _children(self, node: Node) -> Iterator[tuple[str, str, int]]:
        query, city = self._task.query, node.city
        match node.kind, node.rule:
            case "plan", rule:
                cities = query.cities[::-1] if rule == "turned" else query.cities
                yield from (("destination", each, 0) for each in cities)
                if query.departure_city and query.returns and query.departure_city not in cities:
                    yield "way_back", query.departure_city, 0
            case "destination", rule:
                if city != query.departure_city:
                    yield "legs", city, 0
                if rule == "stay_over" and query.days > 1:
                    yield "stay", city, 0
                yield "sights", city, 0
            case "way_back", _:
                yield "legs", city, 0
            case "legs", rule:
                yield rule, city, 0
            case "stay", rule:
                yield from (
                    (kind, city, 0) for kind in ("area", "hotel") if kind == "hotel" or rule != "hotel_alone"
                )
            case "sights", "day_by_day":
                yield from (("sights_of_day", city, day) for day in self._days_in(city))
            case _:
                yield "sights_of_days", city, 0

    def _days_in(self, city: str) -> list[int]:
        """Days are shared out to the cities in turn, then counted in their order."""
        cities = [node.city for node in self.root.children if node.kind == "destination"]
        shares = Counter(cities[at % len(cities)] for at in range(max(self._task.query.days, len(cities))))
        before = sum(shares[each] for each in cities[: cities.index(city)])
        return [min(before + day, self._task.query.days) for day in range(1, shares[city] + 1)]


class Picks:
    """Reads the rules that an answer picks: by the numbers of nodes."""

    def __init__(self, briefing: Briefing) -> None:
        self._briefing = briefing

    def __call__(self, text: str) -> Mapping[str, str]:
        picked = self._briefing.plan(text) or {}
        return {str(number).strip(): rule.strip() for number, rule in picked.items() if isinstance(rule, str)}


class HyperTreeAgent(DirectAgent):
    """A call a level picks rules, one a leaf fills it, the last one writes the plan; each sees the tree so far."""

    def __init__(self, briefing: Briefing, model: Model, task: Task) -> None:
        super().__init__(briefing, model)
        self._task = task

    def _tree(self, drafts: Sequence[Draft]) -> Tree:
        return Tree(self._task, drafts, Picks(self._briefing))

    def _awaits_plan(self, view: View) -> bool:
        return not self._next(view)

    def _next(self, view: View) -> str:
        """What is asked for now: rules of a level, a leaf, or "" for the plan."""
        tree = self._tree(view.turn.drafts)
        if tree.open:
            return LEVEL
        return LEAF if any(not leaf.text for leaf in tree.leaves) else ""

    def _action_of(self, view: View, reply: Reply) -> Action:
        stage = self._next(view)
        if not stage:
            return super()._action_of(view, reply)
        text = reply.text.strip()
        drafts = (*view.turn.drafts, Draft(0, text, stage, ""))
        return Redo(text, why=stage, note=self._outline(view, self._tree(drafts)), thought=reply.reasoning)

    def _words_to_model(self, view: View) -> str:
        stage, tree = self._next(view), self._tree(view.turn.drafts)
        fields = {"tree": self._outline(view, tree)}
        if stage == LEVEL:
            fields["open"] = "\n".join(f"{node.number}: {' | '.join(tree.rules(node))}" for node in tree.open)
        elif stage == LEAF:
            leaf = next(leaf for leaf in tree.leaves if not leaf.text)
            fields["leaf"] = self._name(view, leaf)
        return self._briefing.fill(view, stage or "tree_plan", **fields)

    def _outline(self, view: View, tree: Tree) -> str:
        lines = []
        for node in tree.root.walk():
            rule = f" <{node.rule}>" if node.rule else ""
            text = f": {node.text}" if node.text else ""
            lines.append(f"{'  ' * node.depth}{self._name(view, node)}{rule}{text}")
        return "\n".join(lines)

    def _name(self, view: View, node: Node) -> str:
        name = self._briefing.prompts.line(view.language, "tree", node.kind, city=node.city, day=node.day)
        return f"{node.number}. {name}"

    def _present(self, chat: Transcript, view: View, history: History) -> None:
        """The tree tells what was answered; only what had to be asked for again since then is shown."""
        for step in history.now:
            if isinstance(step, WithdrawnDraft) and step.draft.seq > self._last_of_tree(view):
                self._recall(chat, view, step)

    def _last_of_tree(self, view: View) -> int:
        return max((draft.seq for draft in view.turn.drafts if draft.why in (LEVEL, LEAF)), default=0)
