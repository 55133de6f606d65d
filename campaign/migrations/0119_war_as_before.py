from django.db import migrations

# What a campaign plays by that began before objectives, an acting calendar, landings, reports of bodies, groups and duties came in.
AS_BEFORE = {
    "objectives": "off",
    "calendar": "text",
    "landings": "off",
    "one_report": "off",
    "fragments": "as thrown",
    "muster": "never",
    "duties": "off",
    "orders_in_parts": "off",
}


def keep(apps, schema_editor):
    for campaign in apps.get_model("campaign", "Campaign").objects.all():
        campaign.settings = {**AS_BEFORE, **campaign.settings}
        campaign.save(update_fields=["settings"])


class Migration(migrations.Migration):
    dependencies = [("campaign", "0118_as_before")]

    operations = [migrations.RunPython(keep, migrations.RunPython.noop)]
