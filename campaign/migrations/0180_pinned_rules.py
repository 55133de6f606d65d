"""A campaign plays by a version of the chart's rules, and those under way by the one that they play now."""

import re

from django.db import migrations, models

from battles.engine.pinned.archives import FOLDER
from battles.engine.pinned.versions import CAMPAIGN, listed


def first_kept(name):
    """The oldest version of some rules of which there is an archive, as number and fingerprint: that of the release of this migration."""
    found = (re.fullmatch(rf"{name}-(\d+)\.tar\.xz", path.name) for path in FOLDER.glob(f"{name}-*.tar.xz"))
    number = min((int(match[1]) for match in found if match), default=0)
    return next(((row.number, row.fingerprint) for row in listed(name) if row.number == number), None)


def pin(apps, schema_editor):
    campaigns = apps.get_model("campaign", "Campaign").objects.select_related("book")
    chart = first_kept(CAMPAIGN)
    for campaign in campaigns.iterator():
        book, own = campaign.book, first_kept(campaign.book.rule_set)
        if chart is None or own is None:
            continue
        campaign.chart_version, campaign.chart_rules = chart
        campaign.save(update_fields=["chart_version", "chart_rules"])
        book.engine_version, book.rules_hash = own
        book.save(update_fields=["engine_version", "rules_hash"])


class Migration(migrations.Migration):
    dependencies = [("campaign", "0174_smaller_file"), ("fleets", "0051_plain_words")]
    operations = [
        migrations.AddField(
            model_name="campaign",
            name="chart_version",
            field=models.PositiveIntegerField(default=0, editable=False),
        ),
        migrations.AddField(
            model_name="campaign",
            name="chart_rules",
            field=models.CharField(blank=True, default="", editable=False, max_length=64),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="campaign",
            name="rules_taken",
            field=models.JSONField(blank=True, default=dict, editable=False),
        ),
        migrations.AddField(
            model_name="campaign",
            name="rules_passed",
            field=models.CharField(blank=True, default="", editable=False, max_length=64),
            preserve_default=False,
        ),
        migrations.RunPython(pin, migrations.RunPython.noop),
    ]
