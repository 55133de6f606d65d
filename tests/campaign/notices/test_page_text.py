"""HTML emails: only what their reader sees counts."""

from __future__ import annotations

import pytest

from campaign.notices.page_text import colour, hidden_by, html_text


def lines(page: str) -> list[str]:
    """Its lines, without empty ones."""
    return [line.strip() for line in html_text(page).splitlines() if line.strip()]


@pytest.mark.parametrize(
    "how",
    [
        "style='display:none'", 'style="color:red; DISPLAY : None !important"', "style='visibility:hidden'", "style='visibility: collapse'",
        "style='font-size:0'", "style='font-size:0.0px'", "style='font-size:1px'", "style='font: 0/0 a'", "style='opacity:0'",
        "style='max-height:0px'", "style='max-width:0'", "style='height:0;overflow:hidden'", "style='line-height:0;overflow:hidden'",
        "style='display:/* not */none'", "style='" + "a:b;" * 2000 + "display:none'", "class='" + "a " * 50 + "ghost'",
        "style='mso-hide:all'", "hidden", 'hidden=""', "style='text-indent:-9999px'", "style='position:absolute;left:-10000px'",
        "style='color:#fff'", "style='color:white'", "style='color:#fefefe'", "style='color:rgb(255, 255, 255)'",
        "style='color:#112233;background:#112233'", "bgcolor=#000000", "style='background-color:rgb(0 0 0)'",
        "class=ghost", "class='a Ghost b'", "id=ghost", "style='clip:rect(0,0,0,0)'", "style='transform:scale(0)'",
    ],
)  # fmt: skip
def test_hidden_words_are_not_orders(how: str) -> None:
    sheet = "<style>.ghost, p#ghost { display:none }</style>"
    page = f"<html><head>{sheet}</head><body><p>Stance: avoid</p><p {how}>Stance: seek<b>Route: x</b></p><p>Route: stay</p></body></html>"
    assert lines(page) == ["Stance: avoid", "Route: stay"]


@pytest.mark.parametrize(
    "how",
    [
        "style='display:block'", "style='visibility:visible'", "style='font-size:10px'", "style='font-size:12pt'", "style='opacity:0.9'",
        "style='max-height:none'", "style='max-width:600px'", "style='height:0'", "style='overflow:hidden'", "style='color:#222'",
        "style='color:white;background:#003366'", "style='color:white;background:url(sea.png)'", "style='color:windowtext'",
        "style='color:inherit;background:inherit'", "style='background:transparent'", "style='text-indent:-10px'", "class=other",
        "id=other",
        "style='color:rgba(255,255,255,0.5)'", "style='color'", "style=':;:'", "bgcolor=white", "style='font:12px/14px serif'",
    ],
)  # fmt: skip
def test_visible_words_are_read(how: str) -> None:
    assert lines(f"<p {how}>Stance: seek</p>") == ["Stance: seek"]


def test_text_and_background_colours_are_inherited() -> None:
    assert lines(
        "<table bgcolor='#003366'><tr><td><font color=white>Stance: seek</font></td></tr></table>"
    ) == ["Stance: seek"]
    assert lines("<div style='color:white'><p><b>Stance: seek</b></p></div>") == []
    assert lines("<div style='color:white'><p style='color:black'>Stance: seek</p></div>") == ["Stance: seek"]
    assert lines("<div style='color:white'><p style='background:navy'>Stance: seek</p></div>") == [
        "Stance: seek"
    ]


def test_words_are_laid_out_in_lines_and_quotations_are_marked() -> None:
    page = (
        "<title>no</title><p>Fleet:&nbsp;The\n Red</p>Stance: avoid<br>Route: stay<ul><li>Odds: 3</ul><table><tr><td>Range:</td>"
        "<td>near</td></tr></table><blockquote><p>Stance: seek</p><blockquote>Route: x</blockquote>y</blockquote>"
        "<script>no</script>Board: yes"
    )
    assert [line for line in lines(page.replace("&nbsp;", " ")) if line != ">"] == [
        "Fleet: The Red", "Stance: avoid", "Route: stay", "Odds: 3", "Range:  near", "> Stance: seek", "> Route: x", "> y", "Board: yes",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("sheet", "hidden"),
    [
        (".a{display:none}", {".a"}),
        (".A , td.b,#c .d > .e { visibility:hidden }", {".a", ".b", ".e"}),
        ("/* .x{display:none} */ .y{display:none}", {".y"}),
        ("@media print { .a{display:none} } .b{display:none}", {".b"}),
        ("p{display:none} *{display:none} .a:hover{display:none}", set()),
        (".a{color:red} .b{", set()),
        ("}}} .a{display:none}", {".a"}),
        ("", set()),
    ],
)
def test_a_style_sheet_can_hide_text(sheet: str, hidden: set[str]) -> None:
    assert hidden_by(sheet) == hidden


@pytest.mark.parametrize(
    ("words", "figures"),
    [
        ("#fff", "ffffff"),
        ("#a1b2c3", "a1b2c3"),
        ("white", "ffffff"),
        ("rgb(1,2,300)", "0102ff"),
        ("rgba(0, 0, 0, 1)", "000000"),
        ("rgba(0,0,0,.5)", ""),
        ("#12345", ""),
        ("teal", ""),
        ("", ""),
    ],
)
def test_colours_are_recognised(words: str, figures: str) -> None:
    assert colour(words) == figures
