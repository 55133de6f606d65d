"""Templates: how they are laid out, and how much of that is sent."""

import re

import pytest
from django.template import engines
from django.template.loader import get_template

from deploy.templates import thinned
from tests.support.processes import ROOT

PAGES = sorted((ROOT / "templates").rglob("*.html"))
BLOCK = re.compile(
    r"<(?:article|dd|details|div|dl|dt|fieldset|form|h[1-6]|legend|li|nav|ol|option|p|section|select|summary|table|tbody|td|th|thead|tr|ul)\b"
)


@pytest.mark.parametrize(
    ("source", "sent"),
    [
        ("<ul>\n  <li>One</li>\n\n  <li>Two</li>\n</ul>", "<ul><li>One</li><li>Two</li></ul>"),
        ("<p>\n  A long\n  sentence.\n</p>", "<p>A long sentence.</p>"),
        ("<b>One</b>\n  <b>two</b>", "<b>One</b> <b>two</b>"),
        ("<b>One</b><b>two</b>", "<b>One</b><b>two</b>"),
        ("one <b>two</b>  three", "one <b>two</b>  three"),
        ("One<br>\n  two", "One<br>two"),
        ('<div id="a"\n     class="b">', '<div id="a" class="b">'),
        ('<input id="a"\n       value="b">', '<input id="a" value="b">'),
    ],
)
def test_a_line_break_is_removed_at_the_edge_of_a_block_and_is_a_space_elsewhere(
    source: str, sent: str
) -> None:
    assert thinned(source) == sent


@pytest.mark.parametrize(
    ("source", "sent"),
    [
        ("<ul>\n{% for a in b %}\n  <li>One</li>\n{% endfor %}\n</ul>", "<ul>{% for a in b %}<li>One</li>{% endfor %}</ul>"),
        ("<p>\n{% if a %}\n  One\n{% endif %}\n</p>", "<p>{% if a %}One{% endif %}</p>"),
        ("One\n{% if a %}\n  two\n{% endif %}\nthree", "One {% if a %}two{% endif %} three"),
        ("<p>{% if a %}\n  One\n{% else %}\n  two\n{% endif %}</p>", "<p>{% if a %}One{% else %}two{% endif %}</p>"),
        ("<p>{% if a %}\n  One\n{% else %}\n  two\n{% endif %}.", "<p>{% if a %}One {% else %}two {% endif %}."),
        ("One\n{% if a %}\n{% endif %}\ntwo", "One {% if a %}{% endif %} two"),
        ("{% if a %}\n  One\n{% endif %}\n{% if b %}\n  two\n{% endif %}", "{% if a %} One{% endif %} {% if b %}two {% endif %}"),
        ("One{% if a %}\n  two{% endif %}.", "One{% if a %} two{% endif %}."),
        ("<p>{% for a in b %}\n  {{ a }}\n{% endfor %}</p>", "<p>{% for a in b %} {{ a }} {% endfor %}</p>"),
        ("<form>\n  {% csrf_token %}\n  One\n</form>", "<form>{% csrf_token %}One</form>"),
    ],
)  # fmt: skip
def test_the_tags_of_a_template_neither_split_nor_join_words(source: str, sent: str) -> None:
    assert thinned(source) == sent


@pytest.mark.parametrize(
    "source",
    [
        "<pre>\n  One\n    two\n</pre>",
        "<textarea rows='2'>\n  One\n</textarea>",
        "<script>\n  one()\n  // two\n  three()\n</script>",
        "{% verbatim %}\n  One\n  <p>\n{% endverbatim %}",
        "{% verbatim one %}\n  <p>\n{% endverbatim one %}",
    ],
)
def test_preformatted_text_is_left_alone(source: str) -> None:
    assert thinned(source) == source


def test_thinning_continues_after_preformatted_text() -> None:
    source = "<pre>\n a\n</pre>\n<p>\n  One\n</p>\n<style>\n  a { top: 0 }\n  b { top: 0 }\n</style>\n<p>"
    assert thinned(source) == "<pre>\n a\n</pre><p>One</p><style>\na { top: 0 }\nb { top: 0 }\n</style><p>"


def test_paragraphs_and_cells_of_an_email_end_their_lines() -> None:
    source = "<table>\n  <tr>\n    <td>\n      <p>One</p>\n    </td>\n  </tr>\n</table>\n<p>"
    assert thinned(source, mail=True) == "<table>\n<tr><td><p>One</p>\n</td>\n</tr></table><p>"


def test_pages_are_thinned_and_other_files_are_not() -> None:
    def source(name: str) -> str:
        return str(get_template(name).template.source)

    assert "\n" not in source("campaign/clock.html")
    assert "\n" in source("emails/_layout.html")
    assert source("emails/_reply.txt") == (ROOT / "templates/emails/_reply.txt").read_text()
    assert source("campaign/_chart.svg") == (ROOT / "templates/campaign/_chart.svg").read_text()


def test_a_template_is_thinned_once_and_kept() -> None:
    get_template("campaign/clock.html")
    loader = engines["django"].engine.template_loaders[0].loaders[0]
    assert "campaign/clock.html" in loader.get_template_cache


def test_no_line_of_a_template_is_too_long_to_read() -> None:
    assert [
        f"{path.relative_to(ROOT)}:{number}"
        for path in PAGES
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if len(line) > 160
    ] == []


def test_no_template_is_longer_than_150_lines() -> None:
    assert [str(path) for path in PAGES if len(path.read_text().splitlines()) > 150] == []


def test_a_line_of_a_template_begins_up_to_one_block() -> None:
    assert [
        f"{path.relative_to(ROOT)}:{number}"
        for path in PAGES
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if len(BLOCK.findall(line)) > 1
    ] == []


def test_no_template_has_its_own_scripts_or_styles() -> None:
    """Mails do carry styles: mail programs fetch none."""
    bare = re.compile(r"<script(?![^>]*\bsrc=)|<style\b|\sstyle=|\son[a-z]+=")
    assert [str(path) for path in PAGES if "emails" not in path.parts and bare.search(path.read_text())] == []
