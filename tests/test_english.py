"""The words that people read keep to the list of replaced phrases."""

import pytest

from tests.support import english

LIMIT = 11  # stored log actions, an old alias of a reply, men of the time, and phrases that are right where they are; may only fall


def test_banned_phrases_do_not_grow_in_number() -> None:
    found = [match for path in english.files() for match in english.matches(path)]
    assert len(found) <= LIMIT, "\n".join(f"{match.path}:{match.line}: {match.found}" for match in found)


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("a.html", "{# his #}<p title='his'>\nThe turn goes on {{ his }}.</p>", [(2, "goes on")]),
        ("a.py", '"""His."""\nlogger.info("his")\nx = f"{his} stalls %(his)s"\n', [(3, "stalls")]),
    ],
)
def test_only_what_people_read_is_searched(
    name: str, text: str, expected: list[tuple[int, str]], tmp_path, monkeypatch
) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(english, "ROOT", tmp_path)
    (tmp_path / name).write_text(text)
    assert [(match.line, match.found) for match in english.matches(tmp_path / name)] == expected
