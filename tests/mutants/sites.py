"""Single mutations of a source file: numbers, comparisons, conditions, and entries of tables at module level.

A mutation is a replacement of bytes in the file, so that everything else of it stays as it was written.
"""

from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

COMPARISONS: dict[type[ast.cmpop], tuple[str, tuple[str, ...]]] = {
    ast.Lt: ("<", ("<=", ">=")),
    ast.LtE: ("<=", ("<", ">")),
    ast.Gt: (">", (">=", "<=")),
    ast.GtE: (">=", (">", "<")),
    ast.Eq: ("==", ("!=",)),
    ast.NotEq: ("!=", ("==",)),
    ast.In: ("in", ("not in",)),
    ast.NotIn: (r"not\s+in", ("in",)),
    ast.Is: ("is", ("is not",)),
    ast.IsNot: (r"is\s+not", ("is",)),
}
NOT_BEHAVIOUR = frozenset({"__slots__", "__all__"})
LOGGING = frozenset({"logger", "logging"})


class Where(NamedTuple):
    """The statement that holds a mutation.

    lines: its first and last, of a compound statement its head's. names: the class and the function that it stands in, and outside
    functions what it binds. by_name: its line runs once, at import or for a cache, so that only those names lead to its tests.
    """

    lines: tuple[int, int]
    names: tuple[str, ...]
    by_name: bool


@dataclass(frozen=True, slots=True)
class Site:
    """One mutation. start, end: bytes of the file that are replaced by `new`. digest: of the whole file."""

    path: str
    kind: str
    line: int
    start: int
    end: int
    old: str
    new: str
    where: Where
    digest: str

    @property
    def key(self) -> str:
        """Tells it from every other mutation of the tree; another file has other keys."""
        return f"{self.path}#{self.digest}@{self.start}-{self.end} {self.new}"

    @property
    def label(self) -> str:
        """One line for people."""
        return f"{self.path}:{self.line}  {self.kind}: {_brief(self.old)} → {_brief(self.new)}"

    def applied(self, source: bytes) -> bytes:
        """The mutated file."""
        return source[: self.start] + self.new.encode() + source[self.end :]


