"""Annotators at their pages: pairs of two real runs, three browsers, keys and clicks, and a server that is killed."""

from __future__ import annotations

import math
import os
import re
import signal
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import cycle
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.axe import problems_everywhere
from tests.browser.conftest import _is_problem
from tests.browser.profiles import Profiles
from tests.browser.waiting import wait_until
from tests.example_data import COMPARED_RUNS
from tests.labelling_site import Site

pytestmark = [pytest.mark.browser, pytest.mark.slow]

ITEMS = 9
STOPS_AFTER = 3
"""Answers of the annotator who does not come back."""
WIDE, PHONE = {"width": 1400, "height": 900}, {"width": 390, "height": 844}
_ANOTHER = "id => document.getElementById('answering')?.dataset.assignment !== id"


@pytest.fixture
def browsers(profiles: Profiles) -> Iterator[Callable[..., Page]]:
    """Opens pages in profiles of their own; one that logs an error or breaks the security policy fails its test."""
    with ExitStack() as borrowed:

        def page(**options: Any) -> Page:
            profile = profiles.borrow(is_bad, **{"viewport": WIDE, "locale": "en-US", **options})
            return borrowed.enter_context(profile).new_page()

        yield page


def is_bad(kind: str, text: str) -> bool:
    """Whether a line of the console tells of a fault; a refusal is none."""
    return _is_problem(kind, text) and not re.search(r"status of (403|404|410|422|50\d)", text)


class Annotator:
    """Somebody at the page."""

    def __init__(self, place: Site, page: Page, study: str, name: str) -> None:
        self.place, self.page, self.name = place, page, name
        told = place.ask("invite", study=study, name=name)
        self.id, self.link = told["id"], place.installation.url(told["link"])
        self.ways = cycle((self.by_keys, self.by_clicks, self.by_two_clicks))

    def come(self) -> Annotator:
        """By the link and its button, and through the guidelines."""
        page = self.page
        page.goto(self.link)
        page.get_by_role("button", name="Begin").click()
        page.get_by_role("button", name="I have read the guidelines").click()
        expect(page.locator("#answer")).to_be_visible()
        page.wait_for_load_state()  # from here on its scripts hear the keys
        return self

    @property
    def assignment(self) -> str:
        return self.page.locator("#answering").get_attribute("data-assignment") or ""

    @property
    def has_work(self) -> bool:
        return self.page.locator("#answering").count() > 0

    def answers(self, key: str) -> None:
        """One item, in one of the ways in which people answer."""
        before = self.assignment
        next(self.ways)(key)
        wait_until(self.page, _ANOTHER, before)
        self.page.wait_for_load_state()

    def by_keys(self, key: str) -> None:
        self.page.keyboard.press("b" if key == "a" else "a")  # a choice can be changed before it is sent
        self.page.keyboard.press(key)
        self.page.keyboard.press("Enter")

    def by_clicks(self, key: str) -> None:
        self.page.locator(f"[data-key={key}]").click()
        self.page.locator("#send").click()

    def by_two_clicks(self, key: str) -> None:
        self.page.locator(f"[data-key={key}]").click()
        self.page.locator("#send").dblclick(no_wait_after=True)


def test_pairs_are_answered_by_three_each_though_one_stays_away(
    place: Site, browsers: Callable[..., Page]
) -> None:
    study = place.ask("make_study", runs=list(COMPARED_RUNS), items=ITEMS, name="pairs", lease_min=1)
    people = [Annotator(place, browsers(), study, name).come() for name in ("Ada", "Bo", "Cai")]
    keys = {person.name: cycle(said) for person, said in zip(people, ("abn", "ba", "aan"), strict=True)}
    _skips_and_takes_back(people[1])
    count = 0
    while any(person.has_work for person in people):
        for person in list(people):
            if person.has_work:
                person.answers(next(keys[person.name]))
        count += 1
        if count == STOPS_AFTER:
            people.pop(0).page.close()  # with an item at work
    place.ask("run_out", annotator=next(iter(_of(place, study, "Ada"))))
    late = Annotator(place, browsers(), study, "Dee").come()
    while late.has_work:
        late.answers("b")
    for person in (*people, late):
        expect(person.page.get_by_role("heading", level=1)).to_have_text(
            re.compile("Done, thank you|Nothing for")
        )
        person.page.reload()
        expect(person.page.get_by_role("heading", level=1)).to_have_text("Done, thank you")
    _counts(place, study)


