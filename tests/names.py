"""`make check`: a definition is named by a noun, or by a verb with its object; no bare participle or adverb.

Looked at are modules, classes, functions, methods, fields, attributes that a method sets, and constants of modules.
`told` says neither what was told nor to whom; `agent_message` does. Free are:

- truth values, since `closed: bool` says what holds of its owner (an adverb such as `over` does not);
- counts, since `failed: int` says how many are in that state, as `skipped` does in the reports of pytest;
- constants that hold their own name, since they are states without an enumeration (`PASSED = "passed"`);
- members of an enumeration and of Django's choices, since states are participles (`Job.Status.ENDED`);
- words that are a noun or a verb as well (`run`, `read`, `cast`, `thought`);
- `EXEMPTIONS`, each with its reason.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import chain
from multiprocessing import get_context
from pathlib import Path

from tests import ROOT

PACKAGES = ("benchmark", "clients", "environments", "sandbox", "webapp", "worker", "tests")

_IRREGULAR_WORDS = """
asked awoken beaten become been begged begun bitten blown born borne bought bound bred broken
brought built caught chosen clung crept dealt done drawn driven drunk dug eaten fallen fed felt fled
flown forbidden forgiven forgotten fought found frozen given gone got gotten grew grown heard held
hidden hung hurt kept knew known laid led left lent lit lost made meant met misunderstood overheard
overtaken paid proven rebuilt rewritten ridden risen rung said sang sat seen sent shaken shot shown
shrunk slain slept slid sold sought spelt spent spoilt spoke spoken sprung stolen stood struck stuck
sung sunk swept sworn swum taken taught thrown told torn unbound undone unheard unknown unmet unread
unsaid unseen unsent untold unwritten went withdrawn woken won wore worn woven written wrote
"""
IRREGULAR = frozenset(_IRREGULAR_WORDS.split())
"""Participles, and forms of the past, that do not end in -ed and are no noun or verb of the present."""

NOT_PARTICIPLES = frozenset(
    [
        "bed",
        "bleed",
        "breed",
        "embed",
        "exceed",
        "feed",
        "heed",
        "hundred",
        "need",
        "proceed",
        "red",
        "seed",
        "shed",
        "speed",
        "weed",
    ]
)
"""Words that end in -ed and are none."""

_ADVERBS_WORDS = """
abroad again against ago ahead alone along already always amid among amongst anew anyhow anyway
anywhere apart around aside away backwards behind below beneath beside besides between beyond
downwards elsewhere enough ever everywhere forever forth forwards hence here hereby herein hither
indeed instead lately meanwhile moreover nearby never nevertheless nonetheless now nowhere off often
onto otherwise out outside over perhaps quite rather seldom somehow sometimes somewhere soon still
then thence there thereafter therefore though through thus together too toward towards twice
underneath upon upwards very well whence whereby wherein with within without yet
"""
ADVERBS = frozenset(_ADVERBS_WORDS.split())

EXEMPTIONS: dict[str, str] = {
    "webapp/labelling/models.py: Compared": "a model, whose name its table and permissions bear",
    "now": "what the standard library and Django call the present time (datetime.now, timezone.now)",
    "guarded": "benchmark.text.guarded stands in the place of the module re: guarded.compile, guarded.search",
    "worker/embedded/__init__.py: embedded": "the term for such servers, by which commands run it",
    "benchmark/suites/grouptravel/travellers/scripted/__init__.py: scripted": "the kind's name in stored logs",
    "benchmark/suites/travelbench/travellers/scripted/__init__.py: scripted": "the kind's name in stored logs",
}
"""Names that are free, with the reason: a word alone, or a place and the word ("webapp/urls.py: …").

