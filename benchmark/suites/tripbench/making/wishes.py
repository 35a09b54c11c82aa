"""What a user wishes in the end: so many requirements, even over the domains, that one plan meets."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import cycle
from random import Random
from typing import Final

from benchmark.suites.tripbench.making.chains import Chain, Selection, draw_chain
from benchmark.suites.tripbench.making.proving import Prover
from benchmark.suites.tripbench.rubrics import RUBRICS
from benchmark.suites.tripbench.rubrics.base import LONGEST_CHAIN
from benchmark.suites.tripbench.rubrics.candidates import DOMAINS, GENERAL, Candidates
from benchmark.suites.tripbench.tasks.task import Demand, Instruction

GENERAL_P: Final = 0.4
"""How often one of the requirements is about the trip as a whole."""
_DRAWS: Final = 8
"""Of a requirement until one leaves enough."""
_REPAIRS: Final = 6
"""Times that requirements which no plan meets are drawn anew."""


class Wishes:
    """Chains of one or more trips, by names. selections: of each trip, what all chains leave."""

    def __init__(self, random: Random, trips: Sequence[Candidates], per_day: int) -> None:
        self.random, self.trips, self.per_day = random, trips, per_day
        self.chains: dict[str, Chain] = {}

    def fill(self, names: Sequence[str], taken: Collection[str] = ()) -> bool:
        """Chains for names that have none; whether enough is left. taken: keys of rubrics that are not drawn."""
        missing = [name for name in names if name not in self.chains]
        return all(
            self._draw(name, domain, taken) for name, domain in zip(missing, self._domains(), strict=False)
        )

    def _domains(self) -> Iterator[str]:
        """In turn, those first of which the fewest are there."""
        counts = dict.fromkeys(self.random.sample(DOMAINS, len(DOMAINS)), 0)
        for chain in self.chains.values():
            if chain.final.domain in counts:
                counts[chain.final.domain] += 1
        order = sorted(counts, key=lambda domain: counts[domain])
        has_general = any(chain.final.domain == GENERAL for chain in self.chains.values())
        if not has_general and self.random.random() < GENERAL_P:
            yield GENERAL
        yield from cycle(order)

    def _draw(self, name: str, domain: str, taken: Collection[str]) -> bool:
        used = {*taken, *(chain.key for chain in self.chains.values())}
        keys = [key for key in RUBRICS if key.startswith(f"{domain}.") and key not in used]
        selections = [self._selection(trip) for trip in self.trips]
        for key in self.random.choices(keys, k=_DRAWS) if keys else ():
            chain = draw_chain(self.random, key, self.trips[0], self.random.randint(1, LONGEST_CHAIN))
            if chain is not None and all(own.accepts(chain.final) for own in selections):
                self.chains[name] = chain
                return True
        return False

    def _selection(self, trip: Candidates) -> Selection:
        selection = Selection(trip, self.per_day)
        for chain in self.chains.values():
            selection.add(chain.final)
        return selection

    def settle(self, names: Sequence[str], prover: Prover, taken: Collection[str] = ()) -> bool:
        """Draw chains for the names, and anew what no plan of any trip meets; whether a plan was found for each."""
        for _ in range(_REPAIRS):
            if not self.fill(names, taken):
                return False
            unmet = [id_ for trip in self.trips for id_ in self._find_culprits(trip, prover)]
            if not unmet:
                return True
            for id_ in unmet:
                self.chains.pop(id_, None)
        return False

    def _find_culprits(self, trip: Candidates, prover: Prover) -> Sequence[str]:
        """Those that no plan was found to meet; one of all where nobody knows which."""
        found = prover.find_culprits(Demand(trip.frame, _final_instructions(self.chains)))
        if found is None:
            return ()
        return [id_ for id_ in found if id_ in self.chains] or [self.random.choice([*self.chains])]


def _final_instructions(chains: Mapping[str, Chain]) -> dict[str, Instruction]:
    return {
        name: Instruction(id=name, rubric=chain.key, args=chain.final.arguments)
        for name, chain in chains.items()
    }
