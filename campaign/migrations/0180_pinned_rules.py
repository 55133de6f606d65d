"""A campaign plays by a version of the chart's rules, and those under way by the one that they play now."""

from django.db import migrations, models

from battles.engine.pinned.archives import first_kept
from battles.engine.pinned.versions import CAMPAIGN


def pin(apps, schema_editor):
    campaigns = apps.get_model("campaign", "Campaign").objects.select_related("book")
    chart = first_kept(CAMPAIGN)
    for campaign in campaigns.iterator():
        book, own = campaign.book, first_kept(campaign.book.rule_set)
        if chart is None or own is None:
            continue
        campaign.chart_version, campaign.chart_rules = chart.number, chart.fingerprint
        campaign.save(update_fields=["chart_version", "chart_rules"])
        book.engine_version, book.rules_hash = own.number, own.fingerprint
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
