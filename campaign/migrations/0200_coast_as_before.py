from django.db import migrations


def keep(apps, schema_editor):
    """A campaign that began before the shore looked out and shipping was warned goes on without."""
    for campaign in apps.get_model("campaign", "Campaign").objects.all():
        campaign.settings = {"coast_miles": 0, "trade_warned_days": 0, **campaign.settings}
        campaign.save(update_fields=["settings"])


class Migration(migrations.Migration):
    dependencies = [("campaign", "0125_order_drafts")]

    operations = [migrations.RunPython(keep, migrations.RunPython.noop)]