def _of(place: Site, study: str, name: str) -> set[str]:
    rows = place.installation.query(
        "SELECT a.id FROM labelling_annotator a JOIN judging_rater r ON r.id = a.rater_id "
        f"WHERE a.study_id = '{study}' AND r.name = '{name}'"
    )
    return {str(row[0]) for row in rows}


def _skips_and_takes_back(person: Annotator) -> None:
    """Skip with a reason by key, answer, and take the answer back for another one."""
    page, first = person.page, person.assignment
    page.keyboard.press("s")
    expect(page.locator("#reason")).to_be_focused()
    page.keyboard.type("I have never been there, sorry")  # letters that are keys elsewhere
    page.get_by_role("button", name="Skip this item").click()
    wait_until(page, _ANOTHER, first)
    page.wait_for_load_state()
    second = person.assignment
    page.locator("#rationale").fill("hasty")
    page.keyboard.press("Escape")
    person.by_keys("a")
    wait_until(page, _ANOTHER, second)
    page.wait_for_load_state()
    page.keyboard.press("u")
    wait_until(page, "id => document.getElementById('answering')?.dataset.assignment === id", second)
    page.wait_for_load_state()
    expect(page.locator("[data-key=a]")).to_be_checked()
    expect(page.locator("#rationale")).to_have_value("hasty")
    page.locator("#rationale").fill("with care")
    page.keyboard.press("Escape")
    person.by_keys("n")
    wait_until(page, _ANOTHER, second)
    page.wait_for_load_state()


def _counts(place: Site, study: str) -> None:
    """Three answers an item, by three people in three slots; sides as a coin and its balance have them."""
    labels = place.ask("labels", study=study)
    by_item: dict[int, list[dict[str, Any]]] = {}
    for label in labels:
        by_item.setdefault(label["item"], []).append(label)
    assert sorted(by_item) == list(range(1, ITEMS + 1))
    assert {len({label["rater"] for label in given}) for given in by_item.values()} == {3}
    assert all(sorted(label["slot"] for label in given) == [0, 1, 2] for given in by_item.values())
    assert len(labels) == 3 * ITEMS
    assert Counter(label["rater"] for label in labels)["Ada"] == STOPS_AFTER
    assert [label["rationale"] for label in labels if label["rationale"]] == ["with care"]
    given = place.ask("assignments", study=study)
    held = Counter((one["item"], one["slot"]) for one in given if one["status"] in ("open", "answered"))
    assert set(held.values()) == {1}
    assert {one["status"] for one in given} == {"answered", "skipped", "expired"}
    swapped = sum(label["swapped"] for label in labels)
    assert abs(swapped - len(labels) / 2) <= 3 * math.sqrt(len(labels)) / 2
    assert all(0 < sum(label["swapped"] for label in given) < 3 for given in by_item.values())
    assert all(label["seconds"] > 0 for label in labels)


def test_an_answer_outlives_a_server_that_is_killed(place: Site, browsers: Callable[..., Page]) -> None:
    study = place.ask("make_study", runs=list(COMPARED_RUNS), items=3, name="killed")
    person = Annotator(place, browsers(), study, "Ada").come()
    page, first = person.page, person.assignment
    page.locator("#rationale").fill("more time to eat")
    os.kill(place.installation.children()["daphne"], signal.SIGKILL)
    page.keyboard.press("Escape")
    page.keyboard.press("a")
    page.keyboard.press("Enter")
    expect(page.locator("#told")).to_contain_text("Not sent yet", timeout=5_000)
    expect(page.locator("[data-key=a]")).to_be_checked()
    wait_until(page, _ANOTHER, first, patience_s=60)
    (label,) = place.ask("labels", study=study)
    assert label["rationale"] == "more time to eat"


