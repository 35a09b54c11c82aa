"""The steps of making data, in the order in which they are done."""

from __future__ import annotations

from benchmark.making import MakingSteps
from benchmark.suites.travelbench.making.executability import ANNOTATE
from benchmark.suites.travelbench.making.files import (
    CHOOSE,
    CONFIRM,
    DIFFICULTY,
    DROP_DUPLICATES,
    LABEL_TURNS,
    RECOMBINE,
    SORT,
    WITH_PROFILES,
)
from benchmark.suites.travelbench.making.profiles import ANONYMISE

STEPS = MakingSteps(
    (
        *(DROP_DUPLICATES, ANNOTATE, SORT, LABEL_TURNS, CHOOSE),
        *(ANONYMISE, WITH_PROFILES, RECOMBINE, DIFFICULTY, CONFIRM),
    )
)
