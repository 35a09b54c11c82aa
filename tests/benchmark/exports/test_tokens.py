"""Which reply made a message of the agent, and where its tokens stand in it."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import pairwise
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as some

from benchmark.core.events import (
    AgentNoted,
    Event,
    EventBody,
    MessagePosted,
    ModelCalled,
    ThoughtKept,
    ToolCalled,
    TurnGranted,
)
from benchmark.core.view import AGENT
from benchmark.exports.tokens import (
    UNKNOWN_TOKENS,
    Authorship,
    MessageTokens,
    place,
    read_written,
    token_columns,
    tokens_of,
)
from benchmark.models import ChatRequest, Reply, RequestedCall
from benchmark.models.exchange import Exchange
from benchmark.models.tokens import Token, TokenLog
from tests.properties import examples

AT = datetime(2026, 5, 1, tzinfo=UTC)
WORDS = some.text(min_size=1, max_size=40).filter(str.strip)


def draw_tokens(text: str, *ends: int) -> TokenLog:
    """A text in tokens that end at these bytes, and at its end."""
    content = text.encode("utf-8", "replace")
    cuts = sorted({0, *(end for end in ends if 0 < end < len(content)), len(content)})
    return TokenLog.of([Token(content[a:b], -float(b)) for a, b in pairwise(cuts)])


def words_of(placed: MessageTokens) -> bytes:
    """What the tokens with a place say, each cut to the part that is in the message."""
    return b"".join(_part(each) for each in placed.tokens if each.start is not None)


def _part(each: Any) -> bytes:
    """A token may begin before the message, or end behind it: its end is that of the first or the last one."""
    size = each.end - each.start
    return each.token.content[-size:] if each.start == 0 else each.token.content[:size]


@given(
    words=WORDS,
    before=some.text(max_size=20),
    behind=some.text(max_size=20),
    ends=some.lists(some.integers(1, 200), max_size=40),
)
@settings(max_examples=examples(120), deadline=None)
def test_tokens_are_placed_one_after_the_other(words: str, before: str, behind: str, ends: list[int]) -> None:
    """However they cut the text, inside characters too, and whatever else the model wrote around the message."""
    written = before + words + behind
    if written.find(words) != len(before):
        return
    placed = place(Reply(words, tokens=draw_tokens(written, *ends)), words)
    content = words.encode("utf-8", "replace")
    spans = [(each.start, each.end) for each in placed.tokens if each.start is not None]
    assert placed.offsets == "tokens" and spans[0][0] == 0 and spans[-1][1] == len(content)
    assert all(end == start for (_, end), (start, _) in pairwise(spans))
    assert all(start < end for start, end in spans)  # type: ignore[operator]
    if len(spans) > 1:
        assert words_of(placed) == content
    assert b"".join(each.token.content for each in placed.tokens) == written.encode("utf-8", "replace")


def test_a_token_inside_a_character_has_its_own_bytes() -> None:
    placed = place(Reply("🏨去", tokens=draw_tokens("🏨去", 2, 4)), "🏨去")
    assert [(each.start, each.end) for each in placed.tokens] == [(0, 2), (2, 4), (4, 7)]


def test_thoughts_and_marks_have_no_place_in_the_message() -> None:
    written = "<think>\n去杭州？\n</think>\n\n去杭州。<|im_end|>"
    placed = place(
        Reply("去杭州。", reasoning="去杭州？", tokens=draw_tokens(written, 8, 20, 31, 40, 43)), "去杭州。"
    )
    assert placed.offsets == "tokens"
    assert words_of(placed).decode() == "去杭州。"
    assert placed.tokens[0].start is None and placed.tokens[-1].start is None


def test_a_message_that_the_thoughts_quote_is_that_behind_them() -> None:
    written = "<think>I say: Yes</think>Yes"
    placed = place(Reply("Yes", reasoning="I say: Yes", tokens=draw_tokens(written, len(written) - 3)), "Yes")
    assert [each.start for each in placed.tokens] == [None, 0]
    unsure = place(Reply("Yes", reasoning="other thoughts", tokens=draw_tokens(written)), "Yes")
    assert unsure.offsets == "message", "the thoughts are not found, and the words stand twice"
    alone = place(Reply("Yes", reasoning="I say: Yes", tokens=draw_tokens("Yes")), "Yes")
    assert alone.offsets == "tokens", "the server lists only the tokens of the answer"


def test_what_does_not_make_up_the_message_belongs_to_it_as_a_whole() -> None:
    assert place(Reply("去杭州。"), "去杭州。") == UNKNOWN_TOKENS
    partial = place(Reply("去杭州。", tokens=draw_tokens("去杭", 3)), "去杭州。")
    assert partial.offsets == "message" and [each.start for each in partial.tokens] == [None, None]
    assert place(Reply("", tokens=draw_tokens("<tool_call>{}</tool_call>")), "").offsets == "message"


# Which reply made a message.


def log(*bodies: EventBody) -> list[Event]:
    return [Event(seq, AGENT, body.audience(), body, AT) for seq, body in enumerate(bodies, 1)]


def model_call(seat: str = AGENT) -> ModelCalled:
    return ModelCalled(seat=seat, endpoint="m")


def turn() -> TurnGranted:
    return TurnGranted(speaker=AGENT, kind="reply")


def exchanges_of(*replies: Reply) -> list[Exchange]:
    return [Exchange(number, AGENT, ChatRequest(()), reply) for number, reply in enumerate(replies, 1)]


CALL = RequestedCall("c", "search", "{}")


def test_each_message_is_of_the_reply_before_it() -> None:
    events = log(
        turn(), model_call(), AgentNoted(content="I look."),
        ToolCalled(call_id="1", name="search", arguments={}, step=1),
        model_call("User1"), model_call(), MessagePosted(role=AGENT, content="Here."),
        turn(), MessagePosted(role=AGENT, content="By a program."),
    )  # fmt: skip
    replies = [
        Reply("I look.", (CALL,), tokens=draw_tokens("I look.<call>", 7)),
        Reply("Here.", tokens=draw_tokens("nobody's")),
        Reply("Here.", tokens=draw_tokens("Here.", 2)),
    ]
    written = read_written(events, exchanges_of(*replies))
    call = {"content": "I look.", "tool_calls": [{"function": {"name": "search"}}]}
    assert [each.start for each in tokens_of(call, written[3]).tokens] == [0, None]
    assert [each.end for each in tokens_of({"content": "Here."}, written[7]).tokens] == [2, 5]
    assert tokens_of({"content": "By a program."}, written[9]) == UNKNOWN_TOKENS


def test_of_several_drafts_the_one_that_was_said_counts() -> None:
    bad, good = (
        Reply("A draft.", tokens=draw_tokens("A draft.")),
        Reply("The words.", tokens=draw_tokens("The words.", 4)),
    )
    for order in ((bad, good), (good, bad)):
        placed = tokens_of({"content": "The words."}, Authorship(order))
        assert len(placed.tokens) == 2 and placed.offsets == "tokens"
    assert tokens_of({"content": "Other words."}, Authorship((bad, good))) == UNKNOWN_TOKENS


def test_words_that_were_changed_keep_their_tokens() -> None:
    """Broken JSON that was mended, and a plan that was cut out of the answer, which is then the thought."""
    broken = '{"day": 1, "city": "Hangzhou", "hotel": "Lake View Hotel", "spend": 250, "notes": "none at all"'
    reply = Reply(broken, tokens=draw_tokens(broken, 30))
    mended = tokens_of({"content": f"{broken}}}"}, Authorship((reply,)))
    assert mended.offsets == "message" and len(mended.tokens) == 2
    cut = Reply("I think. {plan}", tokens=draw_tokens("I think. {plan}", 8))
    placed = tokens_of({"content": '```json\n{"plan": 1}\n```'}, Authorship((cut,), "\n\nI think. {plan}"))
    assert placed.offsets == "message" and len(placed.tokens) == 2


def test_a_program_that_asked_a_model_has_made_its_message_itself() -> None:
    reply = Reply('{"likes": "lakes"}', tokens=draw_tokens('{"likes": "lakes"}'))
    assert (
        tokens_of({"content": "Day 1: Hangzhou, the lake; day 2: back."}, Authorship((reply,)))
        == UNKNOWN_TOKENS
    )


def test_thoughts_of_the_turn_are_read() -> None:
    events = log(
        turn(), model_call(), ThoughtKept(speaker=AGENT, content="hm"), MessagePosted(role=AGENT, content="x")
    )
    assert read_written(events, exchanges_of(Reply("y")))[4] == Authorship([Reply("y")], "hm")


# As columns.


def test_columns_have_a_value_a_token() -> None:
    one = place(Reply("é", tokens=draw_tokens("é", 1)), "é")
    columns = token_columns([one, MessageTokens(""), UNKNOWN_TOKENS], [1, 0, 0], [0.5, None, None])
    assert columns == {
        "message_offsets": ["tokens", "", "message"],
        "message_tokens": [2, 0, 0],
        "token_message": [0, 0],
        "token_text": ["\ufffd", "\ufffd"],
        "token_bytes": ["c3", "a9"],
        "token_start": [0, 1],
        "token_end": [1, 2],
        "token_logprob": [-1.0, -2.0],
        "token_mask": [1, 1],
        "token_advantage": [0.5, 0.5],
    }
