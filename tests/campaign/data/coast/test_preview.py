"""The drawing of a theatre for checking a chart."""

import json
from xml.etree import ElementTree

from campaign.data.coast import preview


def test_the_drawing_shows_every_place_and_passage_of_the_theatre(capsys):
    assert preview.main(["channel_1588"]) == 0
    drawing = ElementTree.fromstring(capsys.readouterr().out)
    theatre = json.loads((preview.THEATRES / "channel_1588.json").read_text(encoding="utf-8"))
    classes = [element.get("class", "") for element in drawing.iter()]
    assert sum(name.startswith("place") for name in classes) == len(theatre["nodes"])
    assert classes.count("edge") == len(theatre["edges"])
    assert classes.count("land") == 1
