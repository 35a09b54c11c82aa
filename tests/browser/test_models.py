"""A model, from its three fields over its test to a session and a run over it, by the pages alone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.names import fresh
from tests.installation import Installation
from tests.model_server.server import ModelServer

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def add(page: Page, site: Installation, models: ModelServer, name: str, model: str) -> None:
    """Fill the three fields in, and have a worker test what they name."""
    page.goto(site.url("/models/"))
    page.get_by_role("link", name="Add a model").click()
    page.get_by_label("Name").fill(name)
    page.get_by_label("Address").fill(models.url)
    page.get_by_label("Model", exact=True).fill(model)
    page.get_by_role("button", name="Add").click()
    expect(page.get_by_role("heading", name=name, exact=True)).to_be_visible()
    page.get_by_role("button", name="Test this endpoint").click()
    expect(page.get_by_role("button", name="Test again")).to_be_enabled(timeout=60_000)


def no_column_is_clipped(page: Page) -> None:
    """The table of the models' use fits beside the chat, and into a phone."""
    whole = page.viewport_size
    page.get_by_role("link", name="Models").last.click()
    table = page.locator("#panel table.uses.models")
    expect(table).to_be_visible()
    for width in (1920, 1280, 1000, 390):
        page.set_viewport_size({"width": width, "height": 900})
        assert table.evaluate("each => each.scrollWidth - each.parentElement.clientWidth") <= 0, width
    assert whole is not None
    page.set_viewport_size(whole)


def a_call_opens(page: Page) -> None:
    """In the conversation, with what is new unfolded, and on a page of its own."""
    page.get_by_text("Unfold all").click()
    line = page.locator("#chat details.called").nth(1)
    line.locator("summary").first.click()
    expect(line.locator("details.sent.new pre").first).to_be_visible()
    known = line.locator("details.sent:not(.new)").first
    known.locator("summary").click()
    expect(known.locator("pre")).not_to_be_empty()
    line.get_by_role("link", name="Open on a page of its own").click()
    expect(page.get_by_role("heading", name="Model call")).to_be_visible()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("link", name="curl").click()
    expect(page.get_by_role("status").filter(has_text="Copied")).to_be_visible()
    assert "/chat/completions" in page.evaluate("navigator.clipboard.readText()")


def a_session_is_forked(page: Page, origin: str) -> None:
    """From an event's menu, by keyboard, with another agent; the two know each other."""
    page.goto(origin)
    message = page.locator("#chat .msg").nth(5)
    seq = (message.get_attribute("id") or "").removeprefix("e")
    message.hover()
    expect(page.locator("#event-menu")).to_be_visible()
    message.locator("a.no").focus()
    page.keyboard.press("m")
    expect(page.get_by_role("link", name="Fork from here")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_label("Event", exact=True)).to_have_value(seq)
    page.get_by_label("Agent", exact=True).select_option("reference")
    page.get_by_label("Event", exact=True).fill("9999")
    page.get_by_role("button", name="Start").click()
    expect(page.locator(".wrong-field")).to_contain_text("has no event 9999")
    page.get_by_label("Event", exact=True).fill(seq)
    page.get_by_role("button", name="Start").click()
    expect(page.locator("#fork-of")).to_contain_text("at event")
    expect(page.locator(".status")).to_contain_text("The agent proposed its plan.", timeout=60_000)
    page.get_by_role("link", name="Compare with it").click()
    expect(page.get_by_role("heading", name="Sessions side by side")).to_be_visible()
    page.goto(origin)
    page.locator("#forks summary").click()
    expect(page.locator("#forks table")).to_contain_text("reference")


def test_from_three_fields_to_a_session(page: Page, site: Installation, models: ModelServer) -> None:
    model = fresh("good")
    add(page, site, models, model, "good-agent")
    tested = page.locator("table.tested")
    for capability in (
        "chat",
        "tool calls",
        "several tool calls at once",
        "streaming",
        "usage figures",
    ):
        expect(tested.get_by_role("row").filter(has_text=capability).first).to_contain_text("yes")

    page.get_by_role("link", name="Start a session").click()
    expect(page.get_by_label("Agent's model")).to_have_value(model)
    expect(page.get_by_label("Their model")).to_have_count(0)
    page.locator("input[name=task][value=starter_01]").check()
    expect(page.get_by_label("Agent's model")).to_have_value(model)
    expect(page.get_by_label("World", exact=True)).to_have_value("starter")
    page.get_by_role("button", name="Start").click()
    expect(page).to_have_url(re.compile(r"/sessions/\w{8}/"))
    expect(page.locator(".status")).to_contain_text("The agent proposed its plan.", timeout=120_000)
    no_column_is_clipped(page)
    origin = page.url
    page.get_by_role("link", name="Models", exact=True).last.click()
    expect(page.locator("table.models")).to_contain_text(model)
    expect(page.locator("table.seats")).to_contain_text("llm")
    a_call_opens(page)
    a_session_is_forked(page, origin)

    page.goto(site.url(f"/models/{model}/"))
    expect(page.locator("table.models")).to_contain_text("agent")
    expect(page.get_by_role("button", name="Delete")).to_have_count(0)


def test_a_model_without_tools_is_offered_the_text_protocol(
    page: Page, site: Installation, models: ModelServer
) -> None:
    add(page, site, models, fresh("plain"), "text-tools")
    row = page.locator("table.tested").get_by_role("row").filter(has_text="tool calls").first
    expect(row).to_contain_text("no")
    page.get_by_role("button", name="Use them").click()
    expect(page.locator(".facts")).to_contain_text("text protocol")
    expect(page.get_by_role("button", name="Use them")).to_have_count(0)


def test_a_pasted_key_leaves_no_trace(page: Page, site: Installation) -> None:
    page.goto(site.url("/models/new/"))
    page.get_by_label("Name").fill("keyed")
    page.get_by_label("Address").fill("https://models.example/v1")
    page.get_by_label("Model", exact=True).fill("m")
    page.get_by_label("Key variable").fill("sk-proj-Zq8Lw2nR5tYx0VbC3mKd7HfJ")
    page.get_by_role("button", name="Add").click()
    expect(page.locator(".problems")).to_contain_text("may be a key")
    expect(page.get_by_label("Key variable")).to_have_value("")
    assert "Zq8Lw2nR5tYx" not in page.content()
