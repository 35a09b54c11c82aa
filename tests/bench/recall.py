"""How often the original of a slightly changed call is among the 8 most similar: `python -m tests.bench.recall`."""

from __future__ import annotations

import argparse
import random
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import faiss
import numpy as np
from numpy.typing import NDArray

from sandbox.cache.keys import published_key
from sandbox.calls import Call
from sandbox.retrieval.embedder import Vectors
from sandbox.retrieval.fields import DIMENSION, FieldsEmbedder
from sandbox.retrieval.indexes import IndexKind, make_index
from tests.bench.recall_corpus import CHANGES, Corpus

TUNING_SEED, REPORT_SEED = 1, 2
NEIGHBOURS = 8

Embed = Callable[[Sequence[Call]], Vectors]
Fit = Callable[[Sequence[Call]], Embed]
"""What a method makes of a tool's cached calls: the function that embeds."""


@dataclass(frozen=True, slots=True)
class Miss:
    """A call that is not cached, which change made it, and the number of the one it was made from."""

    call: Call
    change: str
    original: int


@dataclass(frozen=True, slots=True)
class Method:
    """A way to embed and to search. bytes: of an entry's vector."""

    name: str
    fit: Fit
    bytes: int
    kind: IndexKind = "exact"


def methods() -> list[Method]:
    """The built-in embedder with both kinds of index, and what it is compared with."""
    built_in = FieldsEmbedder()
    return [
        Method(f"built-in {built_in.id}", lambda _: built_in.embed, 2 * built_in.dimension),
        Method(
            f"built-in {built_in.id}, approximate",
            lambda _: built_in.embed,
            2 * built_in.dimension,
            "approximate",
        ),
        Method("hashed characters 1-2, 512", lambda _: _hashing((1, 2), 512), 2 * 512),
        Method("characters 1-3 TF-IDF, SVD 256", _tfidf_svd, 2 * 256),
        Method(f"hashed characters 1-3, {DIMENSION}", lambda _: _hashing((1, 3), DIMENSION), 2 * DIMENSION),
    ]


def _keys(calls: Sequence[Call]) -> list[str]:
    return [published_key(call.arguments) for call in calls]


def _hashing(lengths: tuple[int, int], dimension: int) -> Embed:
    from sklearn.feature_extraction.text import HashingVectorizer  # type: ignore[import-untyped]

    vectoriser = HashingVectorizer(analyzer="char", ngram_range=lengths, n_features=dimension)
    return lambda calls: vectoriser.transform(_keys(calls)).toarray().astype(np.float32)


def _tfidf_svd(cached: Sequence[Call]) -> Embed:
    from sklearn.decomposition import TruncatedSVD  # type: ignore[import-untyped]
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.pipeline import make_pipeline  # type: ignore[import-untyped]
    from sklearn.preprocessing import Normalizer  # type: ignore[import-untyped]

    words = TfidfVectorizer(analyzer="char", ngram_range=(1, 3), sublinear_tf=True, max_features=60_000)
    pipeline = make_pipeline(words, TruncatedSVD(256, n_iter=2, random_state=0), Normalizer())
    pipeline.fit(_keys(cached))
    return lambda calls: np.asarray(pipeline.transform(_keys(calls)), dtype=np.float32)


def misses(tool: str, cached: list[dict[str, Any]], wanted: int, chance: random.Random) -> Iterator[Miss]:
    """Up to `wanted` of each change. A changed call that is cached is a hit and is left out."""
    known = {published_key(arguments) for arguments in cached}
    for name, change in CHANGES.items():
        found = 0
        for number in chance.sample(range(len(cached)), min(len(cached), 20 * wanted)):
            arguments = change(chance, cached[number])
            if found < wanted and arguments is not None and published_key(arguments) not in known:
                found += 1
                yield Miss(Call(tool, arguments), name, number)


@dataclass(slots=True)
class Outcome:
    """What a method did. found: whether the original was among the top 8, by tool and change.

    agreed: for each miss, the share of the exact index's top 8 that were found. Times are processor time; query_ms:
    embedding and searching one missed search_poi call.
    """

    hits: dict[tuple[str, str], list[bool]]
    overlaps: list[float]
    query_ms: float = 0.0
    embedded: int = 0
    embedding_s: float = 0.0
    fitting_s: float = 0.0