def _brief(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= 70 else flat[:67] + "…"


def sites(path: str, source: bytes) -> list[Site]:
    """Every mutation of a file, in the order of the file."""
    found = _Finder(path, source).found()
    return sorted(found, key=lambda site: (site.start, site.end, site.kind, site.new))


class _Finder:
    """Walks a module once, knowing in which statement and under which names it is."""

    def __init__(self, path: str, source: bytes) -> None:
        self.path, self.source = path, source
        self.digest = hashlib.sha256(source).hexdigest()[:12]
        self.starts = [0]
        for line in source.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))

    def found(self) -> Iterator[Site]:
        yield from self._body(ast.parse(self.source).body, (), by_name=True)

    def _at(self, line: int, column: int) -> int:
        return self.starts[line - 1] + column

    def _span(self, node: ast.expr) -> tuple[int, int]:
        return self._at(node.lineno, node.col_offset), self._at(
            node.end_lineno or 0, node.end_col_offset or 0
        )

    def _text(self, node: ast.expr) -> str:
        start, end = self._span(node)
        return self.source[start:end].decode()

    def _body(self, body: list[ast.stmt], outer: tuple[str, ...], *, by_name: bool) -> Iterator[Site]:
        for statement in body:
            yield from self._statement(statement, outer, by_name)

    def _statement(self, node: ast.stmt, outer: tuple[str, ...], by_name: bool) -> Iterator[Site]:
        names = (*outer, *_bound(node)) if by_name else outer
        if _is_no_behaviour(node) or NOT_BEHAVIOUR.intersection(names):
            return
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            names = (*names, node.name)
            defaults = [*node.args.defaults, *(value for value in node.args.kw_defaults if value is not None)]
            for value in defaults:
                yield from self._expression(value, Where((node.lineno, node.lineno), names, True))
            yield from self._body(node.body, names, by_name=_is_cached(node))
            return
        if isinstance(node, ast.ClassDef):
            yield from self._body(node.body, (*names, node.name), by_name=by_name)
            return
        head = _head(node)
        last = max((part.end_lineno or node.lineno for part in head), default=node.lineno)
        where = Where((node.lineno, last), names, by_name)
        if isinstance(node, (ast.If, ast.While)):
            yield from self._condition(node.test, where)
        if by_name and isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
            yield from self._entries(node.value, where)
        for part in head:
            yield from self._expression(part, where)
        for inner in _inner(node):
            yield from self._body(inner, outer, by_name=by_name)

    def _site(
        self,
        kind: str,
        node: ast.expr,
        start: int,
        end: int,
        new: str,
        where: Where,
    ) -> Site:
        old = self.source[start:end].decode()
        return Site(self.path, kind, node.lineno, start, end, old, new, where, self.digest)

    def _condition(self, test: ast.expr, where: Where) -> Iterator[Site]:
        start, end = self._span(test)
        yield self._site("condition", test, start, end, f"(not ({self._text(test)}))", where)

    def _expression(self, root: ast.expr, where: Where) -> Iterator[Site]:
        stack: list[ast.AST] = [root]
        while stack:
            node = stack.pop()
            if isinstance(node, ast.JoinedStr):
                continue  # Python 3.11 does not know where the parts of such a string stand
            stack.extend(child for child in ast.iter_child_nodes(node))
            if isinstance(node, ast.Constant) and type(node.value) in (int, float):
                yield from self._number(node, where)
            elif isinstance(node, ast.Compare):
                yield from self._comparisons(node, where)
            elif isinstance(node, ast.BoolOp):
                yield from self._joints(node, where)
            elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
                start, end = self._span(node)
                yield self._site("condition", node, start, end, f"bool({self._text(node.operand)})", where)
            elif isinstance(node, ast.IfExp):
                yield from self._condition(node.test, where)
            elif isinstance(node, ast.comprehension):
                for test in node.ifs:
                    yield from self._condition(test, where)

    def _number(self, node: ast.Constant, where: Where) -> Iterator[Site]:
        start, end = self._span(node)
        value = node.value
        assert isinstance(value, (int, float))
        for other in (value + 1, value - 1) if value else (value + 1,):
            yield self._site("number", node, start, end, repr(other) if other >= 0 else f"({other!r})", where)

    def _comparisons(self, node: ast.Compare, where: Where) -> Iterator[Site]:
        left = node.left
        for op, right in zip(node.ops, node.comparators, strict=True):
            pattern, others = COMPARISONS[type(op)]
            low, high = self._span(left)[1], self._span(right)[0]
            between = self.source[low:high].decode()
            match = re.search(
                rf"(?<!\w){pattern}(?!\w)" if pattern[0].isalpha() else re.escape(pattern), between
            )
            if match is not None:
                start = low + len(between[: match.start()].encode())
                end = low + len(between[: match.end()].encode())
                for other in others:
                    yield self._site("comparison", right, start, end, other, where)
            left = right

    def _joints(self, node: ast.BoolOp, where: Where) -> Iterator[Site]:
        word, other = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        parts = [self._text(value) for value in node.values]
        start, end = self._span(node)
        swapped = f" {other} ".join(f"({part})" for part in parts)
        yield self._site("condition", node, start, end, f"({swapped})", where)
        for at in range(len(parts)):
            left_out = f" {word} ".join(f"({part})" for n, part in enumerate(parts) if n != at)
            yield self._site("condition", node, start, end, f"({left_out})", where)

    def _entries(self, value: ast.expr, where: Where) -> Iterator[Site]:
        """Entries of a table that are no numbers, left out; of a mapping, exchanged with the next one's. Types are not behaviour."""
        types = {id(node.slice) for node in ast.walk(value) if isinstance(node, ast.Subscript)}
        for node in ast.walk(value):
            if id(node) in types:
                continue
            if isinstance(node, ast.Dict):
                for one, two in zip(node.values, node.values[1:], strict=False):
                    if self._text(one) != self._text(two):
                        yield self._exchanged(one, two, where)
            elif isinstance(node, (ast.Tuple, ast.List, ast.Set)) and len(node.elts) > 1:
                brackets = {ast.Tuple: "()", ast.List: "[]", ast.Set: "{}"}[type(node)]
                texts = [self._text(entry) for entry in node.elts]
                for at, entry in enumerate(node.elts):
                    if isinstance(entry, ast.Constant) and isinstance(entry.value, (int, float)):
                        continue
                    rest = ", ".join(text for n, text in enumerate(texts) if n != at)
                    start, end = self._span(node)
                    new = f"{brackets[0]}{rest},{brackets[1]}"
                    yield self._site("entry left out", entry, start, end, new, where)

    def _exchanged(self, one: ast.expr, two: ast.expr, where: Where) -> Site:
        (start, first_end), (second, end) = self._span(one), self._span(two)
        middle = self.source[first_end:second].decode()
        new = f"{self._text(two)}{middle}{self._text(one)}"
        return self._site("entries exchanged", one, start, end, new, where)


def _is_no_behaviour(node: ast.stmt) -> bool:
    """Imports, refusals' texts, checks of ourselves, logging, and what only the type checker reads."""
    if isinstance(node, (ast.Import, ast.ImportFrom, ast.Raise, ast.Assert)):
        return True
    if isinstance(node, ast.If):
        return isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        function = node.value.func
        return (
            isinstance(function, ast.Attribute)
            and isinstance(function.value, ast.Name)
            and function.value.id in LOGGING
        )
    return False


def _is_cached(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return any("cache" in ast.unparse(decorator) for decorator in node.decorator_list)


def _bound(node: ast.stmt) -> tuple[str, ...]:
    """Names that a statement binds at its own level."""
    if isinstance(node, ast.Assign):
        return tuple(
            name.id for target in node.targets for name in ast.walk(target) if isinstance(name, ast.Name)
        )
    if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        return (node.target.id,)
    return ()


def _head(node: ast.stmt) -> list[ast.expr]:
    """The expressions of a statement itself, without the statements inside it and without annotations."""
    if isinstance(node, ast.AnnAssign):
        return [node.value] if node.value is not None else []
    if isinstance(node, ast.Match):
        return [node.subject, *(case.guard for case in node.cases if case.guard is not None)]
    if isinstance(node, ast.Try):
        return []
    if isinstance(node, (ast.With, ast.AsyncWith)):
        return [item.context_expr for item in node.items]
    return [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)]


def _inner(node: ast.stmt) -> Iterator[list[ast.stmt]]:
    """The bodies inside a compound statement."""
    for name in ("body", "orelse", "finalbody"):
        body = getattr(node, name, None)
        if isinstance(body, list):
            yield body
    for handler in getattr(node, "handlers", ()):
        yield handler.body
    for case in getattr(node, "cases", ()):
        yield case.body
