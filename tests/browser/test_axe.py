"""What `problems_everywhere` finds, each fault in the one place where it can be seen."""

from __future__ import annotations

import pytest
from playwright.sync_api import BrowserContext

from tests.browser.axe import problems_everywhere

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PAGE = """<!doctype html><html lang="en"><head><title>t</title><style>
  body {{ color: #000; background: #fff }}
  @media (prefers-color-scheme: dark) {{ body {{ color: #fff; background: #000 }} }}
  a {{ color: inherit }}
  .phone {{ display: none }}
  @media (max-width: 600px) {{ .phone {{ display: block }} }}
  {style}
</style></head><body><main><h1>t</h1><a href="#x">skip</a><p>{body}</p></main></body></html>"""


@pytest.mark.parametrize(
    ("style", "body", "where", "what"),
    [
        ("", "<button></button>", "wide", "button-name"),
        ("", '<b style="color: #555">grey</b>', "wide, dark", "color-contrast"),
        ("", '<b style="color: #ccc">grey</b>', "wide", "color-contrast"),
        ("", '<b class="phone" style="color: #ccc">grey</b>', "phone", "color-contrast"),
        ("", '<b class="phone" style="color: #444">grey</b>', "phone, dark", "color-contrast"),
        ("", '<button class="phone"></button>', "phone", "button-name"),
        ("", '<b style="display: inline-block; width: 700px">w</b>', "phone", "px wider"),
        ("", '<b style="display: inline-block; width: 1500px">w</b>', "wide", "px wider"),
        (
            "@media (max-width: 600px) { .box { height: 20px; overflow: auto } }",
            '<span class="box" style="display: block">' + "words <br>" * 40 + "</span>",
            "phone",
            "scrollable-region-focusable",
        ),
    ],
)
def test_a_fault_is_found_where_it_shows(
    context: BrowserContext, style: str, body: str, where: str, what: str
) -> None:
    page = context.new_page()
    page.set_content(PAGE.format(style=style, body=body))
    found = problems_everywhere(page)
    assert [problem for problem in found[where] if what in problem], found


def test_a_sound_page_has_no_problem(context: BrowserContext) -> None:
    page = context.new_page()
    page.set_content(PAGE.format(style="", body="words"))
    assert not any(problems_everywhere(page).values())
