"""Findings of axe-core, which checks pages for accessibility, in a page of a browser test."""

from __future__ import annotations

from typing import Any

__all__ = ["serious_findings"]


def serious_findings(page: Any, inside: str | None = None) -> list[str]:
    """The findings of impact serious or critical in a page and its frames, a line for each element.

    The package contains axe-core: nothing is fetched. Each frame is checked by itself, whatever its origin.

    Parameters
    ----------
    page:
        A page of Playwright that has been loaded.
    inside:
        A CSS selector: what is checked of the page, without its frames. By default everything.
    """
    from axe_playwright_python.sync_playwright import Axe

    options = {"resultTypes": ["violations"], "iframes": False}
    found = []
    for frame in page.frames if inside is None else [page.main_frame]:
        result = Axe().run(frame, context=inside, options=options).response
        for violation in result["violations"]:
            if violation["impact"] in ("serious", "critical"):
                for node in violation["nodes"]:
                    messages = "; ".join(
                        each["message"] for each in [*node["any"], *node["all"], *node["none"]]
                    )
                    place = " ".join(map(str, node["target"]))
                    found.append(f"{frame.url}: {violation['id']}: {place}: {messages}")
    return found
