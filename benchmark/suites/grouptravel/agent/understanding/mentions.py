"""Cutting a message into statements and clauses, and finding what a clause names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from benchmark.suites.grouptravel.agent.lexicon import lexicon
from benchmark.suites.grouptravel.agent.lexicon.model import Lexicon
from benchmark.suites.grouptravel.agent.understanding.names import Names
from benchmark.text import guarded
from benchmark.text.lengths import LONGEST_REPLY

_TRIM = " \t,，.。;；:：、!！?？~～-—…·\"'“”‘’"
_PAREN = guarded.compile(r"[(（][^()（）]{1,12}[)）]")


def statements(message: str, language: str) -> list[str]:
    """The sentences of a message that state something, without mentions; a tag question (…可以吗？) is cut off.

    Of an endless message the beginning counts.
    """
    words = lexicon(language)
    text = guarded.sub(r"@\w+", " ", message[:LONGEST_REPLY], flags=guarded.ASCII)
    parts = guarded.split(words.sentence_pattern, text)
    kept = (_statement(part.strip(), words) for part in parts)
    return [sentence for sentence in kept if sentence]


def is_question(sentence: str, language: str) -> bool:
    """Whether a sentence asks something."""
    return bool(guarded.search(lexicon(language).question_pattern, sentence))


def _statement(sentence: str, words: Lexicon) -> str:
    if not guarded.search(words.question_pattern, sentence):
        return sentence
    head, comma, _ = sentence.rpartition("，")
    if comma and not guarded.search(words.question_pattern, head) and len(sentence) - len(head) <= 8:
        return head
    return ""


@lru_cache
def _boundary(language: str) -> guarded.Pattern:
    words = lexicon(language)
    return guarded.compile(f"(?:{words.clause_pattern})|(?=(?:{words.turn_pattern}))")


def clauses(sentence: str, language: str) -> list[str]:
    """The clauses of a sentence, cut at commas and before words of contrast or addition; reasons are left out."""
    words = lexicon(language)
    shelter = [match.span() for match in _uncut(language).finditer(sentence)]
    parts: list[str] = []
    start = 0
    for match in _boundary(language).finditer(sentence):
        if match.start() > start and not any(low < match.start() < high for low, high in shelter):
            parts.append(sentence[start : match.start()])
            start = match.end()
        elif match.start() == start:
            start = match.end()
    parts.append(sentence[start:])
    cleaned = (_without_turn(part.strip(), words) for part in parts)
    return [part for part in cleaned if part and not guarded.match(words.reason_pattern, part)]


@lru_cache
def _uncut(language: str) -> guarded.Pattern:
    """Inside quotes nothing is cut."""
    pairs = lexicon(language).quotes
    return guarded.compile(
        "|".join(f"{guarded.escape(a)}[^{guarded.escape(b)}]+{guarded.escape(b)}" for a, b in pairs)
    )


def _without_turn(clause: str, words: Lexicon) -> str:
    if guarded.match(words.reason_pattern, clause):
        return clause
    return guarded.sub(f"^(?:{words.turn_pattern})", "", clause).strip()


@dataclass(frozen=True, slots=True)
class Mention:
    """A candidate item at [start, end) of a clause, as the traveller wrote it."""

    start: int
    end: int
    text: str
    quoted: bool = False


@lru_cache
def vocabulary(language: str) -> tuple[str, ...]:
    """Every word that names a mode, a hotel class, a category or a cuisine, longest first."""
    words = lexicon(language)
    named = {
        *words.modes,
        *words.hotels,
        *words.categories,
        *words.category_aliases,
        *words.cuisines,
        *words.both,
    }
    return tuple(sorted(named, key=lambda word: (-len(word), word)))


@lru_cache
def _shelter_pattern(language: str, safe: bool) -> guarded.Pattern:
    extra = lexicon(language).safe_words if safe else ()
    words = sorted({*vocabulary(language), *extra}, key=len, reverse=True)
    return guarded.compile("|".join(guarded.escape(word) for word in words if len(word) > 1))


def glue(clause: str, names: Names, language: str, safe: bool = True) -> list[bool]:
    """Which characters belong to a known word or a quotation and may be neither cut nor read as tone.

    safe: also those of words that merely look like tone (太原 holds 太).
    """
    glued = [False] * len(clause)
    spans = [match.span() for match in _shelter_pattern(language, safe).finditer(clause)]
    spans += [mention_span for mention_span, _ in quotations(clause, language)]
    for known in names.kinds:
        place = clause.find(known) if len(known) > 2 else -1
        if place >= 0:
            spans.append((place, place + len(known)))
    for start, end in spans:
        glued[start:end] = [True] * (end - start)
    return glued


def quotations(clause: str, language: str) -> list[tuple[tuple[int, int], str]]:
    """Quoted texts with the span of each, marks included."""
    matches = _quotation(language).finditer(clause)
    return [(match.span(), next(text for text in match.groupdict().values() if text)) for match in matches]


@lru_cache
def _quotation(language: str) -> guarded.Pattern:
    pairs = (
        f"{guarded.escape(left)}(?P<q{place}>[^{guarded.escape(right)}]{{1,40}}){guarded.escape(right)}"
        for place, (left, right) in enumerate(lexicon(language).quotes)
    )
    return guarded.compile("|".join(pairs))


def find_mentions(clause: str, taken: Sequence[bool], glued: Sequence[bool], language: str) -> list[Mention]:
    """The candidate items of a clause in order. taken: characters that tone, scope or numbers have used."""
    quoted = [Mention(start, end, text, quoted=True) for (start, end), text in quotations(clause, language)]
    used = list(taken)
    for mention in quoted:
        used[mention.start : mention.end] = [True] * (mention.end - mention.start)
    _use_breaks(clause, used, glued, language)
    whole = [*glued]
    loose = [piece for run in _runs(used) for piece in _pieces(clause, *run, whole, language)]
    peeled = (_peel(clause, *piece, whole, language) for piece in loose)
    mentions = [*quoted, *(mention for mention in peeled if _is_item(mention.text, language))]
    return sorted(mentions, key=lambda mention: mention.start)


def _use_breaks(clause: str, used: list[bool], glued: Sequence[bool], language: str) -> None:
    for match in guarded.finditer(lexicon(language).breaks_pattern, clause):
        inside_name = match.group()[0] in "(（)）" and _parenthesis_belongs(clause, match.start())
        if not any(glued[match.start() : match.end()]) and not inside_name:
            used[match.start() : match.end()] = [True] * (match.end() - match.start())


def _parenthesis_belongs(clause: str, place: int) -> bool:
    """A short parenthesis without a word of tone is part of the name before it."""
    return any(start <= place < end for start, end in _parentheses_of_names(clause))


@lru_cache(maxsize=256)
def _parentheses_of_names(clause: str) -> tuple[tuple[int, int], ...]:
    return tuple(
        match.span()
        for match in _PAREN.finditer(clause)
        if match.start() > 0 and not guarded.search(r"[不别要，,]", match.group())
    )


def _runs(used: Sequence[bool]) -> list[tuple[int, int]]:
    runs: list[tuple[int, int]] = []
    start = None
    for place, taken in enumerate([*used, True]):
        if not taken and start is None:
            start = place
        elif taken and start is not None:
            runs.append((start, place))
            start = None
    return runs


def _pieces(clause: str, start: int, end: int, glued: list[bool], language: str) -> list[tuple[int, int]]:
    """A run cut at the joins of an enumeration; a soft join (和) that is part of a name becomes glued instead."""
    words = lexicon(language)
    cuts: list[tuple[int, int]] = []
    left = start
    for match in guarded.compile(words.joins_pattern).finditer(clause, start, end):
        if any(glued[match.start() : match.end()]) and not _parts_names(clause, left, match, end, language):
            continue
        if guarded.fullmatch(words.soft_join, match.group()):
            following = _next_join(clause, match.end(), end, language)
            if _is_of_name(clause, left, match, following, language):
                glued[match.start() : match.end()] = [True] * (match.end() - match.start())
                continue
            if 0 < min(match.start() - left, following - match.end()) < 2:
                continue
        cuts.append((left, match.start()))
        left = match.end()
    return [*cuts, (left, end)]


def _is_of_name(clause: str, left: int, join: guarded.Match, end: int, language: str) -> bool:
    """Whether a soft join stands in or before a name of a wish: 去颐和路, 吃和府捞面, but not 看海和爬山."""
    words = lexicon(language)
    ahead, behind = clause[left : join.start()], clause[join.end() : end]
    first = _peel(ahead, 0, len(ahead), [False] * len(ahead), language)
    verb = clause[:left][-1:] + ahead[: first.start]
    eaten = not first.text and guarded.search(words.verbs["food"], verb)
    if len(first.text) > 1 or not (eaten or guarded.search(words.verbs["sights"], verb)):
        return False
    if not first.text and any(ending in clause[:left] for ending in words.place_endings):
        return False
    if first.text in words.place_endings or behind in vocabulary(language):
        return False
    second = _peel(behind, 0, len(behind), [False] * len(behind), language)
    described = guarded.search(f"的|{words.verbs['food']}|{words.description_pattern}", second.text)
    return (
        second.start == 0
        and not described
        and second.text.endswith(words.dish_endings if eaten else words.place_endings)
    )


def _parts_names(clause: str, left: int, join: guarded.Match, end: int, language: str) -> bool:
    """Whether a soft join that looks like part of a word (和平) stands between two whole names."""
    words = lexicon(language)
    if not guarded.fullmatch(words.soft_join, join.group()):
        return False
    known = vocabulary(language)
    ahead, behind = clause[left : join.start()], clause[join.end() : end]
    return ahead.endswith((*known, *(ending for ending in words.place_endings if len(ending) > 1))) and (
        behind.startswith(known) or bool(guarded.match(rf"[^的]{{2,}}?(?:{_either(language)})", behind))
    )


@lru_cache
def _either(language: str) -> str:
    endings = (ending for ending in lexicon(language).place_endings if len(ending) > 1)
    return "|".join(guarded.escape(ending) for ending in endings)


def _next_join(clause: str, start: int, end: int, language: str) -> int:
    """Where the next join begins; a soft one after a single character is part of a name (颐和路)."""
    words = lexicon(language)
    pattern, place = guarded.compile(words.joins_pattern), start
    while join := pattern.search(clause, place, end):
        if join.start() - start > 1 or not guarded.fullmatch(words.soft_join, join.group()):
            return join.start()
        place = join.end()
    return end


def _peel(clause: str, start: int, end: int, glued: Sequence[bool], language: str) -> Mention:
    """A piece without the filling at both of its ends."""
    words = lexicon(language)
    while start < end:
        shorter = _peel_once(clause, start, end, glued, words.prefixes, words.suffixes)
        if shorter == (start, end):
            break
        start, end = shorter
    return Mention(start, end, clause[start:end])


def _peel_once(
    clause: str,
    start: int,
    end: int,
    glued: Sequence[bool],
    prefixes: tuple[str, ...],
    suffixes: tuple[str, ...],
) -> tuple[int, int]:
    if clause[start] in _TRIM:
        return start + 1, end
    if clause[end - 1] in _TRIM:
        return start, end - 1
    text = clause[start:end]
    for prefix in prefixes if text.startswith(prefixes) else ():
        if text.startswith(prefix) and not any(glued[start : start + len(prefix)]):
            return start + len(prefix), end
    for suffix in suffixes if text.endswith(suffixes) else ():
        if text.endswith(suffix) and not any(glued[end - len(suffix) : end]):
            return start, end - len(suffix)
    return start, end


def _is_item(text: str, language: str) -> bool:
    words = lexicon(language)
    if text in vocabulary(language):
        return True
    if not 2 <= len(text) <= 30 or text in words.stopwords:
        return False
    return not guarded.search(words.noise_pattern, text) and not guarded.fullmatch(r"[\d.\s%:：-]+", text)