Fields that are keys of stored data are in `STORED_KEYS`.
"""

_SIDES, _COLUMN, _KEY = (
    "a side: left and right",
    "a column of the database",
    "a key of stored or exported JSON",
)
STORED_KEYS: dict[str, tuple[str, str]] = {
    "benchmark/labelling/sampling.py": (_SIDES, "left"),
    "webapp/pages/session.py": (_SIDES, "left"),
    "webapp/labelling/models.py": (_COLUMN, "left seen done"),
    "webapp/sessions/models.py": (_COLUMN, "tried"),
    "webapp/tables/forms.py": ("a name in addresses, and in saved views", "said"),
    "benchmark/cassettes/sameness.py": (_KEY, "recorded"),
    "benchmark/core/view.py": ("a key of the API that programs read", "refused unread"),
    "benchmark/exports/session.py": (_KEY, "created"),
    "benchmark/judging/verdict.py": (_KEY, "unknown"),
    "benchmark/labelling/files/exports.py": (_KEY, "seen left known"),
    "benchmark/labelling/weights/results.py": (
        _KEY,
        "fixed anew corrected chosen changed relearned scaled alone together tied undefined",
    ),
    "benchmark/models/failures.py": (_KEY, "unquoted"),
    "benchmark/suites/grouptravel/events.py": (_KEY, "skipped said written"),
    "benchmark/suites/grouptravel/scoring/utility.py": (_KEY, "matched"),
    "benchmark/suites/grouptravel/statistics/task.py": (_KEY, "expected"),
    "benchmark/suites/travelbench/golden.py": (_KEY, "cached"),
    "sandbox/toolbox/outcome.py": (_KEY, "given"),
    "sandbox/toolsets/grouptravel/get_poi_detail.py": (_KEY, "derived"),
    "sandbox/worlds/china10/knowledge.py": (_KEY, "misplaced"),
    "sandbox/worlds/records.py": (_KEY, "derived"),
    "sandbox/worlds/timetable.py": (_KEY, "based"),
    "webapp/endpoints/findings.py": (_KEY, "unquoted served"),
    "webapp/labelling/incoming.py": (_KEY, "joined"),
    "webapp/labelling/queue.py": (_KEY, "seen"),
    "webapp/people/api_models.py": (_KEY, "ended"),
}
"""Fields and attributes that data bear as well, by file: the reason, and the names."""
EXEMPTIONS |= {
    f"{path}: {name}": reason for path, (reason, names) in STORED_KEYS.items() for name in names.split()
}

MANY_FILES = 50
"""From which on several processes read them, so many at a time."""
_COMPOUND = re.compile(r"_|[a-z][A-Z]|[a-z]\d")


@dataclass(frozen=True)
class Definition:
    """path: of its file, from the root. kind: module, class, function, method, field, attribute or constant.

    is_state: it holds a truth value, a count or its own name, of which a participle says what they are of.
    """

    path: str
    line: int
    kind: str
    name: str
    is_state: bool = False

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.kind} {self.name}"


def is_bare_participle(name: str) -> bool:
    word = _word(name)
    return word in IRREGULAR or (len(word) > 3 and word.endswith("ed") and word not in NOT_PARTICIPLES)


def is_bare_adverb(name: str) -> bool:
    return _word(name) in ADVERBS


def is_fault(definition: Definition) -> bool:
    """Whether a definition needs another name."""
    if {_word(definition.name), f"{definition.path}: {definition.name}"} & EXEMPTIONS.keys():
        return False
    if is_bare_adverb(definition.name):
        return True
    return is_bare_participle(definition.name) and not definition.is_state


def _word(name: str) -> str:
    """The one word that a name is, in lower case, or nothing where it has several."""
    bare = name.strip("_")
    return "" if _COMPOUND.search(bare) else bare.lower()


def definitions(path: str, text: str) -> Iterator[Definition]:
    """All that one file defines, the module itself first."""
    stem = Path(path).stem
    yield Definition(path, 1, "module", Path(path).parent.name if stem == "__init__" else stem)
    found = list(_of_body(path, ast.parse(text).body, "module"))
    states = {each.name for each in found if each.is_state}  # what a method sets again has been looked at
    yield from (
        each for each in found if each.is_state or each.kind != "attribute" or each.name not in states
    )


def _of_body(path: str, body: list[ast.stmt], owner: str) -> Iterator[Definition]:
    """owner: what the statements stand in: module, class, states (an enumeration) or function."""
    for statement in body:
        yield from _of_statement(path, statement, owner)
        for block in ("body", "orelse", "finalbody"):
            if not isinstance(statement, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                yield from _of_body(path, getattr(statement, block, []), owner)


def _of_statement(path: str, statement: ast.stmt, owner: str) -> Iterator[Definition]:
    line = statement.lineno
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
        kind = "method" if owner in ("class", "states") else "function"
        yield Definition(path, line, kind, statement.name, _is_state_function(statement))
        yield from _of_body(path, statement.body, "function")
    elif isinstance(statement, ast.ClassDef):
        yield Definition(path, line, "class", statement.name)
        yield from _of_body(path, statement.body, "states" if _is_enumeration(statement) else "class")
    elif isinstance(statement, ast.Assign | ast.AnnAssign):
        annotation = statement.annotation if isinstance(statement, ast.AnnAssign) else None
        is_state = _is_bool(annotation) or _is_count(annotation)
        for target in statement.targets if isinstance(statement, ast.Assign) else [statement.target]:
            for part, value in _single_targets(target, statement.value):
                yield from _of_target(path, part, owner, is_state or _is_state_value(part, value))


def _single_targets(target: ast.expr, value: ast.expr | None) -> Iterator[tuple[ast.expr, ast.expr | None]]:
    """Each target with what it gets, as far as a tuple of several is written out."""
    if not isinstance(target, ast.Tuple | ast.List):
        yield target, value
        return
    values = value.elts if isinstance(value, ast.Tuple | ast.List) else []
    for place, part in enumerate(target.elts):
        yield from _single_targets(part, values[place] if place < len(values) else None)


def _of_target(path: str, target: ast.expr, owner: str, is_state: bool) -> Iterator[Definition]:
    kind = {"module": "constant", "class": "field"}.get(owner)
    if isinstance(target, ast.Name) and kind:
        yield Definition(path, target.lineno, kind, target.id, is_state)
    elif (
        isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) and target.value.id == "self"
    ):
        yield Definition(path, target.lineno, "attribute", target.attr, is_state)


def _is_bool(annotation: ast.expr | None) -> bool:
    return annotation is not None and ast.unparse(annotation).strip("'\"") in ("bool", "bool | None")


def _is_count(annotation: ast.expr | None) -> bool:
    return annotation is not None and ast.unparse(annotation) == "int"


def _is_state_function(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """It gives back a truth value; or it is a property that counts: a function with arguments is an act."""
    is_property = any(
        ast.unparse(each) in ("property", "cached_property") for each in function.decorator_list
    )
    return _is_bool(function.returns) or (is_property and _is_count(function.returns))


def _is_state_value(target: ast.expr, value: ast.expr | None) -> bool:
    """A truth value, the name itself as a text, or a column of Django's that holds a truth value or a count."""
    if isinstance(value, ast.Constant):
        own_name = isinstance(target, ast.Name) and str(value.value).upper() == target.id.strip("_")
        is_count = isinstance(target, ast.Attribute) and isinstance(value.value, int)
        return isinstance(value.value, bool) or is_count or own_name
    if isinstance(value, ast.UnaryOp):
        return isinstance(value.op, ast.Not)
    if isinstance(value, ast.Compare):
        return True
    return isinstance(value, ast.Call) and ast.unparse(value.func).endswith(("BooleanField", "IntegerField"))