def test_what_is_not_sent_is_kept_and_two_requests_at_once_count_once(
    place: Site, browsers: Callable[..., Page]
) -> None:
    study = place.ask("make_study", runs=list(COMPARED_RUNS), items=3, name="kept")
    person = Annotator(place, browsers(), study, "Ada").come()
    page, first = person.page, person.assignment
    page.locator("#rationale").fill("sabn")  # letters that are keys elsewhere
    expect(page.locator("[name=choice]:checked")).to_have_count(0)
    page.keyboard.press("Escape")
    page.keyboard.press("Enter")
    expect(page.locator("#told")).to_have_text("Choose an answer first.")
    page.keyboard.press("n")
    with page.expect_response(re.compile("/draft/")):
        pass
    page.evaluate("localStorage.clear()")  # what the server has of it
    page.reload()
    expect(page.locator("#rationale")).to_have_value("sabn")
    expect(page.locator("[data-key=n]")).to_be_checked()
    statuses = page.evaluate(
        """async () => {
          const form = document.getElementById("answer");
          const send = () => fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form)),
                                                  headers: { "X-Caravan-Script": "1" } });
          return (await Promise.all([send(), send(), send()])).map((answer) => answer.status);
        }"""
    )
    assert statuses == [200, 200, 200]
    assert len(place.ask("labels", study=study)) == 1
    page.goto(page.url)
    assert person.assignment != first


def test_a_refusal_is_told_and_the_words_stay(place: Site, browsers: Callable[..., Page]) -> None:
    study = place.ask(
        "make_study", runs=list(COMPARED_RUNS), items=2, name="refused", rationale_required=True
    )
    person = Annotator(place, browsers(), study, "Ada").come()
    page = person.page
    page.keyboard.press("a")
    page.keyboard.press("Enter")
    expect(page.locator("#told")).to_contain_text("asks for a reason")
    expect(page.locator("#rationale")).to_be_focused()
    page.locator("#rationale").fill("long words that took an effort")
    place.ask("change", study=study, status="closed")
    page.locator("#send").click()
    expect(page.locator("#told")).to_contain_text("The study is closed")
    expect(page.locator("#rationale")).to_have_value("long words that took an effort")
    page.locator("#go-on").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("The study is closed")
    assert place.ask("labels", study=study) == []


def test_a_page_that_waits_gets_what_comes_back(place: Site, browsers: Callable[..., Page]) -> None:
    study = place.ask("make_study", runs=list(COMPARED_RUNS), items=1, name="waits", per_item=1)
    first, second = (Annotator(place, browsers(), study, name) for name in ("Ada", "Bo"))
    first.come()
    page = second.page
    page.goto(second.link)
    page.get_by_role("button", name="Begin").click()
    page.get_by_role("button", name="I have read the guidelines").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Nothing for you now")
    first.page.get_by_role("link", name="Stop here").click()
    first.page.get_by_role("button", name="Stop here").click()
    expect(page.locator("#answer")).to_be_visible(timeout=20_000)
    expect(first.page.get_by_role("heading", level=1)).to_have_text("You have stopped")


def test_a_rubric_is_rated_by_digits_and_a_question_by_y_and_n(
    place: Site, browsers: Callable[..., Page]
) -> None:
    rubric = place.ask("make_study", runs=list(COMPARED_RUNS), items=1, kind="rubric", name="digits")
    rater = Annotator(place, browsers(), rubric, "Ada").come()
    for digit in "5432":
        rater.page.keyboard.press(digit)
    rater.page.keyboard.press("Enter")
    expect(rater.page.locator("#told")).to_have_text(re.compile("^Rate “.+” too, then send.$"))
    rater.page.keyboard.press("1")
    expect(rater.page.locator("#told")).to_have_text("")
    rater.page.locator("[data-dimension=tool_use_reasoning] [value='2']").click()
    rater.page.keyboard.press("Enter")
    expect(rater.page.get_by_role("heading", level=1)).to_have_text("Done, thank you")
    answer = place.installation.query(
        "SELECT l.answer FROM labelling_label l JOIN labelling_labelitem i ON i.id = l.item_id "
        f"WHERE i.study_id = '{rubric}'"
    )
    assert re.findall(r"\d", str(answer[0][0])) == ["5", "2", "3", "2", "1"]
    checker = Annotator(place, browsers(), place.ask("make_message_study", name="messages"), "Cy").come()
    for key in "yyn":
        checker.page.keyboard.press(key)
    rated = checker.page.locator(".rating :checked")
    assert [rated.nth(at).input_value() for at in range(3)] == ["1", "1", "0"]
    checker.page.keyboard.press("Enter")
    expect(checker.page.get_by_role("heading", level=1)).to_have_text("Done, thank you")
    binary = place.ask("make_study", runs=list(COMPARED_RUNS), items=2, kind="binary", name="yes or no")
    sayer = Annotator(place, browsers(), binary, "Bo").come()
    for key in "yn":
        sayer.answers(key)
    assert [label["choice"] for label in place.ask("labels", study=binary)] == ["yes", "no"]


