from django.db import migrations

# What a campaign plays by that began before fleets could run from a battle and judge for themselves whether to renew one.
AS_BEFORE = {"flight": "off", "after_battle_default": "renew"}


def keep(apps, schema_editor):
    for campaign in apps.get_model("campaign", "Campaign").objects.all():
        campaign.settings = {**AS_BEFORE, **campaign.settings}
        campaign.save(update_fields=["settings"])


class Migration(migrations.Migration):
    dependencies = [("campaign", "0117_ongoing_battles")]

    operations = [migrations.RunPython(keep, migrations.RunPython.noop)]
