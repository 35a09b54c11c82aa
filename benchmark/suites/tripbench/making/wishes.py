"""What a user wishes in the end: so many requirements, even over the domains, that one plan meets."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import cycle
from random import Random
from typing import Final, NamedTuple

from benchmark.suites.tripbench.making.chains import Chain, Selection, draw_chain
from benchmark.suites.tripbench.making.proving import Prover
from benchmark.suites.tripbench.making.shortfalls import NothingDrawn
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


class Side(NamedTuple):
    """A trip on which wishes must hold. base: chains that hold there too, but those of a rubric that is drawn."""

    candidates: Candidates
    base: Mapping[str, Chain] = {}


class Wishes:
    """Chains that one or more trips meet, by names. sides: the trips; that of the first is even by domains."""

    def __init__(self, random: Random, sides: Sequence[Side], per_day: int) -> None:
        self.random, self.sides, self.per_day = random, sides, per_day
        self.chains: dict[str, Chain] = {}

    def _chains_on(self, side: Side) -> dict[str, Chain]:
        """All that holds on a trip; of one rubric what is drawn, not what was there."""
        drawn = {chain.key for chain in self.chains.values()}
        base = {name: chain for name, chain in side.base.items() if chain.key not in drawn}
        return {**base, **self.chains}

    def _fill(self, names: Sequence[str], taken: Collection[str]) -> bool:
        """Chains for names that have none; whether enough is left. taken: keys of rubrics that are not drawn."""
        missing = [name for name in names if name not in self.chains]
        return all(
            self._draw(name, domain, taken) for name, domain in zip(missing, self._domains(), strict=False)
        )

    def _domains(self) -> Iterator[str]:
        """In turn, those first of which the fewest are there."""
        counts = dict.fromkeys(self.random.sample(DOMAINS, len(DOMAINS)), 0)
        domains = [chain.final.domain for chain in self._chains_on(self.sides[0]).values()]
        for domain in domains:
            if domain in counts:
                counts[domain] += 1
        order = sorted(counts, key=lambda domain: counts[domain])
        if GENERAL not in domains and self.random.random() < GENERAL_P:
            yield GENERAL
        yield from cycle(order)

    def _draw(self, name: str, domain: str, taken: Collection[str]) -> bool:
        used = {*taken, *(chain.key for chain in self.chains.values())}
        keys = [key for key in RUBRICS if key.startswith(f"{domain}.") and key not in used]
        for key in self.random.choices(keys, k=_DRAWS) if keys else ():
            length = self.random.randint(1, LONGEST_CHAIN)
            chain = draw_chain(self.random, key, self.sides[0].candidates, length)
            if chain is not None and all(self._leaves_enough(side, name, chain) for side in self.sides):
                self.chains[name] = chain
                return True
        return False

    def _leaves_enough(self, side: Side, name: str, chain: Chain) -> bool:
        selection = Selection(side.candidates, self.per_day)
        for other in self._chains_on(side).values():
            if other.key != chain.key:
                selection.add(other.final)
        return selection.accepts(chain.final)

    def settle(self, names: Sequence[str], prover: Prover, taken: Collection[str] = ()) -> None:
        """Draw chains for the names, and anew what no plan of any trip meets. taken: keys that are not drawn.

        Raises:
            NothingDrawn: too little is left, or no plan was found for one of the trips.
        """
        for _ in range(_REPAIRS):
            if not self._fill(names, taken):
                raise NothingDrawn("choice", self.sides[0].candidates.frame)
            unmet = [id_ for side in self.sides for id_ in self._find_culprits(side, prover)]
            if not unmet:
                return
            for id_ in unmet:
                self.chains.pop(id_, None)
        raise NothingDrawn("plan", self.sides[0].candidates.frame)

    def _find_culprits(self, side: Side, prover: Prover) -> Sequence[str]:
        """Those that no plan was found to meet; one of all where nobody knows which."""
        frame = side.candidates.frame
        found = prover.find_culprits(Demand(frame, _final_instructions(self._chains_on(side))))
        if found is None:
            return ()
        return [id_ for id_ in found if id_ in self.chains] or [self.random.choice([*self.chains])]


def _final_instructions(chains: Mapping[str, Chain]) -> dict[str, Instruction]:
    return {
        name: Instruction(id=name, rubric=chain.key, args=chain.final.arguments)
        for name, chain in chains.items()
    }
