"""web_search: free text on a question."""

from __future__ import annotations

from typing import Annotated

from sandbox.tools.language import Language, Says
from sandbox.tools.tool import AnyTool, Result, Tool
from sandbox.toolsets.grouptravel import web_search as searching
from sandbox.toolsets.travelbench.arguments import TimedArguments
from sandbox.toolsets.travelbench.places import Nothing
from sandbox.worlds import World


class WebSearchArguments(TimedArguments):
    """The published program takes any query."""

    query: Annotated[str, Says("要查询的问题或关键词", "A question, or keywords")]


class WebSearchResult(Result):
    """Text, as an agent reads it."""

    text: str


def run(arguments: WebSearchArguments, world: World, language: Language) -> Result:
    """What the world's facts and places say."""
    asked = searching.WebSearchArguments.model_construct(query=arguments.query)
    result = searching.run(asked, world, language)
    text = "\n".join(f"{answer.title}：{answer.text}（{answer.source}）" for answer in result.answers)
    return WebSearchResult(text=text) if text else Nothing()


TOOL: AnyTool = Tool(
    "web_search",
    Says("联网搜索，得到文字资料", "Search the web for text"),
    WebSearchArguments,
    WebSearchResult,
    run,
)
