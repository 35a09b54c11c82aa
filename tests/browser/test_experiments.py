"""A model call that is edited and asked again, and a session that goes on from one of the answers."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Page, expect

from tests import example_data
from tests.browser import axe
from tests.browser.names import fresh
from tests.installation import Installation
from tests.model_server.server import ModelServer

pytestmark = [pytest.mark.browser, pytest.mark.slow]
_PREPARE = """
import json
from tests.seating import endpoint_at
from webapp.sessions.models import Event
for model, name in {names!r}.items():
    endpoint_at({url!r}, model, name=name, input_price=1, output_price=2)
asked = Event.objects.filter(session={session!r}, type="model_called").order_by("seq").values_list("seq", "payload")
print(json.dumps([seq for seq, payload in asked if payload["seat"] == "Agent"][-2]))
"""


def test_a_call_is_edited_asked_three_times_and_forked_from_an_answer(
    page: Page, site: Installation, models: ModelServer
) -> None:
    names = {
        model: fresh(f"asked {model}").replace(" ", "-") for model in ("good-agent", "good-user", "loops")
    }
    session = example_data.SESSION_OVER_MODELS
    told = site.inside.run(_PREPARE.format(names=names, url=models.url, session=session))
    seq = json.loads(told)

    page.goto(site.url(f"/sessions/{session}/calls/{seq}/"))
    page.get_by_role("link", name="Ask again").click()
    messages = page.locator("#messages > li")
    count = messages.count()
    messages.first.get_by_role("button", name="Edit").click()
    content = messages.first.get_by_label("Content")
    expect(content).to_be_focused()
    content.fill("")
    page.get_by_label("Tools").fill('[\n{"type": 1}]')
    page.get_by_label("Model", exact=True).select_option(names["loops"])
    expect(page.locator("#estimate")).to_contain_text("USD at most")
    page.locator("#ask").click()
    problems = page.locator(".problems")
    expect(problems).to_contain_text("Message 1, content: it says nothing")
    expect(problems).to_contain_text("Line 2, tool 1:")
    messages.first.get_by_role("button", name="As it was").click()
    expect(messages.first.get_by_role("button", name="Edit")).to_be_visible()
    messages.last.get_by_role("button", name="Add a message after this one").click()
    expect(messages).to_have_count(count + 1)
    messages.last.get_by_label("Content").fill("Look once more.")
    page.get_by_label("Tools").fill("")
    page.locator("#ask").click()
    expect(page.locator("#progress")).to_contain_text("3 of 3 answers", timeout=60_000)

    expect(page.locator("#changes")).to_contain_text(f"Message {count + 1}, user, is new")
    expect(page.locator("#answer-1 ins").first).to_be_visible()
    page.locator("#compare-with").get_by_role("link", name="2").click()
    expect(page.locator("#answer-1")).to_contain_text("the same words")
    assert not any(axe.problems_everywhere(page).values())
    page.locator("#answer-1").get_by_role("link", name="Fork from this answer").click()
    page.get_by_label("Agent's model").select_option(names["good-agent"])
    page.get_by_label("Model", exact=False).last.select_option(names["good-user"])
    page.get_by_role("button", name="Start").click()
    expect(page.locator("#fork-of")).to_contain_text(session)
    expect(page.locator("#chat")).to_contain_text("is answer 1 of experiment", timeout=60_000)
    expect(page.locator(".status")).to_contain_text("The agent proposed its plan.", timeout=60_000)