def _is_enumeration(statement: ast.ClassDef) -> bool:
    return any(re.search(r"(Enum|Choices|Flag)$", ast.unparse(base)) for base in statement.bases)


def faults(root: Path = ROOT) -> list[Definition]:
    """Each definition of ours that needs another name."""
    paths = [path for package in PACKAGES for path in sorted((root / package).rglob("*.py"))]
    names = [path.relative_to(root).as_posix() for path in paths if "migrations" not in path.parts]
    if len(names) < MANY_FILES:
        found = [_faults_of_file(root, name) for name in names]
    else:  # parsing takes nearly all the time
        with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
            found = list(pool.map(partial(_faults_of_file, root), names, chunksize=MANY_FILES))
    return list(chain.from_iterable(found))


def _faults_of_file(root: Path, name: str) -> list[Definition]:
    return [each for each in definitions(name, (root / name).read_text("utf-8")) if is_fault(each)]


def main(root: Path = ROOT) -> int:
    """Print each of them with its place. 1 where there are any."""
    faulty = faults(root)
    for definition in faulty:
        print(f"names: {definition}")
    if faulty:
        print(
            "names: name a thing by a noun, and an act by a verb with its object: say what was told, and to whom"
        )
    return 1 if faulty else 0


if __name__ == "__main__":
    raise SystemExit(main())
