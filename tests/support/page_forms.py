"""What a browser would send of a page's form that nobody has touched."""

from __future__ import annotations

from html.parser import HTMLParser


class _Fields(HTMLParser):
    def __init__(self, form_id: str) -> None:
        super().__init__()
        self.form_id, self.inside = form_id, False
        self.found: dict[str, list[str]] = {}
        self.select: str | None = None
        self.options: list[tuple[str, bool]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "form":
            self.inside = given.get("id") == self.form_id
        if not self.inside:
            return
        name, value = given.get("name"), given.get("value") or ""
        if tag == "input" and name:
            ticked = given.get("type") in ("checkbox", "radio")
            if not ticked or "checked" in given:
                self.found.setdefault(name, []).append(value or ("on" if ticked else ""))
        elif tag == "select":
            self.select, self.options = name, []
        elif tag == "option":
            self.options.append((value, "selected" in given))

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.inside = False
        if tag == "select" and self.inside and self.select:
            chosen = [value for value, selected in self.options if selected] or [self.options[0][0]]
            self.found.setdefault(self.select, []).append(chosen[0])
            self.select = None


def untouched(html: str, form_id: str) -> dict[str, list[str]]:
    """Names and values of a form's fields as the page shows them, without any button. Raises LookupError for a form that is not there."""
    if f'id="{form_id}"' not in html:
        raise LookupError(f"the page has no form {form_id!r}")
    reader = _Fields(form_id)
    reader.feed(html)
    return reader.found
