"""What the records of all rule sets do alike."""

from battles.engine.core import record


def test_plain_values_are_copied_down_to_the_last_list() -> None:
    inner = {"a": [1], "b": ({"c": [2]},)}
    plain = record.plain(inner)
    assert plain == {"a": [1], "b": [{"c": [2]}]}
    assert plain["a"] is not inner["a"] and record.plain("E1") == "E1"