def measure(method: Method, corpus: Corpus, missed: dict[str, list[Miss]]) -> Outcome:
    """Index every tool by a method, and look for the originals."""
    outcome = Outcome(defaultdict(list), [])
    for tool, cached in corpus.calls.items():
        if not missed[tool]:
            continue
        calls = [Call(tool, arguments) for arguments in cached]
        started = time.process_time()
        embed = method.fit(calls)
        fitted = time.process_time()
        vectors = _in_batches(embed, calls)
        outcome.fitting_s += fitted - started
        outcome.embedding_s += time.process_time() - fitted
        outcome.embedded += len(calls)
        index = make_index(method.kind, vectors.astype(np.float16))
        queries = embed([miss.call for miss in missed[tool]])
        _, near = index.search(queries, NEIGHBOURS)
        outcome.overlaps += _overlaps_with_exact(method, vectors, queries, near)
        if tool == "search_poi":
            outcome.query_ms = _query_ms(embed, index, missed[tool][:200])
        for miss, numbers in zip(missed[tool], near, strict=True):
            outcome.hits[tool, miss.change].append(miss.original in numbers)
    return outcome


def _overlaps_with_exact(
    method: Method, vectors: Vectors, queries: Vectors, near: NDArray[np.int64]
) -> list[float]:
    if method.kind == "exact":
        return []
    _, exact = make_index("exact", vectors.astype(np.float16)).search(queries, NEIGHBOURS)
    return [len({*row} & {*best}) / NEIGHBOURS for row, best in zip(near, exact, strict=True)]


def _query_ms(embed: Embed, index: faiss.Index, some: Sequence[Miss]) -> float:
    started = time.process_time()
    for miss in some:
        index.search(embed([miss.call]), NEIGHBOURS)
    return (time.process_time() - started) * 1000 / len(some)


def _in_batches(embed: Embed, calls: Sequence[Call], batch: int = 1024) -> Vectors:
    return np.concatenate([embed(calls[at : at + batch]) for at in range(0, len(calls), batch)])


def table(outcomes: dict[Method, Outcome], place: int, heading: str) -> str:
    """Recall by change (place 1) or by tool (place 0), a column each, and overall."""
    columns = sorted({key[place] for outcome in outcomes.values() for key in outcome.hits})
    lines = [f"| {heading} | " + " | ".join(columns) + " | all |", "|---" * (len(columns) + 2) + "|"]
    for method, outcome in outcomes.items():
        shares = [_share(outcome, place, column) for column in [*columns, None]]
        lines.append(f"| {method.name} | " + " | ".join(shares) + " |")
    return "\n".join(lines)


def _share(outcome: Outcome, place: int, column: str | None) -> str:
    """Of a column, or of all misses."""
    chosen = [ones for key, ones in outcome.hits.items() if column in (None, key[place])]
    found = [one for ones in chosen for one in ones]
    return f"{sum(found) / len(found):.3f}"


def costs(outcomes: dict[Method, Outcome]) -> str:
    """Texts a second, seconds to fit, bytes an entry, a query, and agreement with the exact index."""
    lines = [
        "| method | texts a second | fit, s | bytes an entry | search_poi query, ms | of the exact top 8 |",
        "|---" * 6 + "|",
    ]
    for method, each in outcomes.items():
        rate = each.embedded / each.embedding_s
        agreed = f"{sum(each.overlaps) / len(each.overlaps):.4f}" if each.overlaps else "1"
        cells = (
            method.name,
            f"{rate:,.0f}",
            f"{each.fitting_s:.1f}",
            method.bytes,
            f"{each.query_ms:.2f}",
            agreed,
        )
        lines.append("| " + " | ".join(map(str, cells)) + " |")
    return "\n".join(lines)


def main() -> None:
    """Build the corpus, measure every method, print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--size", type=int, default=20_000, help="entries of search_poi; 86000 is the published size"
    )
    parser.add_argument(
        "--seed", type=int, default=REPORT_SEED, help=f"{TUNING_SEED} is what weights were tuned on"
    )
    parser.add_argument("--misses", type=int, default=400, help="at most, of each change and tool")
    parser.add_argument("--only", default="", help="part of a method's name")
    options = parser.parse_args()
    faiss.omp_set_num_threads(1)
    corpus = Corpus(options.seed, options.size)
    chance = random.Random(options.seed + 1000)
    missed = {
        tool: list(misses(tool, cached, options.misses, chance)) for tool, cached in corpus.calls.items()
    }
    entries = ", ".join(f"{tool} {len(cached):,}" for tool, cached in corpus.calls.items())
    print(
        f"{sum(map(len, corpus.calls.values())):,} entries ({entries}); {sum(map(len, missed.values())):,} misses\n"
    )
    outcomes = {
        method: measure(method, corpus, missed) for method in methods() if options.only in method.name
    }
    for text in (table(outcomes, 1, "changed"), table(outcomes, 0, "tool"), costs(outcomes)):
        print(text, end="\n\n")


if __name__ == "__main__":
    main()
