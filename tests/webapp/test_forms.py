"""What holds for every form: help and errors belong to their fields, and what is wrong is told first."""

from __future__ import annotations

import re

import pytest
from django import forms
from django.test import Client
from pytest_django.asserts import assertHTMLEqual as assert_html_equal

from tests.markup import text
from webapp.catalogue.models import Task, World
from webapp.forms import OneOf

pytestmark = pytest.mark.django_db

FORMS = ("/sessions/new/", "/runs/new/", "/models/new/", "/caches/", "/judging/new/")


@pytest.fixture(autouse=True)
def ready(starter_world: World, starter_tasks: list[Task]) -> None:
    """The starter world and tasks are there."""


def page_after_sending(client: Client, address: str) -> str:
    """The page after the form was sent with a wrong name and nothing else."""
    return text(client.post(address, {"name": "a name!" * 20}))


@pytest.mark.parametrize("address", FORMS)
def test_what_describes_a_field_is_on_the_page(as_researcher: Client, address: str) -> None:
    for page in (as_researcher.get(address).content.decode(), page_after_sending(as_researcher, address)):
        named = {one for told in re.findall(r'aria-describedby="([^"]*)"', page) for one in told.split()}
        assert named <= set(re.findall(r'\bid="([^"]*)"', page))
    assert any(one.endswith("_error") for one in named)


@pytest.mark.parametrize("address", FORMS)
def test_errors_are_summed_up_first_with_links_to_their_fields(as_researcher: Client, address: str) -> None:
    page = page_after_sending(as_researcher, address)
    assert "<title>Error: " in page
    found = re.search(r'<section class="problems" tabindex="-1" autofocus.*?</section>', page, re.DOTALL)
    assert found is not None and "with what was sent" in found[0]
    linked = re.findall(r'<a href="#([^"]*)">', found[0])
    assert linked and set(linked) <= set(re.findall(r'\bid="([^"]*)"', page))
    assert page.count("wrong-field") == len(set(linked))


@pytest.mark.parametrize("address", FORMS)
def test_a_fresh_form_has_nothing_wrong(as_researcher: Client, address: str) -> None:
    page = as_researcher.get(address).content.decode()
    assert "<title>Error" not in page and 'class="problems"' not in page


def test_a_refused_sign_in_says_so_first(client: Client) -> None:
    page = client.post("/signin/", {"username": "nobody", "password": "x"}).content.decode()
    assert "<title>Error: Sign in" in page
    assert "No account has this name and password." in page.split("</section>")[0]


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("/sessions/new/?task=nope", "nope"),
        ("/sessions/new/?task=starter_01&world=elsewhere", "elsewhere"),
        ("/runs/new/?cache=lost", "lost"),
    ],
)
def test_what_a_link_names_in_vain_is_said(as_researcher: Client, address: str, name: str) -> None:
    assert f"There is no “{name}”." in as_researcher.get(address).content.decode()


def test_a_link_that_names_what_there_is_says_nothing(as_researcher: Client) -> None:
    page = as_researcher.get("/sessions/new/?task=starter_01&world=starter").content.decode()
    assert "There is no “" not in page


def test_who_may_see_nothing_here_can_sign_out(as_annotator: Client) -> None:
    for address in ("/", "/nowhere/"):
        main = as_annotator.get(address).content.decode().split("<main")[1]
        assert 'action="/signout/"' in main and ">Home<" not in main


def test_filters_that_nothing_fits_can_be_dropped(as_researcher: Client) -> None:
    page = as_researcher.get("/sessions/?task=zzz").content.decode()
    assert '<a href="/sessions/">Show all</a>' in page


@pytest.mark.parametrize("address", FORMS)
def test_no_field_cuts_what_is_pasted(as_researcher: Client, address: str) -> None:
    """A browser cuts at `maxlength` without a word; a form says what is too long."""
    page = as_researcher.get(address).content.decode()
    assert not re.search(r'<input[^>]*type="text"[^>]*maxlength', page)


@pytest.mark.parametrize(("address", "most"), [("/runs/new/", 100), ("/models/new/", 60), ("/caches/", 60)])
def test_a_name_that_is_too_long_is_said(as_researcher: Client, address: str, most: int) -> None:
    page = text(as_researcher.post(address, {"name": "a" * (most + 1)}))
    assert f"at most {most} characters (it has {most + 1})" in page


GROUPED_CHOICES = [("", "—"), ("<b>", '"of" & all'), ("Many", [("1", "one"), ("2", "<i>two")])]


@pytest.mark.parametrize("value", ["", "<b>", "2", "none of them"])
def test_a_list_to_choose_from_is_drawn_as_django_draws_it(value: str) -> None:
    class Ours(forms.Form):
        one = OneOf(choices=GROUPED_CHOICES, label="One")

    class Theirs(forms.Form):
        one = forms.ChoiceField(choices=GROUPED_CHOICES, label="One")

    ours, theirs = (str(form({"one": value})["one"]) for form in (Ours, Theirs))
    assert_html_equal(ours, theirs)