def test_without_scripts_plain_forms_do(place: Site, browsers: Callable[..., Page]) -> None:
    study = place.ask("make_study", runs=list(COMPARED_RUNS), items=2, name="plain")
    person = Annotator(place, browsers(java_script_enabled=False), study, "Ada").come()
    page, first = person.page, person.assignment
    page.locator("#send").click()
    expect(page.locator("#told")).to_have_text("Choose an answer first.")
    page.locator("[data-key=b]").click()
    page.locator("#send").click()
    assert person.assignment != first
    assert len(place.ask("labels", study=study)) == 1


@pytest.mark.parametrize("width", [WIDE, PHONE], ids=["wide", "phone"])
def test_both_plans_are_scrolled_to_their_ends_and_the_way_back_is_gone_by_itself(
    place: Site, browsers: Callable[..., Page], width: dict[str, int]
) -> None:
    back = place.installation.url("/annotate/join/nobody-000/")
    terms = {"see_both": True, "completion_url": back, "name": f"see both {width['width']}"}
    study = place.ask("make_study", runs=list(COMPARED_RUNS), items=1, **terms)
    person = Annotator(place, browsers(viewport=width), study, "Ada").come()
    page = person.page
    expect(page.locator("#to-see")).to_have_text("Scroll to the end of A and of B, then send.")
    expect(page.locator("#seen")).to_be_hidden()
    person.by_keys("a")
    expect(page.locator("#told")).to_have_text("Scroll to the end of A and of B, then send.")
    assert place.ask("labels", study=study) == []
    page.mouse.wheel(0, 100_000)
    if width is PHONE:
        expect(page.locator("#to-see")).to_have_text("Scroll to the end of B too, then send.")
        page.locator(".which label").last.click()
        page.mouse.wheel(0, 100_000)
    expect(page.locator("#seen input:not(:checked)")).to_have_count(0)  # "to-see" also hides behind a refusal
    expect(page.locator("#to-see")).to_be_hidden()
    page.clock.install()
    person.by_keys("b")
    expect(page.locator("#leading")).to_contain_text("This page takes you there in")
    page.clock.run_for(8_000)
    expect(page.locator("#leading")).to_contain_text(re.compile("in [12] s"))
    page.clock.run_for(3_000)
    expect(page).to_have_url(back)  # a slow machine may already be there
    page.goto(person.link)
    page.clock.run_for(30_000)
    expect(page.locator("#back-to-panel")).to_be_visible()  # once
    expect(page.locator("#leading")).to_be_hidden()


def leads_on(link: Locator) -> None:
    """Press what leads to another page, and wait for that page."""
    with link.page.expect_navigation():
        link.click()


def test_axe_finds_nothing_serious_and_nothing_scrolls_sideways(
    place: Site, browsers: Callable[..., Page]
) -> None:
    found = {}
    for kind in ("pairwise", "rubric", "binary"):
        study = place.ask(
            "make_study",
            runs=list(COMPARED_RUNS),
            items=2,
            kind=kind,
            name=f"axe {kind}",
            show_chat=True,
            allow_tie=True,
        )
        answer = {"choice": "left"} if kind == "pairwise" else {"choice": "yes"}
        place.ask("add_known", study=study, purpose="example", answer=answer, explanation="It leaves time.")
        person = Annotator(place, browsers(), study, "Ada")
        page = person.page

        def look(what: str, page: Page = page, kind: str = kind) -> None:
            found[f"{kind} {what}"] = problems_everywhere(page)

        page.goto(person.link)
        look("link")
        leads_on(page.get_by_role("button", name="Begin"))
        look("guidelines")
        leads_on(page.locator(".examples a"))
        look("example")
        page.go_back()
        leads_on(page.get_by_role("button", name="I have read the guidelines"))
        look("item")
        leads_on(page.get_by_role("link", name="Stop here"))
        look("leave")
        leads_on(page.get_by_role("button", name="Stop here"))
        look("left")
        place.ask("change", study=study, status="paused")
        page.goto(person.link)
        leads_on(page.get_by_role("button").last)
        look("paused")
        place.ask("change", study=study, status="open")
        page.reload()
        while person.has_work and kind != "rubric":
            person.answers("n")
        look("done")
        page.goto(place.installation.url("/annotate/join/nobody-000/"))
        look("refused")
    assert {where: what for where, what in found.items() if any(what.values())} == {}
