"""`manage.py cache create|import|export|stats|index|refresh`: tool caches in and out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser
from rich.table import Table

from sandbox.cache import CacheError
from sandbox.retrieval import EmbeddingFailed, IndexMissing
from sandbox.toolsets import TOOLSETS, tool_of
from sandbox.toolsets.base import DEFAULT_TOOLSET
from webapp.caches import services
from webapp.caches.models import ToolCache
from webapp.caches.options import cache_named
from webapp.caches.resources import open_cache
from webapp.caches.selectors import ToolFigures, tool_figures, uses_of
from webapp.catalogue.models import World
from webapp.catalogue.options import world_named
from webapp.commands import BAD_INPUT, DatabaseCommand, add_json, add_verb, print_result
from webapp.terminal import progress_bar, text_of
from webapp.wording.tools import error_kind_words

REFUSALS = (CacheError, EmbeddingFailed, IndexMissing, ValueError)


class Command(DatabaseCommand):
    help = "Create, import, export, measure, index and refresh tool caches. Exit code 0: done, 2: bad input."

    def add_arguments(self, parser: CommandParser) -> None:
        verbs = parser.add_subparsers(dest="verb", required=True)
        create = add_verb(verbs, "create", self._create, "Make an empty cache, for online sessions to fill")
        bring = add_verb(verbs, "import", self._import, "Read a directory of TOOL_cache.json files")
        export = add_verb(verbs, "export", self._export, "Write a cache as a published directory")
        stats = add_verb(verbs, "stats", self._stats, "Entries, hits and misses of each tool")
        index = add_verb(
            verbs, "index", self._index, "Take in what was learned and build the index of similar calls"
        )
        ask = add_verb(
            verbs, "refresh", self._refresh, "Ask the live services what was missed, and learn the answers"
        )
        stats.add_argument("name", nargs="?", help="A cache; by default all")
        for verb in (bring, export, stats, index, ask):
            add_json(verb)
        for verb in (create, bring, export, index, ask):
            verb.add_argument("name", help="The cache's name")
        for verb in (create, bring):
            verb.add_argument(
                "--language", default="zh", choices=["zh", "en"], help="Of a new cache's answers"
            )
        bring.add_argument("source", type=Path)
        bring.add_argument(
            "--toolset", default=DEFAULT_TOOLSET, choices=TOOLSETS, help="Whose tools the files are of"
        )
        how = bring.add_mutually_exclusive_group()
        how.add_argument("--merge", action="store_true", help="Add to what the cache holds")
        how.add_argument("--replace", action="store_true", help="Throw away what the cache holds")
        bring.add_argument(
            "--embeddings-model",
            default="",
            help="Of TOOL_embeddings.npz files that do not name theirs; by default the published benchmark's",
        )
        bring.add_argument("--no-index", action="store_true", help="Don't build the index now")
        export.add_argument("target", type=Path)
        export.add_argument("--overwrite", action="store_true")
        index.add_argument("--embedder", default="fields", choices=["fields", "endpoint"])
        index.add_argument("--kind", default="exact", choices=["exact", "approximate"])
        ask.add_argument("--world", help="The world that answers what no live service does")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            options["do"](options)
        except REFUSALS as error:
            raise CommandError(str(error), returncode=BAD_INPUT) from error
        except OSError as error:
            where = error.filename or options.get("source") or options.get("target") or options["name"]
            raise CommandError(f"{where}: {error.strerror or error}", returncode=BAD_INPUT) from error

    def _import(self, options: dict[str, Any]) -> None:
        with progress_bar() as bar:
            report = services.import_cache(
                name=options["name"],
                source=options["source"],
                merge=options["merge"],
                replace=options["replace"],
                language=options["language"],
                toolset=options["toolset"],
                progress=lambda label, done, total: bar(done, total, label),
            )
        entries = sum(report.entries.values())
        lines = [f"cache “{options['name']}”: {entries} {'entry' if entries == 1 else 'entries'} now"]
        for tool, count in report.entries.items():
            missed = report.misses_by_tool.get(tool)
            unknown = "" if tool_of(tool) else ", no tool of this version calls it"
            lines.append(f"  {tool}: {count}" + (f", {missed} missed calls" if missed else "") + unknown)
        result: dict[str, Any] = {
            "cache": options["name"],
            "entries": report.entries,
            "missed": report.misses_by_tool,
        }
        result["embeddings"] = brought = self._embeddings(options, lines)
        for embedder in () if options["no_index"] else ("fields", "endpoint") if brought else ("fields",):
            built = _index_summary({**options, "embedder": embedder, "kind": "exact"})
            lines.append(f"cache “{options['name']}”: {built}")
            result["index" if embedder == "fields" else "index_of_endpoint"] = built
        print_result(self, options, result, "\n".join(lines))

    def _embeddings(self, options: dict[str, Any], lines: list[str]) -> dict[str, int]:
        """Take the embeddings that lie beside the files; how many, by tool."""
        name, source = options["name"], options["source"]
        told = services.take_embeddings(
            name=name, source=source, toolset=options["toolset"], model=options["embeddings_model"]
        )
        lines += [f"  {tool}: {count} embeddings read" for tool, count in told.counts.items()]
        lines += [f"  {remark}" for remark in told.remarks]
        return told.counts

    def _create(self, options: dict[str, Any]) -> None:
        cache = services.new_cache(name=options["name"], language=options["language"])
        self.stdout.write(f"cache “{cache.name}” is empty; sessions with --mode online fill it")

    def _export(self, options: dict[str, Any]) -> None:
        cache = cache_named(options["name"])
        with progress_bar() as bar:
            report = services.export_cache(
                cache=cache,
                target=options["target"],
                overwrite=options["overwrite"],
                progress=lambda label, done, total: bar(done, total, label),
            )
        words = f"{options['target']}: {sum(report.values())} entries of {len(report)} tools"
        print_result(self, options, {"cache": cache.name, "entries": report}, words)

    def _index(self, options: dict[str, Any]) -> None:
        cache_named(options["name"])
        built = _index_summary(options)
        print_result(
            self, options, {"cache": options["name"], "index": built}, f"cache “{options['name']}”: {built}"
        )

    def _refresh(self, options: dict[str, Any]) -> None:
        cache = cache_named(options["name"])
        world = world_named(options["world"] or str(World.objects.values_list("name", flat=True).first()))
        with progress_bar() as bar:
            report = services.refresh_cache(
                cache=cache,
                world=world,
                progress=lambda done, total: bar(done, total, "missed calls"),
            )
        lines = [f"{report.answered_counts.total()} missed calls are answered and cached now"]
        if report.known_counts:
            lines.append(f"{report.known_counts.total()} were cached already and leave the log")
        lines += [
            f"  {count} stay in the log: {error_kind_words(kind)}"
            for kind, count in report.kept_counts.most_common()
        ]
        result = {
            "cache": cache.name,
            "answered": report.answered_counts,
            "known": report.known_counts,
            "kept": report.kept_counts,
        }
        print_result(self, options, result, "\n".join(lines))

    def _stats(self, options: dict[str, Any]) -> None:
        named = [cache_named(options["name"])] if options["name"] else list(ToolCache.objects.all())
        figures, damaged = list[tuple[ToolCache, str, list[ToolFigures]]](), list[str]()
        for cache in named:
            try:
                figures.append((cache, *_figures(cache)))
            except CacheError as error:
                damaged.append(f"{cache.name}: {error}")
        width = None if self.stdout.isatty() else 120
        none = "there is no cache yet; manage.py cache create NAME makes one, cache import NAME FOLDER brings one in"
        words = "".join(text_of(_table(*each), width) for each in figures) or ("" if damaged else none)
        print_result(self, options, [_plain(*each) for each in figures], words)
        if damaged:
            raise CommandError("\n".join(damaged), returncode=BAD_INPUT)


def _index_summary(options: dict[str, Any]) -> str:
    """What was indexed, in words."""
    with progress_bar() as bar:
        return services.index_cache(
            name=options["name"],
            embedder=options["embedder"],
            kind=options["kind"],
            progress=lambda label, done, total: bar(done, total, label),
        )


def _figures(cache: ToolCache) -> tuple[str, list[ToolFigures]]:
    """The state of a cache, and a row a tool."""
    handle = open_cache(cache.name)
    return handle.state.digest, tool_figures(handle.counts, handle.missed_counts(), uses_of(cache))


def _plain(cache: ToolCache, digest: str, rows: list[ToolFigures]) -> dict[str, Any]:
    tools = [
        {"tool": row.tool, "entries": row.entries, "missed": row.misses, **row.use.summary()} for row in rows
    ]
    return {"cache": cache.name, "state": digest, "tools": tools}


def _table(cache: ToolCache, digest: str, rows: list[ToolFigures]) -> Table:
    table = Table(title=f"{cache.name}, state {digest[:12]}", title_justify="left")
    counts = ("entries", "calls", "hits", "misses", "simulated", "live", "errors")
    for column in ("tool", *counts, "hit rate", "logged misses"):
        table.add_column(column, justify="left" if column == "tool" else "right")
    for row in rows:
        use = row.use
        rate = "–" if use.hit_rate is None else f"{use.hit_rate:.1%}"
        figures = (row.entries, use.calls, use.hits, use.misses, use.simulated, use.live, use.error_count)
        table.add_row(row.tool, *map(str, figures), rate, str(row.misses))
    return table
