"""The language of statements: expressions over concept functions, read once and then worked out for many plans.

    all(stars(hotel_on(d)) >= 4.5 for d in days() if hotel_on(d)) and len(visits_on(1)) <= 3

Calls, comparisons, `and`, `or`, `not`, `+`, `-`, `/`, lists, numbers, texts, `none`, and `all`, `any`, `sum`, `len`,
`min`, `max` over lists or `… for … in … if …`. There is nothing else, so that a model's words can do no harm.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from inspect import signature
from typing import Any, Final

Scope = dict[str, Any]
Value = Callable[[Scope], Any]
PLAN: Final = "plan"
"""Where a scope holds the plan; no name of the language is spelt so."""
LONGEST: Final = 500
_MOST_LOOPS: Final = 2
_GATHERERS: Final[Mapping[str, Callable[..., Any]]] = {
    "all": all,
    "any": any,
    "sum": sum,
    "len": lambda given: len(list(given)),
    "min": lambda given: min(given, default=0),
    "max": lambda given: max(given, default=0),
}
_CONSTANTS: Final = {"none": None, "true": True, "false": False}
_COMPARISONS: Final[Mapping[type[ast.cmpop], Callable[[Any, Any], Any]]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: lambda one, other: one in other,
    ast.NotIn: lambda one, other: one not in other,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
}
_SUMS: Final[Mapping[type[ast.operator], Callable[[Any, Any], Any]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Div: lambda one, other: one / other if other else 0.0,
}


class StatementFault(ValueError):
    """A statement that the language does not have; the message says what is wrong."""


def read_expression(text: str, functions: Mapping[str, Callable[..., Any]], *names: str) -> Value:
    """What an expression is worth in a scope, which holds the plan and `names`. Raises StatementFault."""
    if len(text) > LONGEST:
        raise StatementFault(f"longer than {LONGEST} characters")
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise StatementFault(f"not an expression: {error}") from error
    if sum(isinstance(node, ast.comprehension) for node in ast.walk(tree)) > _MOST_LOOPS:
        raise StatementFault(f"more than {_MOST_LOOPS} `for`")
    return _Reader(functions).value(tree, frozenset(names))


class _Reader:
    def __init__(self, functions: Mapping[str, Callable[..., Any]]) -> None:
        self._functions = functions

    def value(self, node: ast.expr, names: frozenset[str]) -> Value:
        match node:
            case ast.Constant(bool() | int() | float() | str() | None as constant):
                return lambda scope: constant
            case ast.Name(name):
                return self._name(name, names)
            case ast.Call(ast.Name(name), args, []):
                return self._call(name, args, names)
            case ast.BoolOp(op, parts):
                every, values = isinstance(op, ast.And), [self.value(part, names) for part in parts]
                return lambda scope: (all if every else any)(value(scope) for value in values)
            case ast.UnaryOp(ast.Not(), part):
                inner = self.value(part, names)
                return lambda scope: not inner(scope)
            case ast.UnaryOp(ast.USub(), part):
                inner = self.value(part, names)
                return lambda scope: -inner(scope)
            case ast.BinOp(left, op, right) if type(op) in _SUMS:
                sum_, one, other = _SUMS[type(op)], self.value(left, names), self.value(right, names)
                return lambda scope: sum_(one(scope), other(scope))
            case ast.Compare(left, ops, others):
                return self._compare([self.value(part, names) for part in (left, *others)], ops)
            case ast.List(parts) | ast.Tuple(parts) | ast.Set(parts):
                items = [self.value(part, names) for part in parts]
                return lambda scope: [item(scope) for item in items]
            case ast.GeneratorExp(part, loops) | ast.ListComp(part, loops):
                return self._loop(part, loops, names)
        raise StatementFault(f"the language has no {type(node).__name__}: {ast.unparse(node)[:60]}")

    def _name(self, name: str, names: frozenset[str]) -> Value:
        if name.lower() in _CONSTANTS:
            constant = _CONSTANTS[name.lower()]
            return lambda scope: constant
        if name not in names:
            raise StatementFault(f"nothing is named “{name[:40]}”")
        return lambda scope: scope[name]

    def _call(self, name: str, args: Sequence[ast.expr], names: frozenset[str]) -> Value:
        values = [self.value(arg, names) for arg in args]
        if name in _GATHERERS:
            gather = _GATHERERS[name]
            if len(values) != 1:
                raise StatementFault(f"{name} takes one list")
            return lambda scope: gather(values[0](scope))
        function = self._functions.get(name)
        if function is None:
            raise StatementFault(f"there is no function “{name[:40]}”")
        wanted = len(signature(function).parameters) - 1
        if len(values) != wanted:
            raise StatementFault(f"{name} takes {wanted} values, not {len(values)}")
        return lambda scope: function(scope[PLAN], *(value(scope) for value in values))

    @staticmethod
    def _compare(values: Sequence[Value], ops: Sequence[ast.cmpop]) -> Value:
        steps = list(zip([_COMPARISONS[type(op)] for op in ops], values, values[1:], strict=False))
        return lambda scope: all(compare(one(scope), other(scope)) for compare, one, other in steps)

    def _loop(self, part: ast.expr, loops: Sequence[ast.comprehension], names: frozenset[str]) -> Value:
        loop, *inner = loops
        if not isinstance(loop.target, ast.Name) or loop.is_async or loop.target.id == PLAN:
            raise StatementFault("a `for` names one thing")
        name, source = loop.target.id, self.value(loop.iter, names)
        within = names | {name}
        tests = [self.value(test, within) for test in loop.ifs]
        item = self._loop(part, inner, within) if inner else self.value(part, within)

        def each(scope: Scope) -> Iterator[Any]:
            for value in source(scope):
                own = {**scope, name: value}
                if all(test(own) for test in tests):
                    yield from item(own) if inner else (item(own),)

        return lambda scope: list(each(scope))
