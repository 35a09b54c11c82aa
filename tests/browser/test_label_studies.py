"""A researcher makes a study of labels from two compared runs, follows it, and decides what people could not."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.axe import PHONE, problems_everywhere
from tests.browser.names import fresh
from tests.browser.signing_in import signed_in_cookies
from tests.example_data import COMPARED_RUNS
from tests.labelling_site import Site

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PARTS = ("", "items/", "items/1/", "annotators/", "quality/", "adjudication/", "statistics/", "settings/")
_TARGETS = (
    "#main :is(button, a.button, select, summary, input:not([type=hidden], [type=checkbox], [type=radio]))"
)
SMALL = f"""[...document.querySelectorAll("{_TARGETS}")].filter((e) => e.offsetHeight && e.offsetHeight < 44 &&
!e.closest(".labelled")).map((e) => e.outerHTML.slice(0, 80))"""


@pytest.fixture
def page(place: Site, context: BrowserContext) -> Page:
    """A researcher's page; it fails the test if it logs an error or breaks the security policy."""
    context.add_cookies(signed_in_cookies(place.installation))
    return context.new_page()


def test_two_compared_runs_become_a_study_that_people_are_invited_to(place: Site, page: Page) -> None:
    site = place.installation
    ids = [row[0] for row in site.query("SELECT id FROM runs_run WHERE name IN ('first', 'second')")]
    page.goto(site.url(f"/runs/compare/?runs={','.join(ids)}"))
    page.locator("#label-runs").click()
    page.get_by_label("Name", exact=True).fill(fresh("Which plan?"))
    page.get_by_label("Annotators per item").fill("1")
    page.get_by_role("button", name="Make the study").click()
    expect(page.get_by_label("Runs")).to_have_values([re.compile(f"^({'|'.join(ids)})$")] * 2)
    page.get_by_label("Only plans that differ").uncheck()
    page.locator("#look").click()
    expect(page.locator("#chosen")).to_contain_text("3 items would be added, of 6 sessions that fit.")
    page.locator("#add-items").click()
    expect(page.locator("#label-items tbody tr")).to_have_count(3)

    page.get_by_role("link", name="Annotators").click()
    page.get_by_label("Names").fill("Ada: 杭州市\nBo")
    page.locator("#make-links").click()
    expect(page.locator("#annotators > li")).to_have_count(2)
    link = page.get_by_label("Link of Ada").input_value()
    assert "/annotate/join/" in link
    page.locator("[id^=withdraw-]").nth(1).click()
    expect(page.locator("#annotators > li").nth(1)).to_contain_text("link withdrawn")

    page.get_by_role("link", name="Overview").click()
    expect(page.locator(".steps")).to_contain_text("Everything is ready. Open the study")
    page.locator("#open").click()
    expect(page.locator("#pause")).to_be_visible()
    page.locator("#pause").click()
    expect(page.get_by_role("button", name="Go on")).to_be_visible()


def test_items_without_a_majority_are_decided_by_keys(place: Site, chromium: Browser) -> None:
    context = chromium.new_context(viewport={"width": 1400, "height": 900}, locale="en-US")
    context.add_cookies(signed_in_cookies(place.installation))
    page = context.new_page()  # a refusal below is a line of the console
    study = place.ask("make_study", runs=list(COMPARED_RUNS), items=4, name="to decide")
    place.ask("vote", study=study, votes={"1": "LLL", "2": "LRN", "3": "RLN", "4": "LLR"})
    page.goto(place.installation.url(f"/labelling/{study}/adjudication/"))
    page.locator("#first").click()
    expect(page.locator(".page-head h1")).to_contain_text("item 2")
    page.wait_for_load_state()
    page.keyboard.press("s")
    expect(page.locator(".page-head h1")).to_contain_text("item 3")
    page.wait_for_load_state()  # keys work from then on
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_have_text("Choose one of the study's answers.")
    expect(page.locator("#decision")).to_contain_text("Keys: A, B, N choose")  # the study has no tie
    page.wait_for_load_state()
    page.keyboard.press("n")
    expect(page.get_by_label("Neither is satisfactory")).to_be_checked()
    page.keyboard.press("a")
    page.keyboard.press("Enter")
    expect(page.locator(".page-head h1")).to_contain_text("item 2")
    page.get_by_label("Note").fill("b is nearer")  # letters are words there, not keys
    page.get_by_label("B", exact=True).check()
    page.locator("#decide").click()
    expect(page.get_by_text("No item needs a decision.")).to_be_visible()
    expect(page.locator(".decided li")).to_have_count(2)
    context.close()


def test_charts_are_drawn_beside_the_tables(place: Site, page: Page) -> None:
    study = place.ask("make_study", runs=list(COMPARED_RUNS), items=6, name="charts")
    votes = {"1": "LLL", "2": "LRR", "3": "RRL", "4": "LLR", "5": "RRR", "6": "LLN"}
    place.ask("vote", study=study, votes=votes)
    page.goto(place.installation.url(f"/labelling/{study}/statistics/"))
    expect(page.locator("[data-chart] .main-svg").first).to_be_visible()
    expect(page.locator("#bradley-terry tbody tr")).to_have_count(2)
    page.get_by_label("Agreement of a model with people").fill("60.75")
    page.get_by_role("button", name="Compute").click()
    expect(page.locator("#ceiling")).to_contain_text("latent agreement of the model")


def test_pages_are_whole_and_accessible(place: Site, page: Page) -> None:
    study = place.ask("make_study", runs=list(COMPARED_RUNS), items=3, name=fresh("axe"))
    place.ask("invite", study=study, name="Annelise Bauer-Zimmermann", cities=["杭州市"])
    place.ask("vote", study=study, votes={"1": "LLL", "2": "LRN", "3": "RRL"})
    site, found = place.installation, {}
    paths = ("/labelling/", "/labelling/new/", *(f"/labelling/{study}/{part}" for part in PARTS))
    for path in paths:
        page.goto(site.url(path))
        found[path] = problems_everywhere(page)
        page.set_viewport_size(PHONE)  # type: ignore[arg-type]
        found[path]["small"] = page.evaluate(SMALL)
    page.context.add_cookies([{"name": "caravan_language", "value": "zh-hans", "url": site.url("/")}])
    for path in paths:  # other words are longer or shorter, and nothing else
        page.goto(site.url(path))
        wider = page.evaluate("document.documentElement.scrollWidth") > PHONE["width"]
        found[f"{path} in Chinese"] = {"wide": ["wide"] * wider, "small": page.evaluate(SMALL)}
    assert {path: what for path, what in found.items() if any(what.values())} == {}
