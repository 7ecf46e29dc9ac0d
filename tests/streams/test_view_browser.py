"""The viewer in a real Chromium: every game, the keyboard alone, the slider, the search, and no request elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from streams.simulator import games
from tests.viewer import DAY, chromium, night, viewing

pytestmark = pytest.mark.chromium

WAIT_MS = 20_000
"""Generous: what it takes is measured, not tested."""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A night with one table of every game."""
    store = night(tmp_path_factory.mktemp("view"), "--tables", len(games.names()), "--hours", 0.2, "--faults", 0.2)
    with viewing(store) as found:
        yield found


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as found:
        yield found


@pytest.fixture
def page(browser: Any, address: str) -> Iterator[Any]:
    """A page that must neither complain nor ask anybody else."""
    opened = browser.new_page(base_url=address)
    opened.set_default_timeout(WAIT_MS)
    wrong: list[str] = []
    opened.on("console", lambda message: wrong.append(message.text) if message.type in ("error", "warning") else None)
    opened.on("pageerror", lambda error: wrong.append(str(error)))
    opened.on("request", lambda request: None if request.url.startswith(address) else wrong.append(request.url))
    yield opened
    opened.close()
    assert wrong == []


def test_every_game_is_replayed_from_its_first_step_to_its_last(page):
    page.goto("/")
    tables = page.eval_on_selector_all("tbody a.go", "links => links.map(link => link.getAttribute('href'))")
    assert len(tables) == len(games.names())
    for table in tables:
        page.goto(table.replace("/session", "/round"))
        count = page.locator("#events li").count()
        page.keyboard.press("End")
        page.wait_for_selector(f'#now[data-step="{count}"]')

        assert page.locator("svg.felt").count() == 1
        assert page.locator("#counter").inner_text() == f"step {count} of {count}"


def test_the_keyboard_alone_leads_from_the_nights_to_a_step_and_on(page):
    page.goto("/")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    page.wait_for_selector("#first-round")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    page.wait_for_selector("#replay")
    page.keyboard.press("]")
    page.wait_for_selector("#counter")
    page.keyboard.press("Home")
    page.wait_for_selector('#now[data-step="1"]')
    page.keyboard.press("ArrowRight")
    page.wait_for_selector('#now[data-step="2"]')
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector('#now[data-step="1"]')
    page.keyboard.press(".")
    page.wait_for_selector("#now .finding")
    page.keyboard.press("?")
    page.wait_for_selector("dialog[open]")
    page.keyboard.press("Escape")
    page.keyboard.press("p")

    assert page.evaluate("document.activeElement.id") == "rules"


def test_the_tab_key_reaches_every_link_and_field_of_a_round(page):
    page.goto(f"/round?session=BO01-{DAY}&round=1&step=3")
    whole = "a[href], button, input:not([type=hidden]), select, summary, pre"
    wanted = page.eval_on_selector_all(whole, "all => all.filter(one => one.checkVisibility()).length")
    reached = set()
    for _ in range(wanted + 10):
        page.keyboard.press("Tab")
        reached.add(page.evaluate(f"[...document.querySelectorAll('{whole}')].indexOf(document.activeElement)"))

    assert wanted <= len(reached - {-1})


def test_the_slider_steps_without_loading_a_page(page):
    page.goto(f"/round?session=CR01-{DAY}&round=1")
    page.evaluate("window.stayed = true")
    page.focus("#slider")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector('#now[data-step="2"]')
    page.keyboard.press("ArrowRight")
    page.wait_for_selector('#now[data-step="3"]')

    assert page.evaluate("window.stayed")
    assert page.url.endswith("step=3")


def test_without_scripts_links_do_the_same(browser, address):
    context = browser.new_context(java_script_enabled=False, base_url=address)
    page = context.new_page()
    page.goto(f"/round?session=CR01-{DAY}&round=1")
    page.click("#on")

    assert page.locator("#counter").inner_text().startswith("step 2 of ")
    context.close()


def test_a_search_leads_to_the_step_where_it_was_found(page):
    page.goto("/search")
    page.fill('input[name="day"]', DAY)
    page.select_option('select[name="severity"]', "severe")
    page.click('form[role="search"] button')
    page.wait_for_selector("#results")
    code = page.locator("#results a.go").first.inner_text()
    page.locator("#results a.go").first.click()
    page.wait_for_selector("#now")

    assert code in page.locator("#now").inner_text()


@pytest.fixture(scope="module")
def long_session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A session of more than 10,000 events."""
    with viewing(night(tmp_path_factory.mktemp("long"), "--game", "boule", "--tables", 1, "--hours", 6)) as found:
        yield found


def test_a_session_of_ten_thousand_events_opens_and_steps(browser, long_session):
    page = browser.new_page(base_url=long_session)
    page.set_default_timeout(WAIT_MS)
    page.goto(f"/session?session=BO01-{DAY}")
    events = page.locator(".facts div:has-text('events') dd").inner_text()
    page.click("#first-round")
    page.wait_for_selector("#replay")
    for step in range(2, 8):
        page.keyboard.press("ArrowRight")
        page.wait_for_selector(f'#now[data-step="{step}"]')
    page.close()

    assert int(events.replace(",", "")) >= 10_000
