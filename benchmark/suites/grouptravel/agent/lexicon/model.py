"""The shape of a lexicon."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Cue = Literal[
    "must",
    "strong",
    "hedge",
    "desire",
    "want",
    "neg",
    "lose",
    "dismiss",
    "refuse",
    "lukewarm",
    "soften",
    "fine",
]
"""What a cue of tone does.

must: firm and positive by itself. strong: makes whatever is said firm. hedge: makes it mild, even beside strong.
desire: mild unless strong stands by. want: a plain wish, firm for lack of a softener. neg: negates.
lose: a verb of leaving out (避开), negative alone, positive when negated. dismiss: mildly negative by itself.
refuse: firmly negative by itself. lukewarm: negative, mild
unless strong stands by (不想). soften: negative and mild in any case (不太). fine: neither for nor against.
"""

Subject = Literal["budget", "transport", "intensity", "hotels", "sights", "categories", "food"]


@dataclass(frozen=True)
class Lexicon:
    """Words and cues of one language; regular expressions where the name ends in _pattern or _patterns.

    cues: patterns by cue. frames: patterns around an item (group `item`) that are firm and positive as a whole.
    except_frames: patterns around an item (group `item`) that exclude it. neutral_patterns: no preference.
    modes, hotels: spellings to the published name. categories, cuisines, both: published names; `both` can be
    either. subjects: words that tell what a clause is about. verbs: words that favour sights or food.
    place_endings, dish_endings, category_endings: last characters of names.
    prefixes, suffixes: what may be cut off a name.
    safe_words: words that no cue or cut may break. stopwords: nouns that are no item. noise: what no name
    contains. joins: what stands between the items of a list. dish_of: what a restaurant serves, after its name.
    modifier: a time or a description before a name. description: what a phrase before 的 contains when it only
    describes. describing: what follows words that describe. speech: what sentences contain and names do not.
    measure: a number with its measure word. object: the end of what stands before the object of a verb.
    story: a clause that tells of the past or of hearsay. correction: taking back the words before.
    denial, denial_end: 不是…, 是….
    """

    sentence_pattern: str
    clause_pattern: str
    turn_pattern: str
    question_pattern: str
    reason_pattern: str
    quotes: tuple[tuple[str, str], ...]
    cues: Mapping[Cue, tuple[str, ...]]
    frames: tuple[str, ...]
    except_frames: tuple[str, ...]
    only_frames: tuple[str, ...]
    neutral_patterns: tuple[str, ...]
    comparison_pattern: str
    modes: Mapping[str, str]
    hotels: Mapping[str, str]
    categories: tuple[str, ...]
    category_aliases: Mapping[str, str]
    cuisines: tuple[str, ...]
    both: tuple[str, ...]
    subjects: Mapping[Subject, str]
    verbs: Mapping[Literal["sights", "food"], str]
    place_endings: tuple[str, ...]
    category_endings: tuple[str, ...]
    dish_endings: tuple[str, ...]
    prefixes: tuple[str, ...]
    suffixes: tuple[str, ...]
    breaks_pattern: str
    joins_pattern: str
    soft_join: str
    safe_words: tuple[str, ...]
    stopwords: frozenset[str]
    noise_pattern: str
    dish_of_pattern: str
    modifier_pattern: str
    description_pattern: str
    describing_pattern: str
    speech_pattern: str
    measure_pattern: str
    object_pattern: str
    story_pattern: str
    correction_pattern: str
    denial_pattern: str
    denial_end_pattern: str
    city_tail_pattern: str
    city_open_pattern: str
    city_after_pattern: str
    budget_patterns: tuple[str, ...]
    cap_block_pattern: str
    budget_block_pattern: str
    budget_total_pattern: str
    per_day_patterns: tuple[str, ...]
    bare_per_day_patterns: tuple[str, ...]
    hours_patterns: tuple[str, ...]
    clock_span_pattern: str
    agree_pattern: str
    refuse_pattern: str
